/**
 * Reads of shared data that may be some seconds old, on a replica (docs/decisions/0068), and on the
 * primary while the replica is unreachable or too far behind.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { addSeconds, type Clock } from '../lib/clock.ts';
import { openDatabase, type Database, type Db } from './database.server.ts';
import type { DatabaseConfig } from './hosts.server.ts';
import { detectPooler } from './pooler.server.ts';
import { isUnavailable } from './unavailable.server.ts';

/**
 * Runs reads that may miss the writes of the last seconds. `work` must not write: it runs again on
 * the primary if the replica fails.
 */
export type StaleRead = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

/** A replica that lacks what the primary wrote earlier than this is not used. */
export const MAX_LAG_SECONDS = 30;
const CHECK_MS = 5000;
/** A longer lag is reported as this one. */
const MAX_MEASURED_LAG_SECONDS = 15 * 60;

interface ReplicaOptions {
  connection: DatabaseConfig;
  primary: Db;
  poolSize: number;
  clock: Clock;
}

interface Log {
  info(text: string): void;
  warn(details: object, text: string): void;
}

export interface ReadReplica {
  /** Until the first check has succeeded, reads from the primary. */
  read: StaleRead;
  isUsed(): boolean;
  /** Whether it responded to the last check. */
  isReachable(): boolean;
  /**
   * The age of the newest writes of the primary that it certainly has, 0 if it has all of the last
   * check. Undefined if it did not respond or is another server.
   */
  lagSeconds(): number | undefined;
  /** Checks the replica every `everyMs`. Logs the first result and each change. */
  start(log: Log, everyMs?: number): void;
  close(): Promise<void>;
}

/** A position in the write-ahead log of the primary. */
interface Position {
  at: Date;
  lsn: bigint;
}

/**
 * Creates the replica without connecting to it: the first check opens its pool, so that a replica
 * that is down delays no start.
 */
export function createReadReplica({ connection, primary, poolSize, clock }: ReplicaOptions): ReadReplica {
  let log: Log | undefined;
  let replica: Database | undefined;
  let state: 'unknown' | 'used' | 'not-used' = 'unknown';
  let isReachable = false;
  let lagSeconds: number | undefined;
  /** Positions of the primary in the last `MAX_MEASURED_LAG_SECONDS`, oldest first. */
  let positions: Position[] = [];

  const setProblem = (problem: string | undefined) => {
    const next = problem === undefined ? 'used' : 'not-used';
    if (state === next) return;
    state = next;
    if (problem === undefined) log?.info('the replica of DATABASE_READ_URL is used');
    else log?.warn({ reason: problem }, 'the replica of DATABASE_READ_URL is not used');
  };

  const check = async () => {
    let current: ServerState;
    const now = clock.now();
    try {
      current = await readPrimary(primary);
      const oldest = addSeconds(now, -MAX_MEASURED_LAG_SECONDS);
      positions = [...positions.filter(({ at }) => at >= oldest && at <= now), { at: now, lsn: current.lsn }];
    } catch (error) {
      // Without the primary nothing is written, so the replica does not fall behind.
      if (!isUnavailable(error)) setProblem((error as Error).message);
      return;
    }
    // Metrics read the last result while this check waits, so each result replaces it at once.
    let measuredLag: number | undefined;
    let responded = false;
    try {
      replica ??= await openReplica(connection, poolSize);
      const { system, lsn } = await readReplica(replica.db);
      responded = true;
      if (system !== current.system) return setProblem('it is not a replica of DATABASE_URL');
      const replayed = positions.findLast((position) => position.lsn <= lsn);
      const { at } = replayed ?? positions[0] ?? { at: now };
      measuredLag = replayed === positions.at(-1) ? 0 : (now.getTime() - at.getTime()) / 1000;
      const isBehind = !replayed || replayed.at < addSeconds(now, -MAX_LAG_SECONDS);
      setProblem(isBehind ? `it is more than ${MAX_LAG_SECONDS} s behind the primary` : undefined);
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      isReachable = responded;
      lagSeconds = measuredLag;
    }
  };

  const closing = new AbortController();
  const { signal } = closing;
  const checkUntilClosed = async (everyMs: number) => {
    while (!signal.aborted) {
      await check();
      // Rejects when the program stops. Does not keep the process running.
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  let checking: Promise<void> | undefined;

  return {
    async read(work) {
      if (state !== 'used' || !replica) return work(primary);
      try {
        return await work(replica.db);
      } catch (error) {
        const result = await work(primary);
        setProblem((error as Error).message);
        return result;
      }
    },
    isUsed: () => state === 'used',
    isReachable: () => isReachable,
    lagSeconds: () => lagSeconds,
    start(to, everyMs = CHECK_MS) {
      log = to;
      checking = checkUntilClosed(everyMs);
    },
    async close() {
      closing.abort();
      await checking;
      await replica?.close();
    },
  };
}

/** Throws the errors of `detectPooler`. */
async function openReplica(connection: DatabaseConfig, poolSize: number): Promise<Database> {
  const isPooled = (await detectPooler(connection, 'DATABASE_READ_URL')) !== 'none';
  // The next check reports a lost server once, not each of its connections.
  return openDatabase({ connection, isPooled, poolSize, onConnectionLost: () => {} });
}

interface ServerState {
  system: string;
  /** A position in the write-ahead log. */
  lsn: bigint;
}

/** Returns the position of the primary. Throws if the server accepts no writes. */
const readPrimary = (db: Db) => readState(db, sql`pg_current_wal_flush_lsn()`);

/**
 * Returns the position up to which the server has the writes. Not the time of the last replayed
 * transaction: it would grow while nothing is written, and a receiver that has lost the primary
 * would look up to date. After a failover the replica is the primary.
 */
const readReplica = (db: Db) =>
  readState(db, sql`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end`);

/** Returns the identity of the server, which its replicas share, and the position. */
async function readState(db: Db, position: RawBuilder<unknown>): Promise<ServerState> {
  const { rows } = await sql<{ system: string; bytes: string }>`
    select system_identifier::text as system, coalesce(${position} - '0/0', 0)::text as bytes from pg_control_system()`.execute(db);
  return { system: rows[0]?.system ?? '', lsn: BigInt(rows[0]?.bytes ?? 0) };
}
