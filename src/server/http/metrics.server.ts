import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /**
   * `route` must be the pattern of a route, not a requested URL: it bounds the number of time
   * series.
   */
  observe(route: string, method: string, status: number, seconds: number): void;
  /** `code` must be an error code of a contract: it bounds the number of time series. */
  countCallError(route: string, code: string): void;
  /**
   * Does not measure the time of a cache hit, which would cost 4 % of that time
   * (docs/decisions/0016).
   */
  countDocumentCacheHit(): void;
  countCodeRequest(outcome: string): void;
  contentType: string;
  text(): Promise<string>;
}

/** Creates the Prometheus metrics of HTTP requests and of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  measureProcess(registry);
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route, method and status.',
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
  const codeRequests = new Counter({
    name: 'verification_code_requests_total',
    help: 'Requests for a code by their outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const callErrors = new Counter({
    name: 'call_errors_total',
    help: 'Calls that failed, by route and error code.',
    labelNames: ['route', 'code'],
    registers: [registry],
  });
  return {
    observe: (route, method, status, seconds) => histogram.observe({ route, method, status: String(status) }, seconds),
    countCallError: (route, code) => callErrors.inc({ route, code }),
    countDocumentCacheHit: () => void (cacheHits += 1),
    countCodeRequest: (outcome) => codeRequests.inc({ outcome }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/**
 * Adds metrics of the process under the standard names of Prometheus clients. The default metrics
 * of prom-client observe every garbage collection, which costs 7 % of the documents served in a
 * second (bench/documents.ts) and cannot be switched off separately.
 */
function measureProcess(registry: Registry) {
  const delay = monitorEventLoopDelay();
  delay.enable();
  const gauges: Record<string, [help: string, read: () => number]> = {
    process_start_time_seconds: ['Start time of the process, in seconds since 1970.', () => performance.timeOrigin / 1000],
    process_cpu_seconds_total: ['Processor time used so far.', () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6],
    process_resident_memory_bytes: ['Resident memory of the process.', () => process.memoryUsage.rss()],
    nodejs_heap_size_used_bytes: ['JavaScript heap in use.', () => process.memoryUsage().heapUsed],
    nodejs_eventloop_lag_p99_seconds: ['99th percentile of the event loop delay since the previous scrape.', readDelay],
  };
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }

  function readDelay() {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  }
}
