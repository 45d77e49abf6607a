/**
 * Traces requests with their SQL statements and the requests to external services
 * (docs/decisions/0069). Spans have no personal data: routes instead of addresses, statements
 * without parameters, hosts without paths.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { statements, type StatementEvent } from '../../db/database.server.ts';
import { traceParentOf } from './request-id.server.ts';
import { createExporter, SPAN_KIND, type Attributes, type FinishedSpan } from './otlp-exporter.server.ts';
import type { TracingSettings } from './tracing-settings.server.ts';

export interface Tracing {
  /**
   * Runs `serve` in a new span, which ends when the response is closed. Replaces the header
   * `traceparent` of the request by this span.
   */
  serve(request: IncomingMessage, response: ServerResponse, serve: () => void): void;
  /** `route` must be a pattern, because a requested URL can contain codes and mobile numbers. */
  setRoute(request: IncomingMessage, route: string, code: string | undefined): void;
  stop(): Promise<void>;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether it is exported, with the spans below it. */
  readonly isSampled: boolean;
  end(result: { name?: string; attributes?: Attributes; isError?: boolean }): void;
}

/** Starts a span for what a request waits for. Returns undefined outside a request. */
type NewClientSpan = (name: string, attributes: Attributes) => Span | undefined;

/**
 * Observes the statements and fetches of the process until `stop`. `onFailure` is called when the
 * collector begins to fail.
 */
export function startTracing(settings: TracingSettings, onFailure: (error: unknown, operation: string) => void): Tracing {
  const exporter = createExporter(settings, (error) => onFailure(error, 'exporting traces'));
  const current = new AsyncLocalStorage<Span>();
  const isRecorded = samplerOf(settings);
  const serverSpans = new WeakMap<IncomingMessage, { route?: string; code?: string | undefined }>();

  const newSpan = (span: Pick<FinishedSpan, 'traceId' | 'parentId' | 'name' | 'kind' | 'attributes'>, isSampled: boolean): Span => {
    const spanId = randomBytes(8).toString('hex');
    const startMs = now();
    return {
      traceId: span.traceId,
      spanId,
      isSampled,
      end({ name = span.name, attributes, isError = false }) {
        if (isSampled)
          exporter.add({ ...span, name, spanId, startMs, endMs: now(), attributes: { ...span.attributes, ...attributes }, isError });
      },
    };
  };
  const newClientSpan: NewClientSpan = (name, attributes) => {
    const parent = current.getStore();
    return (
      parent && newSpan({ traceId: parent.traceId, parentId: parent.spanId, name, kind: SPAN_KIND.client, attributes }, parent.isSampled)
    );
  };

  const ends = [traceStatements(newClientSpan), traceFetches(newClientSpan)];

  return {
    serve(request, response, serve) {
      const parent = traceParentOf(request.headers);
      const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
      const method = request.method ?? '';
      const attributes = { 'http.request.method': method };
      const span = newSpan(
        { traceId, parentId: parent?.parentId, name: method, kind: SPAN_KIND.server, attributes },
        isRecorded(traceId, parent),
      );
      const details: { route?: string; code?: string | undefined } = {};
      serverSpans.set(request, details);
      // The id of the request, in its log line and in its response, is then that of the trace.
      request.headers.traceparent = traceParent(span);
      response.once('close', () => {
        // The route is set when the response has finished, which is announced after 'close'.
        setImmediate(() => {
          const { route, code } = details;
          const status = response.statusCode;
          span.end({
            ...(route && { name: `${method} ${route}` }),
            attributes: {
              'http.response.status_code': status,
              ...(route && { 'http.route': route }),
              ...(code && { 'error.type': code }),
            },
            isError: status >= 500,
          });
        });
      });
      current.run(span, serve);
    },
    setRoute(request, route, code) {
      const details = serverSpans.get(request);
      if (details) Object.assign(details, { route, code });
    },
    async stop() {
      for (const end of ends) end();
      await exporter.stop();
    },
  };
}

const MAX_STATEMENT_LENGTH = 2000;

/** Traces the SQL statements. Returns the function that ends this. */
function traceStatements(newClientSpan: NewClientSpan): () => void {
  const spans = new WeakMap<object, Span | undefined>();
  const handlers = {
    start(event: StatementEvent) {
      const operation = /^\s*(\w+)/.exec(event.text)?.[1]?.toLowerCase() ?? 'statement';
      const text = event.text.slice(0, MAX_STATEMENT_LENGTH);
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text };
      spans.set(event, newClientSpan(operation, attributes));
    },
    asyncEnd(event: StatementEvent & { error?: unknown }) {
      const { error } = event;
      // The message of an error can contain values.
      const attributes = error !== undefined && { 'error.type': (error as { code?: string }).code ?? 'error' };
      spans.get(event)?.end({ ...(attributes && { attributes, isError: true }) });
    },
  };
  statements.subscribe(handlers as never);
  return () => statements.unsubscribe(handlers as never);
}

/** The part of a request of `fetch` that undici publishes. */
interface FetchEvent {
  request: { origin?: unknown; method: string; addHeader(name: string, value: string): unknown };
  response?: { statusCode: number };
  error?: Error;
}

/** Traces the requests of `fetch`. Returns the function that ends this. */
function traceFetches(newClientSpan: NewClientSpan): () => void {
  const spans = new WeakMap<object, Span>();
  const start = ({ request }: FetchEvent) => {
    const { hostname, port } = new URL(String(request.origin));
    const attributes = {
      'http.request.method': request.method,
      'server.address': hostname,
      ...(port && { 'server.port': Number(port) }),
    };
    const span = newClientSpan(`${request.method} ${hostname}`, attributes);
    if (!span) return;
    spans.set(request, span);
    request.addHeader('traceparent', traceParent(span));
  };
  const end = ({ request, response, error }: FetchEvent) => {
    const status: Attributes = response ? { 'http.response.status_code': response.statusCode } : {};
    const type: Attributes = error ? { 'error.type': (error as NodeJS.ErrnoException).code ?? error.name } : {};
    const isError = error !== undefined || (response?.statusCode ?? 0) >= 400;
    spans.get(request)?.end({ attributes: { ...status, ...type }, isError });
    spans.delete(request);
  };
  const channels = [
    ['undici:request:create', start as ChannelListener],
    ['undici:request:headers', end as ChannelListener],
    ['undici:request:error', end as ChannelListener],
  ] as const;
  for (const [name, listener] of channels) subscribe(name, listener);
  return () => {
    for (const [name, listener] of channels) unsubscribe(name, listener);
  };
}

const now = () => performance.timeOrigin + performance.now();

const traceParent = ({ traceId, spanId, isSampled }: Span) => `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/**
 * Returns a function that decides whether a request is traced. `parent` is the span of its client.
 */
function samplerOf({ sampler, ratio }: TracingSettings) {
  // The last 56 bits of a trace id are random.
  const isInRatio = (traceId: string) => Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13;
  const [isParentBased, root] = sampler.startsWith('parentbased_') ? [true, sampler.slice('parentbased_'.length)] : [false, sampler];
  return (traceId: string, parent: { isSampled: boolean } | undefined): boolean => {
    if (isParentBased && parent) return parent.isSampled;
    return root === 'traceidratio' ? isInRatio(traceId) : root === 'always_on';
  };
}
