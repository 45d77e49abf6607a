/** What waits in the database, for /metrics. */
import type { Db } from '../../db/database.server.ts';
import { unfinishedMessages } from '../../domains/messages/store.server.ts';
import { dueNotifications } from '../../domains/notifications/store.server.ts';
import { pendingPayments } from '../../domains/payments/overview-store.server.ts';

export interface QueueState {
  queue: string;
  waiting: number;
  /** Null if nothing waits. */
  oldest: Date | null;
}

/** Each query reads a partial index of unfinished rows only. */
export const readQueues = async (db: Db, now: Date): Promise<QueueState[]> => [
  { queue: 'code-messages', ...(await unfinishedMessages(db)) },
  { queue: 'order-messages', ...(await dueNotifications(db, now)) },
  ...(await pendingPayments(db)).map(({ method, waiting, oldest }) => ({ queue: `pending-payments-${method}`, waiting, oldest })),
];
