import { StrictMode, use, useEffect, type ReactNode } from 'react';
import { useLanguage } from './i18n/language.tsx';
import { SiteChrome } from './site-chrome.tsx';
import { Links, Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router';
import { trackPage } from './domains/analytics/pages/track.ts';
import { lazyAlertProblem, lazyReportProblem } from './domains/error-reports/pages/lazy-problem.ts';
import { trackPageEntry } from './ui/overlays/page-entry.ts';
import { ErrorScreen, isUnexpectedError } from './site/error-screen.tsx';
import { PageMeta, type PageHandle } from './site/page-meta.tsx';
import { watchOtherTabs, restoreSession, type SiteContext } from './browser/session-user.ts';
import { ServerMarkupContext } from './pre-hydration/server-markup.ts';
import { announceHydration, DEFERRED_ID } from './pre-hydration/handshake.ts';
import { NavigationDeadline, ScriptFailedNotice } from './site/script-failed.tsx';
import { SITE_ELEMENT_ID, siteConfigJson, useSiteConfig } from './shared/site-config.ts';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: t('{brand}: laundry picked up and delivered in Gurugram', { brand: brand.name }) },
    {
      name: 'description',
      content: t('Washing and ironing, collected from your door and back within a day. Manesar and Vatika India Next, Gurugram.'),
    },
  ],
};

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, css, preHydrationScript, head, deferred, stylesheet } = use(ServerMarkupContext);
  const siteJson = siteConfigJson(useSiteConfig());
  const { code } = useLanguage();
  // Not in App, because the error page also has this layout.
  useEffect(initialize, []);
  return (
    <html lang={code} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#181b21" media="(prefers-color-scheme: dark)" />
        <PageMeta />
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} suppressHydrationWarning />
        <Links />
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: preHydrationScript }} suppressHydrationWarning />
        {head}
      </head>
      <body>
        <ScriptFailedNotice />
        {children}
        <script id={SITE_ELEMENT_ID} type="application/json" dangerouslySetInnerHTML={{ __html: siteJson }} suppressHydrationWarning />
        <ScrollRestoration nonce={nonce} />
        <template id={DEFERRED_ID}>{deferred}</template>
        <noscript>{stylesheet}</noscript>
      </body>
    </html>
  );
}

// Imported on demand: the first page of a visitor who is not signed in makes no calls.
const context: SiteContext = {
  refreshSession: async () => (await import('./domains/profile/pages/refresh-session.ts')).refreshSession(),
};

/** Sets an attribute while the browser is offline. app.css then shows the note of the app bar. */
const showConnection = () => document.documentElement.toggleAttribute('data-offline', !navigator.onLine);

function initialize() {
  announceHydration();
  showConnection();
  addEventListener('online', showConnection);
  addEventListener('offline', showConnection);
  watchOtherTabs();
  // Every page works without the service worker.
  navigator.serviceWorker?.register('/sw.js').catch(() => {});
  if (restoreSession()) context.refreshSession().catch((error: unknown) => lazyAlertProblem(error, { doing: 'restoring the session' }));
}

export default function App() {
  const routeId = useMatches().at(-1)?.id ?? 'unknown';
  useEffect(() => trackPage(routeId), [routeId]);
  const location = useLocation();
  useEffect(trackPageEntry, [location]);
  return (
    <StrictMode>
      <NavigationDeadline />
      <Outlet context={context} />
    </StrictMode>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  useEffect(() => {
    if (isUnexpectedError(error))
      lazyReportProblem(error, { page: window.location.pathname.replace(/\/(?:[0-9A-Z]{10,}|[\w-]{18,})/g, '/{id}') });
  }, [error]);
  return (
    <SiteChrome>
      <ErrorScreen error={error} />
    </SiteChrome>
  );
}
