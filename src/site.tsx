import { Outlet, useOutletContext } from 'react-router';
import { SiteChrome } from './site-chrome.tsx';

/** The site's chrome around its pages. Pages outside it (embedded ones, the payment result) stand beside this in routes.ts. */
export default function Site() {
  return (
    <SiteChrome>
      <Outlet context={useOutletContext()} />
    </SiteChrome>
  );
}
