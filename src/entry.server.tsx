import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { LanguageContext } from './i18n/language.tsx';
import { languageNamed } from './i18n/catalogues.server.ts';
import css from './app.css?inline';
import wholeSheet from './app.css?url';
import watcher from './pre-hydration/pre-hydration.ts?inline-script';
import { DocumentPartsContext } from './browser/document-parts.ts';
import { languageContext, nonceContext, siteConfigContext } from './browser/router-context.ts';
import { SiteConfigContext } from './browser/site-config.ts';

/** Renders the whole document before the first byte leaves: it is hashed, compressed and cached as one piece (server/documents/documents.server.ts). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  const parts = { css, wholeSheet, watcher, nonce };
  const output = new PassThrough();
  const html = text(output);
  await new Promise<void>((resolve, reject) => {
    const stream = renderToPipeableStream(
      <DocumentPartsContext value={parts}>
        <LanguageContext value={languageNamed(context.get(languageContext))}>
          <SiteConfigContext value={context.get(siteConfigContext)}>
            <ServerRouter context={entry} url={request.url} nonce={nonce} />
          </SiteConfigContext>
        </LanguageContext>
      </DocumentPartsContext>,
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
  return new Response(await html, { status, headers });
}
