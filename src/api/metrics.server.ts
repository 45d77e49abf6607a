/** Prometheus metrics. The label `route` is a pattern of our own tables, never an address as asked for, so the number of series is bounded. */
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

export interface Metrics {
  observe(route: string, method: string, status: number, seconds: number): void;
  /** A document from memory. Counted only: its time is nothing to measure, and measuring it would take a good part of it. */
  countKept(): void;
  contentType: string;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let kept = 0;
  const fromMemory = new Counter({
    name: 'documents_from_memory_total',
    help: 'Documents that were at hand and answered at once.',
    registers: [],
    collect() {
      fromMemory.reset();
      fromMemory.inc(kept);
    },
  });
  registry.registerMetric(fromMemory);
  return {
    observe: (route, method, status, seconds) => histogram.observe({ route, method, status: String(status) }, seconds),
    countKept: () => void (kept += 1),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
