import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';

export interface NewMessage {
  browser_hash: Buffer;
  mobile: string;
  text: string;
  /** The code in the text, for the outbox of a demonstration. */
  code: string | null;
}

/** Part of the transaction that causes the message: it goes out if that commits, and only then. */
export async function queueMessage(tx: Tx, message: NewMessage, now: Date): Promise<number> {
  const { id } = await tx
    .insertInto('outbox_messages')
    .values({ ...message, created_at: now, next_attempt_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes waiting messages for one attempt. Other processes skip what is taken here, and see it again only at `until`. */
export const takeWaiting = (db: Db, { most, now, until }: { most: number; now: Date; until: Date }) =>
  db
    .updateTable('outbox_messages')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: until })
    .where('id', 'in', (due) =>
      due
        .selectFrom('outbox_messages')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_attempt_at', '<=', now)
        .orderBy('id')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .where('state', '=', 'waiting')
    .returning(['id', 'mobile', 'text'])
    .execute();

export const messageState = async (db: Db, id: number): Promise<string | undefined> =>
  (await db.selectFrom('outbox_messages').select('state').where('id', '=', id).executeTakeFirst())?.state;

export const tryAgainAt = (db: Db, id: number, at: Date) =>
  db.updateTable('outbox_messages').set({ next_attempt_at: at }).where('id', '=', id).execute();

/** `keepText`: the table is the outbox that people read. Otherwise a text that went out is nobody's business any more. */
export const markSent = (db: Db, id: number, now: Date, { keepText }: { keepText: boolean }) =>
  db
    .updateTable('outbox_messages')
    .set({ state: 'sent', sent_at: now, ...(!keepText && { text: '', code: null }) })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();

export const markFailed = (db: Db, id: number) => endWaiting(db, 'failed').where('id', '=', id).execute();

export const withdraw = (db: Db, id: number) => endWaiting(db, 'withdrawn').where('id', '=', id).execute();

/** Whoever waited for these has been told that they failed, or is gone. */
export const withdrawOlder = (db: Db, than: Date) => endWaiting(db, 'withdrawn').where('created_at', '<', than).execute();

const endWaiting = (db: Db, state: 'failed' | 'withdrawn') =>
  db.updateTable('outbox_messages').set({ state, text: '', code: null }).where('state', '=', 'waiting');

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
