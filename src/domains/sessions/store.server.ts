import { sql, type Expression, type Insertable, type RawBuilder } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import { statement, type Given } from '../../db/statement.server.ts';
import type { Sessions } from '../../db/tables.generated.ts';

const sessionOf = (db: Db, tokenHash: Buffer | Expression<Buffer>, now: Date | Expression<Date>) =>
  db.selectFrom('sessions').select(['customer_id', 'kind']).where('token_hash', '=', tokenHash).where('expires_at', '>', now);

export const findSession = (db: Db, tokenHash: Buffer, now: Date) => sessionOf(db, tokenHash, now).executeTakeFirst();

/** What is read for a customer, as part of a statement. */
type Read<Values, Found> = (db: Db, customerId: Expression<string>, given: Given<Values>) => RawBuilder<Found>;

/** The session and, in the same statement, what is read for the customer it belongs to. */
export const readingWithSession = <Values extends object, Found>(read: Read<Values, Found>) =>
  statement((db, given: Given<Values & { sessionHash: Buffer; now: Date }>) =>
    sessionOf(db, given.sessionHash, given.now)
      .select((of) => read(db, of.ref('sessions.customer_id'), given).as('found'))
      .compile(),
  );

/** The same for a customer who needs no session. */
export const readingAlone = <Values extends object, Found>(read: Read<Values, Found>) =>
  statement((db, given: Given<Values & { customerId: string }>) =>
    db.selectNoFrom(read(db, sql<string>`${given.customerId}::text`, given).as('found')).compile(),
  );

export const insertSession = (db: Db, session: Insertable<Sessions>) => db.insertInto('sessions').values(session).execute();

export const deleteSession = (db: Db, tokenHash: Buffer) => db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();

export const deleteSessionsOf = (db: Db, customerId: string) => db.deleteFrom('sessions').where('customer_id', '=', customerId).execute();

export const deleteExpiredSessions = (db: Db, now: Date) => db.deleteFrom('sessions').where('expires_at', '<', now).execute();
