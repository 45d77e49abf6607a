import type { Expression, Insertable, RawBuilder } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import type { Sessions } from '../../db/tables.generated.ts';

const sessionOf = (db: Db, tokenHash: Buffer, now: Date) =>
  db.selectFrom('sessions').select(['customer_id', 'kind']).where('token_hash', '=', tokenHash).where('expires_at', '>', now);

export const findSession = (db: Db, tokenHash: Buffer, now: Date) => sessionOf(db, tokenHash, now).executeTakeFirst();

/** The session and, in the same statement, what is read for the customer it belongs to. */
export const findSessionReading = <Found>(
  db: Db,
  tokenHash: Buffer,
  now: Date,
  read: (customerId: Expression<string>) => RawBuilder<Found>,
) =>
  sessionOf(db, tokenHash, now)
    .select((of) => read(of.ref('sessions.customer_id')).as('found'))
    .executeTakeFirst();

export const insertSession = (db: Db, session: Insertable<Sessions>) => db.insertInto('sessions').values(session).execute();

export const deleteSession = (db: Db, tokenHash: Buffer) => db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();

export const deleteSessionsOf = (db: Db, customerId: string) => db.deleteFrom('sessions').where('customer_id', '=', customerId).execute();

export const deleteExpiredSessions = (db: Db, now: Date) => db.deleteFrom('sessions').where('expires_at', '<', now).execute();
