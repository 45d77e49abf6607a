import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import { Scripts, ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { LanguageContext } from './i18n/language.tsx';
import { findLanguage } from './i18n/catalogues.server.ts';
import css from './app.css?inline';
import stylesheetUrl from './app.css?url';
import preHydrationScript from './pre-hydration/pre-hydration.ts?inline-script';
import { SiteConfigContext } from './shared/site-config.ts';
import { ServerMarkupContext } from './pre-hydration/server-markup.ts';
import { createCriticalCss, CRITICAL_CSS_MARKER } from './server/documents/critical-css.server.ts';
import { Deferred, readRouterData, unwrapDeferred } from './server/documents/deferred.server.tsx';
import { documentContext } from './server/documents/document-context.server.ts';
import { SharingMetadata } from './server/documents/sharing-metadata.server.tsx';
import { SiteIcons } from './server/documents/site-icons.server.tsx';
import { pageMeta } from './site/page-meta.tsx';

const criticalCss = createCriticalCss(css);

/**
 * Renders the whole document before it returns, because a document is hashed, compressed and cached
 * as one piece (server/documents). Rejects if a component throws during the rendering.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...entry }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, languageCode, site, publicUrl, skipsRefusal } = context.get(documentContext);
  if (skipsRefusal && status === 429) return new Response(null, { status });
  const language = findLanguage(languageCode);
  const { matches, errors } = entry.staticHandlerContext;
  const handles = matches.map(({ route }) => route.handle as unknown);
  const meta = pageMeta(handles, errors && Object.values(errors)[0], language.t, site);
  const noindex = meta.some((entry) => 'name' in entry && entry.name === 'robots' && entry.content === 'noindex');
  const catalogue = site.languages.find(({ code }) => code === languageCode)?.catalogue;
  const stylesheet = <link rel="stylesheet" href={stylesheetUrl} />;
  const serverMarkup = {
    nonce,
    css: CRITICAL_CSS_MARKER,
    preHydrationScript,
    head: (
      <>
        <SiteIcons />
        {/* The address of a refusal is that of the first visitor. */}
        {!noindex && status !== 429 && (
          <SharingMetadata meta={meta} path={new URL(request.url).pathname} {...{ languageCode, publicUrl }} brand={site.brand} />
        )}
      </>
    ),
    deferred: (
      <Deferred>
        {stylesheet}
        {catalogue && <link rel="preload" as="fetch" crossOrigin="" href={catalogue} />}
        <link rel="manifest" href="/manifest.webmanifest" />
        <Scripts nonce={nonce} />
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: await readRouterData(serverHandoffStream) }} />
      </Deferred>
    ),
    stylesheet,
  };
  const output = new PassThrough();
  const html = text(output);
  await new Promise<void>((resolve, reject) => {
    const stream = renderToPipeableStream(
      <ServerMarkupContext value={serverMarkup}>
        <LanguageContext value={language}>
          <SiteConfigContext value={site}>
            <ServerRouter context={entry} url={request.url} nonce={nonce} />
          </SiteConfigContext>
        </LanguageContext>
      </ServerMarkupContext>,
      {
        nonce,
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => {
          stream.pipe(output);
          resolve();
        },
        onShellError: reject,
        onError: reject,
      },
    );
  });
  headers.set('content-type', 'text/html; charset=utf-8');
  if (noindex) headers.set('x-robots-tag', 'noindex');
  return new Response(criticalCss(unwrapDeferred(await html)), { status, headers });
}
