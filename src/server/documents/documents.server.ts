/**
 * Documents: rendered by React Router once per path and language, hashed for the content security policy, compressed once, and served from memory to
 * everyone alike; after a second, rendered anew if what they were made of has changed. No document depends on who asks: what belongs to a customer is fetched
 * by the browser.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { Clock } from '../../lib/clock.ts';
import { concurrencyLimit, concurrencyLimitByKey } from '../../security/concurrency-limit.ts';
import type { Send } from '../../browser/client.ts';
import { languageContext, nonceContext, sendContext, siteConfigContext } from '../../browser/router-context.ts';
import { isNowhere, nowhereLike, pageFinder } from './cached-paths.server.ts';
import { chosenLanguage, languageHeaders } from './preferred-language.server.ts';
import { finishDocument, type Finishing } from './finish-document.server.ts';
import { recordCalls } from './recorded-calls.server.ts';
import { securityHeaders } from '../http/security-headers.server.ts';

interface Rendered {
  status: number;
  html: string;
  etag: string;
  /** By content coding; a flat list as ServerResponse.writeHead takes it. */
  variants: Record<Coding, { headers: string[]; body: Buffer }>;
}

/** A document that is kept, and how to find out whether it would still be the same. */
interface Kept extends Rendered {
  isCurrent(): Promise<boolean>;
}

interface Page {
  path: string;
  language: string;
}

type Coding = 'br' | 'gzip' | 'identity';

interface Cached {
  freshUntil: number;
  rendered: Promise<Kept>;
  /** Once it has been rendered. */
  now?: Kept;
}

const FRESH_MS = 1000;

/** Effort of brotli: what is kept is compressed once and sent often; what is rendered for one visitor is not worth a fifth of a second. */
const BROTLI_QUALITY = { kept: 11, once: 4 } as const;

/** Renderings of addresses that are not kept. More at once would keep the processor from everyone else, and made-up addresses cost nothing to ask for. */
const UNKEPT = { concurrent: 4, queued: 200 } as const;

/** Of those for one visitor, so that nobody's made-up addresses fill everyone's queue. */
const UNKEPT_OF_ONE = { concurrent: 2, queued: 20 } as const;

export interface DocumentOptions {
  build: ServerBuild;
  mode: 'production' | 'development';
  /** Calls made for one visitor count as that visitor's; without one they are the program's own. */
  sendFor(visitor: string | undefined): Send;
  clock: Clock;
  /** Paths without parameters: only these are kept, so that made-up addresses cannot fill the memory. */
  cachedPaths: ReadonlySet<string>;
  extraHeaders: Readonly<Record<string, string>>;
  finishing: Finishing;
}

export interface ServeDocument {
  /** Throws `QueueFull` when too many addresses that are not kept are asked for at once. */
  (request: IncomingMessage, response: ServerResponse, visitor: string): Promise<void>;
  /** Answers at once what is at hand; false, and nothing answered, for everything else. */
  kept(request: IncomingMessage, response: ServerResponse): boolean;
}

export function documentServer({ build, mode, sendFor, clock, cachedPaths, extraHeaders, finishing }: DocumentOptions): ServeDocument {
  const handle = createRequestHandler(build, mode);
  const cache = new Map<string, Cached>();
  const runLimited = concurrencyLimit(UNKEPT);
  const runLimitedByKey = concurrencyLimitByKey(UNKEPT_OF_ONE);
  const isPage = pageFinder(build);

  const find = (page: Page, visitor: string): Promise<Rendered> => {
    if (mode !== 'production') return render(page, { visitor });
    if (cachedPaths.has(page.path)) return cached(page);
    return isPage(page.path)
      ? runLimitedByKey(visitor, () => runLimited(() => render(page, { visitor })))
      : cached({ ...page, path: nowhereLike(page.path) });
  };

  async function render(page: Page, { previous, visitor }: { previous?: Kept; visitor?: string } = {}): Promise<Kept> {
    const { path, language } = page;
    const nonce = randomBytes(16).toString('base64');
    const context = new RouterContextProvider();
    const { send: recorded, answerTheSame: isCurrent } = recordCalls(sendFor(visitor));
    context.set(sendContext, recorded);
    context.set(siteConfigContext, finishing.site);
    context.set(nonceContext, nonce);
    context.set(languageContext, language);
    // Not `new URL(path, base)`: what follows two slashes would be taken for a host.
    const url = new URL('http://site.invalid');
    url.pathname = path;
    const response = await handle(new Request(url), context);
    const { html, headers } = finishDocument(await response.text(), { path, language, nonce, ...finishing });
    if (previous?.html === html && previous.status === response.status) return { ...previous, isCurrent };
    const quality = cachedPaths.has(path) || isNowhere(path) ? BROTLI_QUALITY.kept : BROTLI_QUALITY.once;
    const compressed = await compress(html, {
      status: response.status,
      quality,
      headers: { ...securityHeaders, ...extraHeaders, ...headers, ...languageHeaders(language), ...ownHeaders(response) },
    });
    return { ...compressed, isCurrent };
  }

  const renew = async (page: Page, previous: Kept) => ((await previous.isCurrent()) ? previous : render(page, { previous }));

  function cached(page: Page): Promise<Kept> {
    const now = clock.now().getTime();
    const key = keyOf(page);
    const entry = cache.get(key);
    if (entry && entry.freshUntil > now) return entry.rendered;
    const rendered = entry
      ? entry.rendered.then(
          (previous) => renew(page, previous),
          () => render(page),
        )
      : render(page);
    const fresh: Cached = { freshUntil: now + FRESH_MS, rendered };
    cache.set(key, fresh);
    rendered.then(
      (result) => {
        fresh.now = result;
        if (result.status >= 500) cache.delete(key);
      },
      () => cache.delete(key),
    );
    return rendered;
  }

  const serve = async (request: IncomingMessage, response: ServerResponse, visitor: string) =>
    send(await find(pageOf(request), visitor), request, response);

  const kept = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const entry = cache.get(keyOf(pageOf(request)));
    if (!entry?.now || entry.freshUntil <= clock.now().getTime()) return false;
    send(entry.now, request, response);
    return true;
  };
  return Object.assign(serve, { kept });
}

function pageOf({ url = '/', headers }: IncomingMessage): Page {
  const end = url.indexOf('?');
  return { path: end < 0 ? url : url.slice(0, end), language: chosenLanguage(headers.cookie) };
}

const keyOf = ({ path, language }: Page) => `${language} ${path}`;

function send(document: Rendered, request: IncomingMessage, response: ServerResponse) {
  const { headers, body } = document.variants[pickCoding(request.headers['accept-encoding'])];
  if (document.status === 200 && request.headers['if-none-match']?.includes(document.etag)) {
    response.writeHead(
      304,
      headers.filter((_, index) => !/^content-(length|encoding|type)$/.test(headers[index - (index % 2)] ?? '')),
    );
    response.end();
    return;
  }
  response.writeHead(document.status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** What a page may say about its own document: that nobody keeps or lists it. */
function ownHeaders({ headers }: Response): Record<string, string> {
  const [robots, cache] = [headers.get('x-robots-tag'), headers.get('cache-control')];
  return { ...(robots && { 'x-robots-tag': robots }), ...(cache && { 'cache-control': cache }) };
}

const pickCoding = (accepted: string | string[] | undefined): Coding => {
  const codings = String(accepted ?? '');
  if (TAKES.br.test(codings)) return 'br';
  return TAKES.gzip.test(codings) ? 'gzip' : 'identity';
};

/** Named, and not with a weight of nothing. */
const TAKES = { br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/, gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/ } as const;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

interface ToCompress {
  status: number;
  /** Of brotli, 0 to 11. */
  quality: number;
  headers: Record<string, string>;
}

async function compress(html: string, { status, quality, headers }: ToCompress): Promise<Rendered> {
  const identity = Buffer.from(html);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  const br = await brotli(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
  });
  const gz = await zip(identity, { level: 9 });
  const variant = (body: Buffer, coding?: string) => ({
    body,
    headers: Object.entries({
      ...(status === 200 && { etag, 'cache-control': 'public, max-age=0, s-maxage=1, stale-while-revalidate=60' }),
      ...headers,
      ...(status !== 200 && { 'cache-control': 'no-store' }),
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(body.length),
      vary: 'accept-encoding',
      ...(coding && { 'content-encoding': coding }),
    }).flat(),
  });
  return { status, html, etag, variants: { br: variant(br, 'br'), gzip: variant(gz, 'gzip'), identity: variant(identity) } };
}
