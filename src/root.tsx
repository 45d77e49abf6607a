import { StrictMode, use, useEffect, type ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useNavigate } from 'react-router';
import { alertProblem, reportProblem } from './domains/error-reports/pages/problem.ts';
import { DocumentPartsContext } from './web/document-parts.ts';
import { ErrorScreen } from './web/error-screen.tsx';
import { links } from './web/links.ts';
import { readStoredSession } from './web/session-user.ts';
import { announceHydration, NavigationDeadline, ScriptFailed, ScriptFailedNotice, ScriptWatcher } from './web/script-loading.tsx';
import { site, SITE_ELEMENT_ID } from './web/site.ts';
import { SiteLayout } from './web/site-layout.tsx';

export const meta = () => [
  { title: `${site().brand.name}: laundry picked up and delivered in Gurugram` },
  {
    name: 'description',
    content: 'Washing and ironing, collected from your door and back within a day. Manesar and Vatika India Next, Gurugram.',
  },
];

export function Layout({ children }: { children: ReactNode }) {
  const { css, nonce, siteJson } = use(DocumentPartsContext);
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} suppressHydrationWarning />
        <Links />
        <ScriptWatcher nonce={nonce} />
      </head>
      <body>
        <ScriptFailedNotice />
        {children}
        <script id={SITE_ELEMENT_ID} type="application/json" dangerouslySetInnerHTML={{ __html: siteJson }} suppressHydrationWarning />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

// What makes calls is fetched when it is needed: strangers' first page carries none of it.
const restoreSession = async () => (await import('./domains/profile/pages/refresh-session.ts')).refreshSession();
const logOut = async () => (await import('./domains/accounts/pages/log-out.ts')).logOut();

export default function App() {
  useEffect(() => {
    announceHydration();
    if (readStoredSession()) restoreSession().catch((error: unknown) => alertProblem(error, { doing: 'restoring the session' }));
  }, []);
  return (
    <StrictMode>
      <Site>
        <NavigationDeadline />
        <Outlet />
      </Site>
    </StrictMode>
  );
}

function Site({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const leave = () => {
    logOut().then(
      () => navigate(links.home()),
      (error: unknown) => alertProblem(error, { doing: 'logging out' }),
    );
  };
  return <SiteLayout onLogout={leave}>{children}</SiteLayout>;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const known = isRouteErrorResponse(error) || error instanceof ScriptFailed;
  useEffect(() => {
    if (!known) void reportProblem(error, { page: window.location.pathname.replace(/\/[0-9A-Z]{10,}/g, '/{id}') });
  }, [error, known]);
  return (
    <Site>
      <ErrorScreen error={error} />
    </Site>
  );
}
