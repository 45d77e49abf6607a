import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import Fastify, {
  type ConnectionError,
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ServerBuild } from 'react-router';
import type { SiteConfig } from '../../shared/site-config.ts';
import type { Clock } from '../../lib/clock.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';
import { type RegisterRoute } from '../../contract/route.server.ts';
import { addClientNetwork } from '../../security/client-network.server.ts';
import { logAndDescribeError, sendPlainError } from './call-errors.server.ts';
import { callsPlugin } from './calls.server.ts';
import { CONSOLE_FOLDER, consoleFiles } from './console.server.ts';
import { createDocumentServer, type DocumentServer } from '../documents/serve-documents.server.ts';
import { injectSend } from '../documents/inject-send.server.ts';
import type { Metrics } from './metrics.server.ts';
import { REQUEST_ID_HEADER, requestIdOf, traceIdOf } from '../tracing/request-id.server.ts';
import { callHeaders, strictTransport, type ExternalSources } from '../../security/security-headers.server.ts';
import { limitPipelining } from './pipelining.server.ts';
import { limitSlowReaders } from './slow-readers.server.ts';
import { staticFiles } from './static-files.server.ts';
import type { Tracing } from '../tracing/tracing.server.ts';

export interface AppOptions {
  registerCalls(registerRoute: RegisterRoute): void;
  /** Registers the routes that are not calls, such as probes and the outbox page. */
  registerOtherRoutes(app: FastifyInstance): void;
  documents:
    | {
        build: ServerBuild;
        mode: 'production' | 'development';
        clientDir: string | undefined;
        /** The folder of the built console. */
        consoleDir: string | undefined;
        externalSources: ExternalSources;
        site: SiteConfig;
      }
    | undefined;
  clock: Clock;
  metrics: Metrics;
  publicUrl: string | undefined;
  trustProxyHops: number;
  /** Whether the process is about to close its listener. */
  isStopping(): boolean;
  /** Undefined without a collector. */
  tracing: Tracing | undefined;
  log: FastifyBaseLogger;
  /** The share of the successful requests that are logged, 0 to 1. */
  loggedSuccesses: number;
}

/** In milliseconds. `requestTimeout` includes the body; `limitBodyTime` ends most sooner. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 65_000, connectionsCheckingInterval: 2_000, keepAliveTimeout: 72_000 };
const BODY_TIMEOUT_MS = 12_500;
/** A photo from a phone with a slow connection. Its page waits as long for the response. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** After a response that does not wait for the body. The client may need the time to read it. */
const UNREAD_BODY_TIMEOUT_MS = 1000;

/**
 * In characters. The longest address of a specified call has about 1,500 (the query of
 * getsingle.php, percent-encoded).
 */
const MAX_ADDRESS_LENGTH = 2048;

const isTooLong = ({ url = '' }: { url?: string | undefined }) => url.length > MAX_ADDRESS_LENGTH;

/**
 * Creates the Fastify server of documents, static files, calls and probes. It does not listen yet.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const https = options.publicUrl?.startsWith('https://') ?? false;
  const extraHeaders = https ? strictTransport : {};
  const documents =
    options.documents &&
    createDocumentServer({
      ...options.documents,
      sendFor: (clientIp) => injectSend(app, clientIp),
      countsOf: options.metrics.documentCounts,
      clock: options.clock,
      extraHeaders,
      publicUrl: options.publicUrl,
    });
  const app: FastifyInstance = Fastify({
    serverFactory: (handler) => createHttpServer(handler, documents, { ...options, extraHeaders }),
    trustProxy: options.trustProxyHops > 0 && ((_address: string, hop: number) => hop < options.trustProxyHops),
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // A request on an open connection is served: a proxy repeats only some requests after a 503.
    return503OnClosing: false,
    genReqId: ({ headers }) => requestIdOf(headers),
    routerOptions: { maxParamLength: 200 },
    // No hook runs before this response.
    frameworkErrors: (_error, _request, reply) => void sendPlain(reply.headers(extraHeaders), 400, 'The address could not be read'),
    clientErrorHandler: (error, socket) => endUnreadableRequest(error, socket, extraHeaders),
  });
  addClientNetwork(app);
  addRequestHooks(app, documents, extraHeaders);
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.call) options.metrics.addCall(url);
  });
  const documentRoutes = new WeakMap<FastifyRequest, string>();
  app.addHook('onResponse', async (request, reply) => {
    reportRequest(options, request, reply, request.routeOptions.url ?? documentRoutes.get(request) ?? 'none');
  });

  // Before the routes, which otherwise keep the default handler.
  app.setErrorHandler(sendPlainError);
  await app.register(fastifyCookie);
  const consoleDir = options.documents?.consoleDir;
  await app.register(
    callsPlugin({
      registerCalls: options.registerCalls,
      publicOrigin: options.publicUrl && new URL(options.publicUrl).origin,
      clock: options.clock,
      pageFolders: consoleDir ? [CONSOLE_FOLDER] : [],
    }),
  );
  await app.register(async (scope) => {
    scope.addHook('onRequest', async ({ url }, reply) => {
      reply.headers(callHeaders);
      // PostgreSQL rejects a text with NUL.
      if (url.includes('%00')) throw new ApiError('bad-request', protocolError('invalid-text'));
    });
    options.registerOtherRoutes(scope);
  });

  if (options.documents && consoleDir) await app.register(consoleFiles, { ...options.documents, consoleDir });
  if (documents) {
    if (options.documents?.clientDir) await app.register(staticFiles, { clientDir: options.documents.clientDir });
    app.setNotFoundHandler(async (request, reply) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return sendPlain(reply, 404, 'There is nothing here');
      // Pages fetch data with the specified calls only. The data requests of React Router have no
      // contract.
      if (/^[^?]*\.data(?:\?|$)/.test(request.url)) return sendPlain(reply, 404, 'There is nothing here');
      // A document that fails has no other route.
      documentRoutes.set(request, 'document');
      reply.hijack();
      const route = await serveDocument(documents, request, reply.raw, extraHeaders);
      if (route !== undefined) documentRoutes.set(request, route);
    });
  } else {
    // Fastify's default response repeats the URL and lacks the security headers.
    app.setNotFoundHandler(async (_request, reply) => sendPlain(reply, 404, 'There is nothing here'));
  }
  return app;
}

/**
 * Ends the connection of a request that cannot be parsed, or whose headers did not arrive in time.
 * Browsers open connections in advance. One without a byte gets no response: the browser could take
 * it for the response to the request that it sends at that moment. It repeats a request whose
 * connection was closed.
 */
function endUnreadableRequest({ code }: ConnectionError, socket: Socket, extraHeaders: Readonly<Record<string, string>>) {
  if (socket.bytesRead === 0 || !socket.writable) return void socket.destroy();
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const headers = Object.entries({ ...callHeaders, ...extraHeaders, connection: 'close', 'content-length': '0' });
  socket.end([`HTTP/1.1 ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`), '\r\n'].join('\r\n'));
}

/**
 * Creates the server of the process, which serves cached documents before Fastify's `handler`. It
 * does not listen.
 */
function createHttpServer(
  handler: RequestListener,
  documents: DocumentServer | undefined,
  { tracing, isStopping, metrics, extraHeaders }: AppOptions & { extraHeaders: Readonly<Record<string, string>> },
): Server {
  // server/documents/README.md.
  const serveCached = (request: IncomingMessage, response: ServerResponse) =>
    !isTooLong(request) && (documents?.serveCached(request, response) ?? false);
  const refuse = (request: IncomingMessage, response: ServerResponse, status: number) => {
    metrics.observe('none', request.method ?? '', status, 0);
    response.writeHead(status, { ...callHeaders, ...extraHeaders, connection: 'close', 'content-length': 0 }).end();
  };
  const listener: RequestListener = (request, response) => {
    if (request.httpVersion === '1.1' && request.headers.host === undefined) return refuse(request, response, 400);
    // A proxy would send its next request into a connection that closes.
    if (!server.listening || isStopping() || isBodyOfGet(request)) response.setHeader('connection', 'close');
    // Node keeps an object for each chunk, so that a body of one-byte chunks takes a hundred times
    // its size (docs/security.md, S6). Browsers and proxies that buffer bodies state the length.
    if (request.headers['transfer-encoding'] !== undefined) return refuse(request, response, 411);
    if (serveCached(request, response)) return;
    if (tracing) tracing.serve(request, response, () => handler(request, response));
    else handler(request, response);
  };
  // Node's own responses to a missing host and an unknown expectation lack the headers.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, limitPipelining(listener));
  server.on(
    'checkExpectation',
    limitPipelining((request, response) => refuse(request, response, 417)),
  );
  limitSlowReaders(server);
  return server;
}

/**
 * Returns true for a GET or HEAD with a body. It has no meaning (RFC 9110, 9.3.1), and nothing
 * reads it: on an open connection Node would discard it for as long as the client sends.
 */
const isBodyOfGet = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && Number(headers['content-length'] ?? 0) > 0;

/** Adds the headers of every response, and checks the address before any pattern reads it. */
function addRequestHooks(app: FastifyInstance, documents: DocumentServer | undefined, extraHeaders: Readonly<Record<string, string>>) {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(extraHeaders).header(REQUEST_ID_HEADER, request.id);
    limitBodyTime(request, reply);
  });
  app.addHook('onRequest', async (request, reply) => {
    const isPath = request.url.startsWith('/');
    if (isPath && !isTooLong(request)) return;
    // The hooks that set them do not run after an error.
    reply.headers(callHeaders);
    // A redirect would lead to the host of `GET http://example.com/`.
    if (!isPath) throw new ApiError('bad-request', protocolError('address-without-path'));
    throw new ApiError('address-too-long', protocolError('address-too-long'));
  });
  // Before the routes: the folder of a call can have the name of a page.
  app.addHook('onRequest', async ({ method, url }, reply) => {
    const location = method === 'GET' || method === 'HEAD' ? documents?.withoutTrailingSlash(url) : undefined;
    return location === undefined ? undefined : reply.headers(callHeaders).redirect(location, 308);
  });
}

/**
 * Logs, traces and counts a request. `route` is a pattern, because a requested URL can contain
 * codes and mobile numbers.
 */
function reportRequest(
  { loggedSuccesses, metrics, tracing }: AppOptions,
  { raw, log, method, headers, errorCode: code, routeOptions }: FastifyRequest,
  { statusCode: status, elapsedTime }: FastifyReply,
  route: string,
) {
  const isCall = routeOptions.config.call !== undefined;
  const isSuccess = status < 400 && code === undefined;
  if (!isSuccess || Math.random() < loggedSuccesses)
    log.info({ route, method, status, code, ms: Math.round(elapsedTime), trace: traceIdOf(headers) }, 'request completed');
  tracing?.setRoute(raw, route, code);
  metrics.observe(route, method, status, elapsedTime / 1000);
  if (code !== undefined) metrics.countCallError(route, code);
  else if (isCall && status < 400) metrics.countCallSuccess(route);
}

/**
 * Closes the connection if the body does not arrive in time, or goes on after the response
 * (docs/security.md, S6).
 */
function limitBodyTime({ raw, routeOptions }: FastifyRequest, reply: FastifyReply) {
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return;
  const close = () => void (raw.complete || raw.destroy());
  const timer = setTimeout(close, routeOptions.config.call?.upload ? UPLOAD_TIMEOUT_MS : BODY_TIMEOUT_MS);
  reply.raw.once('close', () => clearTimeout(timer));
  reply.raw.once('finish', () => {
    clearTimeout(timer);
    // An injected request emits no 'close', and is complete.
    if (!raw.complete) setTimeout(close, UNREAD_BODY_TIMEOUT_MS).unref();
  });
}

/**
 * Sends the document, or a short text after an error. Returns the pattern of its route, undefined
 * after an error. Never throws.
 */
async function serveDocument(
  documents: DocumentServer,
  request: FastifyRequest,
  response: ServerResponse,
  extraHeaders: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    return await documents.serve(request.raw, response, { requestId: request.id, ip: request.ip, network: request.network });
  } catch (error) {
    const { status, error: errorMessage, retryAfterSeconds } = logAndDescribeError(error as FastifyError, request);
    if (response.headersSent) {
      response.destroy();
      return undefined;
    }
    response.writeHead(status, {
      ...callHeaders,
      ...extraHeaders,
      [REQUEST_ID_HEADER]: request.id,
      'content-type': 'text/plain; charset=utf-8',
      ...(retryAfterSeconds && { 'retry-after': String(retryAfterSeconds) }),
    });
    response.end(errorMessage.message);
    return undefined;
  }
}

const sendPlain = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).headers(callHeaders).type('text/plain; charset=utf-8').send(text);
