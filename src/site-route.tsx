import { Outlet, useOutletContext } from 'react-router';
import { SiteChrome } from './site-chrome.tsx';

/** The layout route of the site. Pages without the layout are its siblings in routes.ts. */
export default function Site() {
  return (
    <SiteChrome>
      <Outlet context={useOutletContext()} />
    </SiteChrome>
  );
}
