import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ReadReplica } from '../../db/read-replica.server.ts';
import type { Clock } from '../../lib/clock.ts';
import { PAYMENT_METHODS, PAYMENT_STATES } from '../../domains/payments/contract.ts';
import type { QueueState, StoredState } from './stored-state.server.ts';

export interface Metrics {
  /**
   * Starts the counter of a call at 0. Prometheus sees no increase if a series begins with 1, and
   * nothing to compare if there is none.
   */
  addCall(route: string): void;
  /** Starts the counters of a job at 0. */
  addJob(job: string): void;
  /**
   * `route` must be the pattern of a route, not a requested URL: it bounds the number of time
   * series.
   */
  observe(route: string, method: string, status: number, seconds: number): void;
  /** `code` must be an error code of a contract: it bounds the number of time series. */
  countCallError(route: string, code: string): void;
  /**
   * Returns the counts of the documents of a route, which the caller increments. An object instead
   * of a method, because a cache hit is the fastest response: measuring its time would cost 4 % of
   * it (docs/decisions/0016). `route` must be a pattern, as in `observe`.
   */
  documentCounts(route: string): DocumentCounts;
  countCodeRequest(outcome: string): void;
  /** Counts a call without an error. */
  countCallSuccess(route: string): void;
  /** `job` must be the name of a job in the code. */
  countJob(job: string, outcome: 'succeeded' | 'failed', now: Date): void;
  contentType: string;
  text(): Promise<string>;
}

export interface DocumentCounts {
  readonly route: string;
  fromMemory: number;
  rendered: number;
}

interface MetricsOptions {
  /** Their counters start at 0. */
  codeRequestOutcomes: readonly string[];
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  /** The scrape goes on without the gauges of the database if it throws. */
  readState(): Promise<StoredState>;
  clock: Clock;
  /** Undefined without a replica for reads. */
  replica?: Pick<ReadReplica, 'isUsed' | 'isReachable' | 'lagSeconds'> | undefined;
}

/** Creates the Prometheus metrics of HTTP requests, the process and what it waits for. */
export function createMetrics({ codeRequestOutcomes, pool, readState, clock, replica }: MetricsOptions): Metrics {
  const registry = new Registry();
  addProcessMetrics(registry);
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const documents = new Map<string, DocumentCounts>();
  addDocumentMetrics(registry, documents);
  const codeRequests = new Counter({
    name: 'verification_code_requests_total',
    help: 'Requests for a code by their outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of codeRequestOutcomes) codeRequests.inc({ outcome }, 0);
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
  // Before the scrape's own read uses a connection.
  addPoolMetrics(registry, pool);
  const read = oncePerScrape(readState);
  addGauges(registry, {
    database_up: ['1 if the database responded to this scrape, else 0.', async () => Number((await read()).payments !== undefined)],
  });
  if (replica) addReplicaMetrics(registry, replica);
  addQueueMetrics(registry, read, clock);
  addPaymentMetrics(registry, read);
  addLedgerMetrics(registry, read);
  addBackupMetrics(registry, read);
  return {
    addCall: (route) => callSuccesses.inc({ route }, 0),
    addJob(job) {
      for (const outcome of ['succeeded', 'failed']) jobs.inc({ job, outcome }, 0);
    },
    countCallSuccess: (route) => callSuccesses.inc({ route }),
    countJob(job, outcome, now) {
      jobs.inc({ job, outcome });
      if (outcome === 'succeeded') jobTimes.set({ job }, now.getTime() / 1000);
    },
    observe: (route, method, status, seconds) => histogram.observe({ route, method, status: String(status) }, seconds),
    countCallError: (route, code) => callErrors.inc({ route, code }),
    documentCounts(route) {
      const counts = documents.get(route) ?? { route, fromMemory: 0, rendered: 0 };
      documents.set(route, counts);
      return counts;
    },
    countCodeRequest: (outcome) => codeRequests.inc({ outcome }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** The value of a gauge, or one for each set of labels. A gauge without a value is absent. */
type GaugeValue = number | undefined | readonly { labels: Record<string, string>; value: number }[];

/** Adds gauges that are read at each scrape. Those with labels return a value for each set. */
function addGauges(
  registry: Registry,
  gauges: Record<string, [help: string, read: () => GaugeValue | Promise<GaugeValue>]>,
  labelNames: readonly string[] = [],
) {
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const value = await read();
        if (value === undefined) return gauge.remove();
        if (typeof value === 'number') return gauge.set(value);
        gauge.reset();
        for (const row of value) gauge.set(row.labels, row.value);
      },
    });
  }
}

/** Adds counters of documents by route, read from `documents` at each scrape. */
function addDocumentMetrics(registry: Registry, documents: ReadonlyMap<string, DocumentCounts>) {
  const counters: Record<string, [help: string, valueOf: (counts: DocumentCounts) => number]> = {
    documents_from_memory_total: ['Documents served from the cache, by route.', ({ fromMemory }) => fromMemory],
    documents_rendered_total: ['Documents that were rendered, for the cache or for one request, by route.', ({ rendered }) => rendered],
  };
  for (const [name, [help, valueOf]] of Object.entries(counters)) {
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: ['route'],
      registers: [registry],
      collect() {
        counter.reset();
        for (const counts of documents.values()) counter.inc({ route: counts.route }, valueOf(counts));
      },
    });
  }
}

/**
 * Adds metrics of the process under the standard names of Prometheus clients. The default metrics
 * of prom-client observe every garbage collection, which costs 7 % of the documents served in a
 * second (bench/documents.ts) and cannot be switched off separately.
 */
function addProcessMetrics(registry: Registry) {
  const delay = monitorEventLoopDelay();
  delay.enable();
  addGauges(registry, {
    process_start_time_seconds: ['Start time of the process, in seconds since 1970.', () => performance.timeOrigin / 1000],
    process_cpu_seconds_total: ['Processor time used so far.', () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6],
    process_resident_memory_bytes: ['Resident memory of the process.', () => process.memoryUsage.rss()],
    nodejs_heap_size_used_bytes: ['JavaScript heap in use.', () => process.memoryUsage().heapUsed],
    nodejs_eventloop_lag_p99_seconds: ['99th percentile of the event loop delay since the previous scrape.', readDelay],
  });

  function readDelay() {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  }
}

function addPoolMetrics(registry: Registry, pool: MetricsOptions['pool']) {
  addGauges(registry, {
    database_pool_connections: ['Open connections of the pool.', () => pool.totalCount],
    database_pool_idle_connections: ['Open connections that no request uses.', () => pool.idleCount],
    database_pool_waiting_requests: ['Requests that wait for a connection.', () => pool.waitingCount],
  });
}

function addReplicaMetrics(registry: Registry, replica: NonNullable<MetricsOptions['replica']>) {
  addGauges(registry, {
    database_replica_in_use: [
      '1 if reads of visitors and reports use the replica, 0 if they use the primary.',
      () => Number(replica.isUsed()),
    ],
    database_replica_up: ['1 if the replica responded to the last check, else 0.', () => Number(replica.isReachable())],
    database_replica_lag_seconds: [
      'Age of the newest writes that the replica has, 0 if it has all. Absent while it does not respond.',
      () => replica.lagSeconds(),
    ],
  });
}

function addQueueMetrics(registry: Registry, read: ReadOnce, clock: Clock) {
  const ageOf = ({ oldest }: QueueState) => (oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0);
  const readEach = (valueOf: (state: QueueState) => number) => async () =>
    (await read()).queues.map((state) => ({ labels: { queue: state.queue }, value: valueOf(state) }));
  addGauges(
    registry,
    {
      queue_waiting: ['Rows that wait, by queue.', readEach(({ waiting }) => waiting)],
      queue_oldest_age_seconds: ['Age of the oldest row that waits, 0 if none does.', readEach(ageOf)],
    },
    ['queue'],
  );
}

/**
 * Adds a gauge with every method and state, so that a panel shows 0 and no gap. It is absent while
 * the database does not respond.
 */
function addPaymentMetrics(registry: Registry, read: ReadOnce) {
  const readPayments = async () => {
    const { payments } = await read();
    if (!payments) return [];
    return PAYMENT_METHODS.flatMap((method) =>
      PAYMENT_STATES.map(({ state }) => ({
        labels: { method, state },
        value: payments.find((row) => row.method === method && row.state === state)?.count ?? 0,
      })),
    );
  };
  const help = 'Pending payments, and those received or failed in the last 24 hours, by method and state.';
  addGauges(registry, { payments_of_last_day: [help, readPayments] }, ['method', 'state']);
}

/**
 * Adds the gauges of the last audits of all processes. They are absent before the first audit: 0
 * would raise an alarm.
 */
function addLedgerMetrics(registry: Registry, read: ReadOnce) {
  const readEach = (valueOf: (audit: StoredState['ledger'][number]) => number) => async () =>
    (await read()).ledger.map((row) => ({ labels: { audit: row.audit }, value: valueOf(row) }));
  addGauges(
    registry,
    {
      ledger_balanced: ['1 if the last audit of the ledger found no fault, else 0.', readEach(({ isBalanced }) => Number(isBalanced))],
      ledger_audit_timestamp_seconds: [
        'Time of the last audit of the ledger, in seconds since 1970.',
        readEach(({ at }) => at.getTime() / 1000),
      ],
    },
    ['audit'],
  );
}

/** Adds a gauge that is absent before the first backup. */
function addBackupMetrics(registry: Registry, read: ReadOnce) {
  const readTime = async () => {
    const { backupAt } = await read();
    return backupAt ? backupAt.getTime() / 1000 : undefined;
  };
  const help = 'Time of the last complete backup by npm run backup, in seconds since 1970.';
  addGauges(registry, { backup_last_success_timestamp_seconds: [help, readTime] });
}

type ReadOnce = () => Promise<StoredState>;

/**
 * The gauges of a scrape collect at the same time, from one read. The result is empty if the read
 * fails.
 */
function oncePerScrape(readState: MetricsOptions['readState']): ReadOnce {
  let reading: Promise<StoredState> | undefined;
  return () =>
    (reading ??= readState()
      .catch(() => ({ queues: [], payments: undefined, ledger: [], backupAt: null }))
      .finally(() => (reading = undefined)));
}
