import { Outlet, useOutletContext } from 'react-router';
import { SiteChrome } from './site-chrome.tsx';

/** What stands around every page (site-chrome.tsx). Pages without any of it stand beside this in routes.ts. */
export default function Site() {
  return (
    <SiteChrome>
      <Outlet context={useOutletContext()} />
    </SiteChrome>
  );
}
