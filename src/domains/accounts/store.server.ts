import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import type { Sessions } from '../../db/tables.generated.ts';

export const findSession = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['customer_id', 'kind'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const insertSession = (db: Db, session: Insertable<Sessions>) => db.insertInto('sessions').values(session).execute();

export const deleteSession = (db: Db, tokenHash: Buffer) => db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();

/** A query, not yet run: a guest's order reads the proved mobile together with what else it needs. */
export const mobileOf = (db: Db, customer: { readonly id: string }) =>
  db.selectFrom('customers').select('mobile').where('id', '=', customer.id);

/** A query, not yet run, to be joined: what may be said of a customer beside a review or an order. */
export const customerNames = (db: Db) => db.selectFrom('customers').select(['id', 'name']);
