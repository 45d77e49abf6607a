/** Whether the program works, for the owner. docs/decisions/0065. */
import type { Db } from '../../db/database.server.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { scrubError } from '../../lib/scrub-text.ts';
import { AREAS } from '../catalogue/contract.ts';
import { readCatalogue } from '../catalogue/service.server.ts';
import { comingEvenings, firstFree } from '../evenings/rules.ts';
import { readEvenings } from '../evenings/service.server.ts';
import { countReports, listReportGroups } from '../error-reports/store.server.ts';
import { readCodeCounts, listUnsentCodes } from '../messages/store.server.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../notifications/contract.ts';
import { isTooLate, kindOfEvent, listUnsentKinds } from '../notifications/rules.ts';
import { readUnsentCounts, listUnsent } from '../notifications/store.server.ts';
import { toEvent } from '../orders/events-store.server.ts';
import type { PhotoStorage } from '../photos/provider.server.ts';
import { toPage } from '../staff/desk/paging.ts';
import { AUDIT_QUERIES } from '../wallet/service.server.ts';
import {
  PAGE,
  type Alerts,
  type Failure,
  type JobRun,
  type MessagePage,
  type OrderMessage,
  type ReportPage,
  type System,
} from './desk/contract.ts';
import { BACKUP_RUN, LEDGER_JOB, NEW_ENTRIES_JOB, alertsOf } from './desk/rules.ts';
import { acquireRun, listRuns, recordRun } from './store.server.ts';

/** An audit of the ledger ends after this time, also without a result. */
export const AUDIT_LIMIT_SECONDS = 30 * 60;
/** An audit that began earlier and has not ended is that of a killed process. */
const abandonedBefore = (now: Date) => addSeconds(now, -(AUDIT_LIMIT_SECONDS + 60));

/**
 * Records the start of an audit of the ledger and returns true. Returns false if one runs in any
 * process, or the last one did not start before `startedBefore`.
 */
export const acquireLedgerAudit = (db: Db, now: Date, startedBefore?: Date): Promise<boolean> =>
  acquireRun(db, { job: LEDGER_JOB, now, abandonedBefore: abandonedBefore(now), startedBefore });

/**
 * Acquires an audit of the ledger with `acquireLedgerAudit`. Also returns false if the last one, of
 * any process, began less than a day ago. One that failed is repeated.
 */
export async function acquireDueLedgerAudit(db: Db, now: Date): Promise<boolean> {
  const last = (await listRuns(db)).find(({ job }) => job === LEDGER_JOB);
  return acquireLedgerAudit(db, now, addSeconds(now, last?.outcome === 'failed' ? 0 : -DAY_SECONDS));
}

/** The time between two audits of new entries. */
export const NEW_ENTRIES_SECONDS = 5 * 60;
/** An audit of new entries ends after this time, also without a result. */
export const NEW_ENTRIES_LIMIT_SECONDS = 4 * 60;

/**
 * Records the start of an audit of new entries and returns true. Returns false if one runs in any
 * process, or the last one began less than about five minutes ago. The processes look every five
 * minutes, not at the same time.
 */
export const acquireNewEntriesAudit = (db: Db, now: Date): Promise<boolean> =>
  acquireRun(db, {
    job: NEW_ENTRIES_JOB,
    now,
    abandonedBefore: addSeconds(now, -NEW_ENTRIES_SECONDS),
    startedBefore: addSeconds(now, -NEW_ENTRIES_LIMIT_SECONDS),
  });

const MAX_ERROR_LENGTH = 500;

/** The message of an error without secrets, for the owner. */
export const errorText = (error: unknown): string => scrubError(error, MAX_ERROR_LENGTH);

interface EndedRun {
  job: string;
  startedAt: Date;
  durationMs: number;
  error?: unknown;
}

/** Records the run of a periodic job. */
export async function recordJob(db: Db, { job, startedAt, durationMs, error }: EndedRun, endedAt: Date): Promise<void> {
  await recordRun(db, {
    job,
    startedAt,
    endedAt,
    durationMs,
    outcome: error === undefined ? 'succeeded' : 'failed',
    error: error === undefined ? null : errorText(error),
  });
}

export interface SystemStatusInputs {
  /** The names of the periodic jobs. */
  jobs: readonly string[];
  /** Returns false for every kind without an SMS gateway for messages about orders. */
  hasTemplate(kind: string): boolean;
  storage: Pick<PhotoStorage, 'check'>;
  /** True for a live laundry. */
  expectsBackups: boolean;
}

/** A message that is due is sent within seconds. */
const OVERDUE_SECONDS = 60;
const overdueBefore = (now: Date) => addSeconds(now, -OVERDUE_SECONDS);

const timeOrNull = (at: Date | null) => at && kolkataDateTime(at);

const areMessagesSent = (unsentKinds: readonly NotificationKind[]): boolean => unsentKinds.length < NOTIFICATION_KINDS.length;

/** Returns the state of messages, photos, error reports, jobs, the ledger and backups. */
export async function readSystem(db: Db, inputs: SystemStatusInputs, now: Date): Promise<System> {
  const { jobs, hasTemplate, storage, expectsBackups } = inputs;
  const unsentKinds = listUnsentKinds(hasTemplate);
  const sendsMessages = areMessagesSent(unsentKinds);
  const codes = await readCodeCounts(db, addSeconds(now, -60 * 60));
  const unsent = await readUnsentCounts(db, { overdueBefore: overdueBefore(now), failedSince: addSeconds(now, -DAY_SECONDS) });
  const runs = await listRuns(db);
  return {
    now: kolkataDateTime(now),
    messages: {
      are_sent: sendsMessages,
      unsent_kinds: unsentKinds,
      overdue: sendsMessages ? unsent.overdue : 0,
      oldest: sendsMessages ? timeOrNull(unsent.oldest) : null,
      refused: unsent.refused,
      codes_sent: codes.sent,
      codes_failed: codes.failed,
      codes_unreachable: codes.unreachable,
    },
    stores_photos: await storage.check().then(
      () => true,
      () => false,
    ),
    reports: await countReports(db, addSeconds(now, -DAY_SECONDS)),
    jobs: jobs.map((job) => ({
      job,
      run: runOf(
        runs.find((row) => row.job === job),
        now,
      ),
    })),
    ledger: { progress: runs.find(({ job }) => job === LEDGER_JOB)?.progress ?? 0, steps: AUDIT_QUERIES },
    backup: { is_expected: expectsBackups, succeeded: timeOrNull(lastBackupOf(runs)) },
  };
}

const lastBackupOf = (runs: readonly RunRow[]): Date | null => runs.find(({ job }) => job === BACKUP_RUN)?.succeeded_at ?? null;

/** Returns what keeps customers from ordering, from their codes or from their messages. */
export async function readAlerts(db: Db, inputs: SystemStatusInputs, now: Date): Promise<Alerts> {
  const system = await readSystem(db, inputs, now);
  const { program: programs } = await readCatalogue(db);
  const evenings = await readEvenings(db, now);
  return {
    problems: alertsOf(system),
    offers_services: programs.length > 0,
    full_areas: AREAS.filter((area) => firstFree(comingEvenings(evenings[area], now)) === undefined),
  };
}

type RunRow = Awaited<ReturnType<typeof listRuns>>[number];

/** Returns null for a job that has not run. */
function runOf(row: RunRow | undefined, now: Date): JobRun['run'] {
  if (!row) return null;
  const unfinished = row.started_at < abandonedBefore(now) ? 'interrupted' : 'running';
  return {
    state: row.outcome ?? unfinished,
    started: kolkataDateTime(row.started_at),
    seconds: row.duration_ms === null ? null : Math.round(row.duration_ms / 10) / 100,
    error: row.error,
    succeeded: timeOrNull(row.succeeded_at),
    unbalanced: timeOrNull(row.unbalanced_at),
  };
}

/** Returns what waits longer than a minute and what was not sent. */
export async function readUnsentMessages(
  db: Db,
  { hasTemplate }: Pick<SystemStatusInputs, 'hasTemplate'>,
  { cursor }: { cursor?: string | undefined },
  now: Date,
): Promise<MessagePage> {
  const beforeId = cursor === undefined ? undefined : Number(cursor);
  const sendsMessages = areMessagesSent(listUnsentKinds(hasTemplate));
  const rows = await listUnsent(db, { beforeId, overdueBefore: sendsMessages ? overdueBefore(now) : null, limit: PAGE + 1 });
  const { page, next } = toPage(rows, PAGE, ({ event_id: id }) => String(id));
  const codes = cursor === undefined ? await listUnsentCodes(db, { overdueBefore: overdueBefore(now), limit: PAGE }) : [];
  return {
    codes: codes.map(({ id, mobile, failure, error, created_at: at }) => ({
      codeid: String(id),
      mobile,
      failure,
      error,
      at: kolkataDateTime(at),
    })),
    messages: page.flatMap((row) => orderMessageOf(row, now) ?? []),
    next,
  };
}

const STATES: Readonly<Record<string, OrderMessage['state']>> = { failed: 'unsure', waiting: 'waiting', sending: 'waiting' };

const isRejectedByGateway = ({ state, failure }: { state: string; failure: Failure | null }) =>
  state === 'withdrawn' && failure === 'rejected';

/** Returns null for an event of which no message is sent. */
function orderMessageOf(row: Awaited<ReturnType<typeof listUnsent>>[number], now: Date): OrderMessage | null {
  const { event_id: id, failure, error, attempts, mobile, order_id: orderid, state, due_at: dueAt, at } = row;
  const kind = kindOfEvent(toEvent({ ...row, id }));
  if (!kind) return null;
  const refused = isRejectedByGateway(row);
  return {
    messageid: String(id),
    orderid,
    kind,
    mobile,
    state: refused ? 'refused' : (STATES[state] ?? (failure === 'too-many' ? 'too-many' : 'too-late')),
    failure,
    error,
    attempts,
    at: kolkataDateTime(at),
    next: state === 'waiting' ? kolkataDateTime(dueAt) : null,
    can_send_again: refused && !isTooLate({ at }, now),
  };
}

export async function readErrorReports(db: Db, { cursor }: { cursor?: string | undefined }): Promise<ReportPage> {
  const rows = await listReportGroups(db, { beforeId: cursor === undefined ? undefined : Number(cursor), limit: PAGE + 1 });
  const { page, next } = toPage(rows, PAGE, ({ id }) => String(id));
  return {
    groups: page.map(({ id, message, count, first, last, report }) => ({
      reportid: String(id),
      message,
      count,
      first: kolkataDateTime(first),
      last: kolkataDateTime(last),
      report,
    })),
    next,
  };
}
