/** The metrics that /metrics reads in the database. */
import { addSeconds } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { readUnfinishedMessages } from '../../domains/messages/store.server.ts';
import { readDueNotifications } from '../../domains/notifications/store.server.ts';
import { listPaymentCounts, listPendingCounts, type PaymentCount } from '../../domains/payments/overview-store.server.ts';
import { BACKUP_RUN, LEDGER_JOB, NEW_ENTRIES_JOB } from '../../domains/system/desk/rules.ts';
import { findAuditResult, findLastSuccess, type LedgerAuditResult } from '../../domains/system/store.server.ts';

export interface QueueState {
  queue: string;
  waiting: number;
  /** Null if nothing waits. */
  oldest: Date | null;
}

export interface StoredState {
  queues: readonly QueueState[];
  /**
   * The pending payments, and those that were received or failed in the last 24 hours. Undefined if
   * the database did not respond.
   */
  payments: readonly PaymentCount[] | undefined;
  /** The last audits of the ledger by any process. One that never ran is absent. */
  ledger: readonly (LedgerAuditResult & { audit: 'all' | 'new-entries' })[];
  /** The end of the last complete backup by `npm run backup`. Null before the first. */
  backupAt: Date | null;
}

/**
 * Returns the queues with their oldest rows, counts of payments, the last audits of the ledger,
 * and the last backup. Each query of a queue reads a partial index of unfinished rows only.
 */
export const readStoredState = async (db: Db, now: Date): Promise<StoredState> => ({
  queues: [
    { queue: 'code-messages', ...(await readUnfinishedMessages(db)) },
    { queue: 'order-messages', ...(await readDueNotifications(db, now)) },
    ...(await listPendingCounts(db)).map(({ method, waiting, oldest }) => ({ queue: `pending-payments-${method}`, waiting, oldest })),
  ],
  payments: await listPaymentCounts(db, addSeconds(now, -24 * 60 * 60)),
  ledger: [...(await listLastAudit(db, 'all', LEDGER_JOB)), ...(await listLastAudit(db, 'new-entries', NEW_ENTRIES_JOB))],
  backupAt: await findLastSuccess(db, BACKUP_RUN),
});

/** Returns a list with the last audit, or an empty list if there was none. */
async function listLastAudit(db: Db, audit: 'all' | 'new-entries', job: string) {
  const result = await findAuditResult(db, job);
  return result ? [{ ...result, audit }] : [];
}
