/**
 * Serves documents. A document is rendered once per path and language, cached, and identical for
 * everyone: the browser loads what belongs to a customer. README.md describes the steps.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { Clock } from '../../lib/clock.ts';
import { concurrencyLimitByClient } from '../../security/concurrency-limit.server.ts';
import { createRefusedNetworks } from '../../security/refused-networks.server.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import type { Send } from '../../contract/send.ts';
import { sendContext } from '../../shared/router-context.ts';
import type { SiteConfig } from '../../shared/site-config.ts';
import type { DocumentCounts } from '../http/metrics.server.ts';
import { givenRequestId } from '../tracing/request-id.server.ts';
import { documentPolicy, securityHeaders, type ExternalSources } from '../../security/security-headers.server.ts';
import { createDocumentCache, withRenderTimeout } from './document-cache.server.ts';
import { documentContext } from './document-context.server.ts';
import { encodeDocument, sendDocument, type EncodedDocument } from './encode-document.server.ts';
import { hashInlineCode } from './inline-code-hashes.server.ts';
import { PLAIN_PATH, createPageMatcher, notFoundPath, staticPagePaths, type MatchedPage } from './page-paths.server.ts';
import { languageHeaders, preferredLanguage } from '../../i18n/preferred-language.server.ts';

interface Page {
  path: string;
  languageCode: string;
}

/** The route of every address without a page, in metrics and logs. */
const NOT_FOUND = 'not-found';

/** An increment of its counts is all that a cache hit costs. */
interface CountedDocument extends EncodedDocument {
  counts: DocumentCounts;
}

interface Client {
  requestId: string;
  ip: string;
  network: string;
}

interface RenderOptions {
  /** The pattern of the route. It bounds the number of time series. */
  route: string;
  /** Returned if the rendering is the same, because compressing takes most of the time. */
  previous?: CountedDocument | undefined;
  /** Makes the calls of the loaders. */
  send: Send;
  skipsRefusal?: boolean;
  brotliQuality: number;
}

/** A loader's call was over a rate limit, and `skipsRefusal` is set. */
class VisitorRefused extends Error {}

/** Refuses every call, for the document of refused visitors. */
const refuse: Send = async () => {
  throw new CallRefused(429, protocolError('too-many-requests'));
};

/** Quality 11 takes a fifth of a second: too long for a document that is sent once. */
const BROTLI_QUALITY = { cached: 11, uncached: 4 } as const;

/** Renderings of uncached pages at once. A client can request any number of them. */
const UNCACHED_LIMITS = {
  total: { concurrent: 4, queued: 200 },
  perNetwork: { concurrent: 2, queued: 20 },
  perBlock: { concurrent: 3, queued: 40 },
} as const;

export interface DocumentOptions {
  build: ServerBuild;
  mode: 'production' | 'development';
  /**
   * Loaders' calls count for the rate limits of `clientIp`. Without one they are the program's own.
   */
  sendFor(clientIp: string | undefined): Send;
  clock: Clock;
  /** Returns the counts of a route, which are incremented here. */
  countsOf(route: string): DocumentCounts;
  extraHeaders: Readonly<Record<string, string>>;
  externalSources: ExternalSources;
  publicUrl: string | undefined;
  site: SiteConfig;
}

export interface DocumentServer {
  /**
   * Sends the document and returns the pattern of its route. Throws `QueueFull` if too many
   * uncached pages are requested at once.
   */
  serve(request: IncomingMessage, response: ServerResponse, client: Client): Promise<string>;
  /**
   * Returns the address of the page if `url` is that of a page with a slash after its path.
   */
  withoutTrailingSlash(url: string): string | undefined;
  /** Sends the document if it is in the cache. Otherwise returns false and sends nothing. */
  serveCached(request: IncomingMessage, response: ServerResponse): boolean;
}

export function createDocumentServer(options: DocumentOptions): DocumentServer {
  const { build, mode } = options;
  // A fixed set, like the shared paths of pages with parameters: requests cannot fill the cache.
  const cachedPaths = staticPagePaths(build);
  const handleRequest = createRequestHandler(build, mode);
  const cache = createDocumentCache<CountedDocument>(options.clock);
  const runLimited = concurrencyLimitByClient(UNCACHED_LIMITS);
  const matchPage = createPageMatcher(build);
  for (const path of cachedPaths) options.countsOf(path);
  const refusedNetworks = createRefusedNetworks(options.clock);

  async function render(
    page: Page,
    { route, previous, send, skipsRefusal = false, brotliQuality }: RenderOptions,
  ): Promise<CountedDocument> {
    const { path, languageCode } = page;
    const nonce = randomBytes(16).toString('base64');
    const context = new RouterContextProvider();
    context.set(sendContext, send);
    context.set(documentContext, { nonce, languageCode, site: options.site, publicUrl: options.publicUrl, skipsRefusal });
    // `new URL(path, base)` would read a path that starts with `//` as a host.
    const url = new URL('http://site.invalid');
    url.pathname = path;
    const response = await handleRequest(new Request(url), context);
    if (skipsRefusal && response.status === 429) throw new VisitorRefused();
    const counts = options.countsOf(route);
    counts.rendered += 1;
    const { html, scriptHashes, styleHashes } = hashInlineCode(await response.text(), nonce);
    if (previous?.html === html && previous.status === response.status) return previous;
    const encoded = await encodeDocument(html, {
      status: response.status,
      brotliQuality,
      headers: {
        ...securityHeaders,
        ...options.extraHeaders,
        'content-security-policy': documentPolicy(scriptHashes, styleHashes, options.externalSources),
        ...languageHeaders(languageCode),
        ...pageHeaders(response),
      },
    });
    return { ...encoded, counts };
  }

  const getCached = (page: Page, route: string) =>
    cache.get(cacheKey(page), (previous) =>
      render(page, { route, previous, send: options.sendFor(undefined), brotliQuality: BROTLI_QUALITY.cached }),
    );
  const renderUncached = (page: Page, route: string, { ip, network }: Client) => {
    const send = options.sendFor(ip);
    const sendAsVisitor: Send = (call, body) =>
      send(call, body).catch((error: unknown) => {
        if (error instanceof CallRefused && error.status === 429) refusedNetworks.add(network, error.retryAfterSeconds ?? 1);
        throw error;
      });
    return render(page, { route, send: sendAsVisitor, skipsRefusal: mode === 'production', brotliQuality: BROTLI_QUALITY.uncached });
  };
  /**
   * Returns the document of an error of a page: 429 for a refused visitor, 404 for a parameter that
   * the page does not accept. It is the same for all parameters, because it names none.
   */
  const getErrorDocument = (status: 404 | 429, page: Page, { sharedPath, pattern }: MatchedPage) =>
    cache.get(cacheKey({ ...page, path: `${status} ${sharedPath}` }), (previous) =>
      render(page, { route: pattern, previous, send: refuse, brotliQuality: BROTLI_QUALITY.cached }),
    );

  /** A browser would read a path that begins with two slashes as a host: only plain paths. */
  const isPageWithParameters = (path: string): boolean => PLAIN_PATH.test(path) && matchPage(path)?.isAccepted === true;

  async function getDocument(page: Page, client: Client, isForOtherSite: boolean): Promise<CountedDocument> {
    const { network } = client;
    const isStatic = cachedPaths.has(page.path);
    if (isStatic && mode === 'production') return getCached(page, page.path);
    const match = isStatic ? undefined : matchPage(page.path);
    const unknown = { ...page, path: notFoundPath(page.path) };
    if (mode !== 'production') return renderUncached(page, isStatic ? page.path : (match?.pattern ?? NOT_FOUND), client);
    if (!match) return getCached(unknown, NOT_FOUND);
    if (!match.isAccepted) return getErrorDocument(404, page, match);
    if (match.isShared) return getCached({ ...page, path: match.sharedPath }, match.pattern);
    if (isForOtherSite) return getCached(unknown, NOT_FOUND);
    if (refusedNetworks.has(network)) return getErrorDocument(429, page, match);
    try {
      return await runLimited(network, () => withRenderTimeout(renderUncached(page, match.pattern, client)));
    } catch (error) {
      if (error instanceof VisitorRefused) return getErrorDocument(429, page, match);
      throw error;
    }
  }

  return {
    async serve(request, response, client) {
      const document = await getDocument(requestedPage(request), client, isPartOfOtherSite(request));
      sendDocument(document, request, response, client.requestId);
      return document.counts.route;
    },
    withoutTrailingSlash(url) {
      const end = pathEndIndex(url);
      const path = url.slice(0, end - 1);
      if (url[end - 1] !== '/') return undefined;
      return cachedPaths.has(path) || isPageWithParameters(path) ? path + url.slice(end) : undefined;
    },
    serveCached(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const document = cache.peek(cacheKey(requestedPage(request)));
      if (!document) return false;
      document.counts.fromMemory += 1;
      sendDocument(document, request, response, givenRequestId(request.headers));
      return true;
    },
  };
}

function requestedPage({ url = '/', headers }: IncomingMessage): Page {
  return { path: url.slice(0, pathEndIndex(url)), languageCode: preferredLanguage(headers.cookie) };
}

/**
 * True for an image, a frame or a script that a page of another site loads. The look-ups of an
 * uncached page would count against the network of the visitor.
 */
const isPartOfOtherSite = ({ headers }: IncomingMessage): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-dest'] !== 'document';

const pathEndIndex = (url: string) => (url.includes('?') ? url.indexOf('?') : url.length);

const cacheKey = ({ path, languageCode }: Page) => `${languageCode} ${path}`;

/** The headers that a page sets on its own document. */
function pageHeaders({ headers }: Response): Record<string, string> {
  const [robots, cacheControl] = [headers.get('x-robots-tag'), headers.get('cache-control')];
  return { ...(robots && { 'x-robots-tag': robots }), ...(cacheControl && { 'cache-control': cacheControl }) };
}
