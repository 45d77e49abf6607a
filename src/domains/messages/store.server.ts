import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';

export interface NewMessage {
  browser_hash: Buffer;
  mobile: string;
  text: string;
  /** The code in the text, for gateways that fill a template and for the outbox of a demonstration. */
  code: string;
}

/** Part of the transaction that causes the message: it goes out if that commits, and only then. */
export async function queueMessage(tx: Tx, message: NewMessage, now: Date): Promise<number> {
  const { id } = await tx
    .insertInto('outbox_messages')
    .values({ ...message, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes the message for sending; undefined when it was taken or withdrawn before. It is taken once, whoever asks how often. */
export const takeMessage = (db: Db, id: number) =>
  db
    .updateTable('outbox_messages')
    .set({ state: 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(['mobile', 'text', sql<string>`code`.as('code')])
    .executeTakeFirst();

/**
 * False when the message was given up meanwhile. `keepText`: the table is the outbox that people read. Otherwise a text that went out is nobody's
 * business any more.
 */
export async function markSent(db: Db, id: number, now: Date, { keepText }: { keepText: boolean }): Promise<boolean> {
  const marked = await db
    .updateTable('outbox_messages')
    .set({ state: 'sent', sent_at: now, ...(!keepText && { text: '', code: null }) })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** 'failed' where nobody knows whether it went out, 'withdrawn' where it did not. */
export const giveUp = (db: Db, id: number, state: 'failed' | 'withdrawn') => unfinished(db, state).where('id', '=', id).execute();

/** Whoever waited for these has been told that they failed, or is gone. */
export const withdrawLeftBehind = (db: Db, before: Date) => unfinished(db, 'withdrawn').where('created_at', '<', before).execute();

const unfinished = (db: Db, state: 'failed' | 'withdrawn') =>
  db
    .updateTable('outbox_messages')
    .set({ state, text: '', code: null })
    .where((row) => row.or([row('state', '=', 'waiting'), row('state', '=', 'sending')]));

export interface OutboxFilter {
  mobile?: string | undefined;
  browserHash?: Buffer | undefined;
}

/** What was sent, newest first. */
export const sentMessages = (db: Db, { mobile, browserHash }: OutboxFilter, most: number) =>
  db
    .selectFrom('outbox_messages')
    .select(['mobile', 'text', 'code', 'sent_at'])
    .where('state', '=', 'sent')
    .$if(mobile !== undefined, (query) => query.where('mobile', '=', mobile!))
    .$if(browserHash !== undefined, (query) => query.where('browser_hash', '=', browserHash!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

export const deleteOldMessages = (db: Db, before: Date) => db.deleteFrom('outbox_messages').where('created_at', '<', before).execute();
