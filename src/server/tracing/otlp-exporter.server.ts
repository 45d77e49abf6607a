/**
 * Sends spans to an OpenTelemetry collector with OTLP/HTTP in JSON:
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import { AsyncResource } from 'node:async_hooks';
import type { TracingSettings } from './tracing-settings.server.ts';

export type Attributes = Readonly<Record<string, string | number>>;

/** Kinds of spans in OTLP: a request that the process serves, and one that it sends. */
export const SPAN_KIND = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

export interface FinishedSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  /** In milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  isError: boolean;
}

/** Further spans are dropped until the next export. */
const MAX_QUEUED = 2048;
/** Exported at once, without waiting for the delay. */
const BATCH = 512;
/** A collector that does not respond holds up a stop no longer. */
const STOP_TIMEOUT_MS = 2000;

/** Exports in the background. Spans of a failed export are lost. */
export interface SpanExporter {
  /** Queues a span for the next export. Drops it if `MAX_QUEUED` spans wait. */
  add(span: FinishedSpan): void;
  /** Sends the remaining spans. Resolves after `STOP_TIMEOUT_MS` at the latest. */
  stop(): Promise<void>;
}

/** `onFailure` is called when an export fails after one that did not. */
export function createExporter(settings: TracingSettings, onFailure: (error: unknown) => void): SpanExporter {
  let queue: FinishedSpan[] = [];
  let isFailing = false;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();

  const send = async (signal: AbortSignal) => {
    const spans = queue;
    queue = [];
    if (spans.length === 0) return;
    try {
      const response = await fetch(settings.url, {
        method: 'POST',
        redirect: 'error',
        headers: { ...settings.headers, 'content-type': 'application/json' },
        body: encode(spans, settings.resource),
        signal,
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The collector responded ${response.status}`);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  };

  // Bound to the start of the program: in the context of a request, the export would be traced.
  const exportNow = AsyncResource.bind(() => {
    running ??= send(AbortSignal.any([AbortSignal.timeout(settings.timeoutMs), stopping.signal])).finally(() => (running = undefined));
  });
  const timer = setInterval(exportNow, settings.delayMs);
  timer.unref();

  return {
    add(span) {
      if (queue.length >= MAX_QUEUED) return;
      queue.push(span);
      if (queue.length === BATCH) exportNow();
    },
    async stop() {
      clearInterval(timer);
      const deadline = setTimeout(() => stopping.abort(), STOP_TIMEOUT_MS);
      await running;
      await send(stopping.signal);
      clearTimeout(deadline);
    },
  };
}

function encode(spans: readonly FinishedSpan[], resource: Attributes): string {
  const encoded = spans.map(({ parentId, startMs, endMs, attributes, isError, ...span }) => ({
    ...span,
    ...(parentId && { parentSpanId: parentId }),
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: encodeAttributes(attributes),
    ...(isError && { status: { code: STATUS_ERROR } }),
  }));
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: encodeAttributes(resource) }, scopeSpans: [{ scope: { name: 'dhulai' }, spans: encoded }] }],
  });
}

/** Returns a string: a number of JSON cannot hold 64 bits. */
const toNanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`;

const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
