import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';

export interface NewMessage {
  browser_hash: Buffer;
  mobile: string;
  text: string;
  /** The code inside the text, for gateways that fill a registered template and for /outbox. */
  code: string;
}

/**
 * Queues a message in the transaction that causes it, and returns its id. It can be sent only after
 * the commit.
 */
export async function insertMessage(tx: Tx, message: NewMessage, now: Date): Promise<number> {
  const { id } = await tx
    .insertInto('outbox_messages')
    .values({ ...message, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Acquires a queued message for sending. Returns undefined if it was acquired or withdrawn before.
 */
export const acquireMessage = (db: Db, id: number) =>
  db
    .updateTable('outbox_messages')
    .set({ state: 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(['mobile', 'text', sql<string>`code`.as('code')])
    .executeTakeFirst();

/**
 * Returns false if the message was withdrawn after it was acquired. Deletes its text unless
 * `keepText` is set.
 */
export async function setSent(db: Db, id: number, now: Date, { keepText }: { keepText: boolean }): Promise<boolean> {
  const marked = await db
    .updateTable('outbox_messages')
    .set({ state: 'sent', sent_at: now, failure: null, error: null, ...(!keepText && { text: '', code: null }) })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/**
 * Sets the state of a message that is waiting or being sent: 'withdrawn' if it was certainly not
 * sent, 'failed' if that is unknown. Deletes its text.
 */
export const setUnsent = (db: Db, id: number, state: 'failed' | 'withdrawn', failed?: FailedAttempt) =>
  updateUnfinished(db, state, failed).where('id', '=', id).execute();

/**
 * Withdraws messages whose process stopped before it sent them. No page waits for them any more.
 */
export const withdrawAbandoned = (db: Db, before: Date) => updateUnfinished(db, 'withdrawn').where('created_at', '<', before).execute();

/**
 * Returns a statement that ends all messages which are not sent, and deletes their texts. The
 * caller adds the condition and executes it.
 */
const updateUnfinished = (db: Db, state: 'failed' | 'withdrawn', failed: Partial<FailedAttempt> = {}) =>
  db
    .updateTable('outbox_messages')
    .set({ state, text: '', code: null, ...failed })
    .where((row) => row.or([row('state', '=', 'waiting'), row('state', '=', 'sending')]));

interface FailedAttempt {
  failure: 'not-accepted' | 'rejected' | 'unknown';
  error: string;
}

export interface OutboxFilter {
  mobile?: string | undefined;
  browserHash: Buffer;
}

/** Returns the sent messages that this browser requested, to one mobile if given, newest first. */
export const listSentMessages = (db: Db, { mobile, browserHash }: OutboxFilter, limit: number) =>
  db
    .selectFrom('outbox_messages')
    .select(['mobile', 'text', 'code', 'sent_at'])
    .where('state', '=', 'sent')
    .$if(mobile !== undefined, (query) => query.where('mobile', '=', mobile!))
    .where('browser_hash', '=', browserHash)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const deleteOldMessages = (db: Db, before: Date) => db.deleteFrom('outbox_messages').where('created_at', '<', before).execute();

/** The text without its code, which may be valid. */
const textWithoutCodeSql = sql<string>`coalesce(replace(text, code, '(code left out)'), text)`;

/** Returns the messages to a mobile, without their codes, for the export of a customer's data. */
export const listMessagesTo = (db: Db, mobile: string) =>
  db
    .selectFrom('outbox_messages')
    .select([textWithoutCodeSql.as('text'), 'state', 'created_at', 'sent_at'])
    .where('mobile', '=', mobile)
    .orderBy('id')
    .execute();

export const deleteMessagesTo = (tx: Tx, mobile: string) => tx.deleteFrom('outbox_messages').where('mobile', '=', mobile).execute();

/** Counts the codes queued since a time: those that were sent, and those that failed, and why. */
export const readCodeCounts = (db: Db, since: Date) =>
  db
    .selectFrom('outbox_messages')
    .select([
      sql<number>`count(*) filter (where state = 'sent')::int`.as('sent'),
      sql<number>`count(*) filter (where failure is not null)::int`.as('failed'),
      sql<number>`count(*) filter (where failure = 'not-accepted')::int`.as('unreachable'),
    ])
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();

/** Returns the newest codes that failed, or still wait although queued before `overdueBefore`. */
export const listUnsentCodes = (db: Db, { overdueBefore, limit }: { overdueBefore: Date; limit: number }) =>
  db
    .selectFrom('outbox_messages')
    .select(['id', sql<string>`mobile`.as('mobile'), 'failure', 'error', 'created_at'])
    .where((eb) =>
      eb.or([eb('failure', 'is not', null), eb.and([eb('state', 'in', ['waiting', 'sending']), eb('created_at', '<', overdueBefore)])]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Counts the messages that are not sent yet. */
export const readUnfinishedMessages = (db: Db) =>
  db
    .selectFrom('outbox_messages')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<Date | null>('created_at').as('oldest')])
    .where('state', 'in', ['waiting', 'sending'])
    .executeTakeFirstOrThrow();
