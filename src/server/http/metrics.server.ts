/** Prometheus metrics. The label `route` is a pattern of our own tables, never an address as asked for, so the number of series is bounded. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  observe(route: string, method: string, status: number, seconds: number): void;
  /** Counts only: measuring the time of a cache hit would cost 4 % of it (docs/decisions/0016). */
  countDocumentCacheHit(): void;
  contentType: string;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  measureProcess(registry);
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let cacheHits = 0;
  const cacheHitCounter = new Counter({
    name: 'documents_from_memory_total',
    help: 'Documents served from the cache.',
    registers: [],
    collect() {
      cacheHitCounter.reset();
      cacheHitCounter.inc(cacheHits);
    },
  });
  registry.registerMetric(cacheHitCounter);
  return {
    observe: (route, method, status, seconds) => histogram.observe({ route, method, status: String(status) }, seconds),
    countDocumentCacheHit: () => void (cacheHits += 1),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/**
 * How the process does, under the names that Prometheus' clients give these figures. Not prom-client's own list: that listens to every garbage collection,
 * which costs one in fourteen of the documents that the program answers in a second (bench/documents.ts), and is had as a whole or not at all.
 */
function measureProcess(registry: Registry) {
  const delay = monitorEventLoopDelay();
  delay.enable();
  const figures: Record<string, [help: string, read: () => number]> = {
    process_start_time_seconds: ['When the process began, in seconds since 1970.', () => performance.timeOrigin / 1000],
    process_cpu_seconds_total: ['Processor time used so far.', () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6],
    process_resident_memory_bytes: ['Memory that the process holds.', () => process.memoryUsage.rss()],
    nodejs_heap_size_used_bytes: ['Of it, what JavaScript uses.', () => process.memoryUsage().heapUsed],
    nodejs_eventloop_lag_p99_seconds: [
      'How late the event loop came, of a hundred times all but the latest; since the figure was read last.',
      lag,
    ],
  };
  for (const [name, [help, read]] of Object.entries(figures)) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }

  function lag() {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  }
}
