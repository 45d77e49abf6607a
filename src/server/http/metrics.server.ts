import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../lib/clock.ts';
import type { QueueState } from './queue-metrics.server.ts';

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
  /** Counts a call without an error. */
  countCallSuccess(route: string): void;
  /** `job` must be the name of a job in the code. */
  countJob(job: string, outcome: 'succeeded' | 'failed', now: Date): void;
  setLedgerAudit(isBalanced: boolean, now: Date): void;
  contentType: string;
  text(): Promise<string>;
}

interface MetricsOptions {
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  /** What waits in the database. The scrape goes on without these gauges if it throws. */
  readQueues(): Promise<readonly QueueState[]>;
  clock: Clock;
  /** Undefined without a replica for reads. */
  replica?: { isUsed(): boolean } | undefined;
}

/** Creates the Prometheus metrics of HTTP requests, the process and what it waits for. */
export function createMetrics({ pool, readQueues, clock, replica }: MetricsOptions): Metrics {
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
  const callSuccesses = new Counter({
    name: 'call_successes_total',
    help: 'Calls without an error, by route.',
    labelNames: ['route'],
    registers: [registry],
  });
  const jobs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of background jobs by outcome.',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  });
  const jobTimes = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'Time of the last successful run of a job, in seconds since 1970.',
    labelNames: ['job'],
    registers: [registry],
  });
  const ledgerBalanced = new Gauge({
    name: 'ledger_balanced',
    help: '1 if the last audit of the ledger found no fault, else 0.',
    registers: [],
  });
  const ledgerTime = new Gauge({
    name: 'ledger_audit_timestamp_seconds',
    help: 'Time of the last audit of the ledger, in seconds since 1970.',
    registers: [],
  });
  measurePool(registry, pool);
  if (replica) measureReplica(registry, replica);
  measureQueues(registry, readQueues, clock);
  return {
    countCallSuccess: (route) => callSuccesses.inc({ route }),
    countJob(job, outcome, now) {
      jobs.inc({ job, outcome });
      if (outcome === 'succeeded') jobTimes.set({ job }, now.getTime() / 1000);
    },
    setLedgerAudit(isBalanced, now) {
      // Absent before the first audit: 0 would raise an alarm.
      registry.registerMetric(ledgerBalanced);
      registry.registerMetric(ledgerTime);
      ledgerBalanced.set(isBalanced ? 1 : 0);
      ledgerTime.set(now.getTime() / 1000);
    },
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

function measurePool(registry: Registry, pool: MetricsOptions['pool']) {
  const gauges: Record<string, [help: string, read: () => number]> = {
    database_pool_connections: ['Open connections of the pool.', () => pool.totalCount],
    database_pool_idle_connections: ['Open connections that no request uses.', () => pool.idleCount],
    database_pool_waiting_requests: ['Requests that wait for a connection.', () => pool.waitingCount],
  };
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }
}

function measureReplica(registry: Registry, replica: NonNullable<MetricsOptions['replica']>) {
  const gauge: Gauge = new Gauge({
    name: 'database_replica_in_use',
    help: '1 if reads of visitors and reports use the replica, 0 if they use the primary.',
    registers: [registry],
    collect: () => gauge.set(replica.isUsed() ? 1 : 0),
  });
}

function measureQueues(registry: Registry, readQueues: MetricsOptions['readQueues'], clock: Clock) {
  // Both gauges of a scrape collect at the same time, from one read.
  let reading: Promise<readonly QueueState[]> | undefined;
  const read = () =>
    (reading ??= readQueues()
      .catch(() => [])
      .finally(() => (reading = undefined)));
  const ageOf = ({ oldest }: QueueState) => (oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0);
  const gauges: Record<string, [help: string, valueOf: (state: QueueState) => number]> = {
    queue_waiting: ['Rows that wait, by queue.', ({ waiting }) => waiting],
    queue_oldest_age_seconds: ['Age of the oldest row that waits, 0 if none does.', ageOf],
  };
  for (const [name, [help, valueOf]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const states = await read();
        gauge.reset();
        for (const state of states) gauge.set({ queue: state.queue }, valueOf(state));
      },
    });
  }
}
