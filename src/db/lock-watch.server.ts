import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';

interface LockWatchOptions {
  connection: DatabaseConfig;
  /** The application name of the connection whose statement may wait. */
  applicationName: string;
  /** A statement that has waited this long without a pause is cancelled. */
  maxWaitMs: number;
  /** Called once for each transaction that the statement waits for. */
  onWait(blocker: string): void;
}

export interface LockWatch {
  /** Resolves to the transaction for which the statement was cancelled, or to undefined. */
  stop(): Promise<string | undefined>;
}

const CHECK_EVERY_MS = 1000;
const TIMEOUT_MS = 5000;

interface Blocker {
  /** The pid of the statement that waits. */
  waiting: number;
  pid: number;
  text: string;
}

/** `pg_blocking_pids` returns 0 for a prepared transaction. */
const BLOCKERS = `
  select waiting.pid as waiting, blocking.pid,
         format('pid %s (%s, %s, began %s s ago)', blocking.pid, coalesce(nullif(blocker.application_name, ''), 'unnamed'),
                coalesce(blocker.state, 'prepared'), coalesce(extract(epoch from clock_timestamp() - blocker.xact_start)::int, 0)) as text
    from pg_stat_activity waiting
   cross join unnest(pg_blocking_pids(waiting.pid)) blocking (pid)
    left join pg_stat_activity blocker on blocker.pid = blocking.pid
   where waiting.datname = current_database() and waiting.application_name = $1
   order by blocker.xact_start`;

/**
 * Watches the statements of a connection until `stop` is called. Uses a connection of its own in
 * which no transaction stays open: `create index concurrently` would wait for it.
 */
export function watchLocks({ connection, applicationName, maxWaitMs, onWait }: LockWatchOptions): LockWatch {
  const stopping = new AbortController();
  const pause = () => sleep(CHECK_EVERY_MS, undefined, { signal: stopping.signal });
  const named = new Set<number>();
  let waitsSince: number | undefined;

  /** Returns the transaction for which it cancelled the statement. */
  const check = async (client: pg.Client): Promise<string | undefined> => {
    const { rows } = await client.query<Blocker>(BLOCKERS, [applicationName]);
    const [first] = rows;
    if (!first) {
      waitsSince = undefined;
      return undefined;
    }
    waitsSince ??= performance.now();
    for (const { pid, text } of rows) if (!named.has(pid)) onWait(text);
    for (const { pid } of rows) named.add(pid);
    if (performance.now() - waitsSince <= maxWaitMs) return undefined;
    await client.query('select pg_cancel_backend($1)', [first.waiting]);
    return first.text;
  };

  const watchOnce = async (): Promise<string | undefined> => {
    const client = new HostClient({
      ...connection,
      application_name: `dhulai pid ${process.pid} locks`,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    try {
      await client.connect();
      for (;;) {
        const cancelledFor = await check(client);
        if (cancelledFor !== undefined) return cancelledFor;
        await pause();
      }
    } finally {
      await client.end().catch(() => {});
    }
  };

  const watch = async (): Promise<string | undefined> => {
    for (;;) {
      await pause().catch(() => {});
      if (stopping.signal.aborted) return undefined;
      // Connects again after an error.
      const cancelledFor = await watchOnce().catch(() => undefined);
      if (cancelledFor !== undefined) return cancelledFor;
    }
  };

  const ended = watch();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
