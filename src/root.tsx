import { use, type ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import { DocumentPartsContext } from './web/document-parts.ts';
import { SITE_ELEMENT_ID } from './web/site.ts';

export function Layout({ children }: { children: ReactNode }) {
  const { css, nonce, siteJson } = use(DocumentPartsContext);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} suppressHydrationWarning />
        <Links />
      </head>
      <body>
        {children}
        <script id={SITE_ELEMENT_ID} type="application/json" dangerouslySetInnerHTML={{ __html: siteJson }} suppressHydrationWarning />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}
