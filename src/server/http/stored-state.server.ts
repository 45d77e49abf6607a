/** The metrics that /metrics reads in the database. */
import type { Db } from '../../db/database.server.ts';
import { countUnfinishedMessages } from '../../domains/messages/store.server.ts';
import { dueNotifications } from '../../domains/notifications/store.server.ts';
import { countPendingPayments } from '../../domains/payments/overview-store.server.ts';
import { LEDGER_JOB } from '../../domains/system/desk/rules.ts';
import { findAuditResult, type LedgerAuditResult } from '../../domains/system/store.server.ts';

export interface QueueState {
  queue: string;
  waiting: number;
  /** Null if nothing waits. */
  oldest: Date | null;
}

export interface StoredState {
  queues: readonly QueueState[];
  /** The last audit of the ledger by any process, undefined before the first. */
  ledger: LedgerAuditResult | undefined;
}

/**
 * Returns the queues with their oldest rows, and the last audit of the ledger. Each query of a
 * queue reads a partial index of unfinished rows only.
 */
export const readStoredState = async (db: Db, now: Date): Promise<StoredState> => ({
  queues: [
    { queue: 'code-messages', ...(await countUnfinishedMessages(db)) },
    { queue: 'order-messages', ...(await dueNotifications(db, now)) },
    ...(await countPendingPayments(db)).map(({ method, waiting, oldest }) => ({ queue: `pending-payments-${method}`, waiting, oldest })),
  ],
  ledger: await findAuditResult(db, LEDGER_JOB),
});
