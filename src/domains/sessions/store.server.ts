import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import type { Sessions } from '../../db/tables.generated.ts';

/** Returns undefined for an unknown and for an expired session. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<Pick<Selectable<Sessions>, 'customer_id' | 'kind'>>`
    select customer_id, kind from sessions where token_hash = ${tokenHash} and expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Returns those of the sessions that are not expired, ended or unknown. */
export async function listLiveSessions(db: Db, tokenHashes: readonly Buffer[], now: Date): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('token_hash')
    .where(sql<boolean>`token_hash = any(${tokenHashes}::bytea[])`)
    .where('expires_at', '>', now)
    .execute();
  return rows.map(({ token_hash }) => token_hash);
}

/** SQL condition: the session has not ended. A job deletes expired ones. */
export const sessionExistsSql = (tokenHash: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from sessions where token_hash = ${tokenHash})`;

export const insertSession = (db: Db, session: Insertable<Sessions>) => db.insertInto('sessions').values(session).execute();

export const deleteSession = (db: Db, tokenHash: Buffer) => db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();

export const deleteSessionsOf = (db: Db, customerIds: readonly string[]) =>
  db
    .deleteFrom('sessions')
    .where(sql<boolean>`customer_id = any(${customerIds}::text[])`)
    .execute();

/** Ends the sessions of the account, or those of guests with its number. */
export const deleteSessionsOfKind = (db: Db, customerId: string, kind: 'customer' | 'guest') =>
  db.deleteFrom('sessions').where('customer_id', '=', customerId).where('kind', '=', kind).execute();

/** For use after a restore: the end of a session may be younger than the backup. */
export const deleteAllSessions = (db: Db) => db.deleteFrom('sessions').execute();

export const deleteExpiredSessions = (db: Db, now: Date) => db.deleteFrom('sessions').where('expires_at', '<', now).execute();

/** Makes sessions that a clock that was ahead has created start now, so that they end in time. */
export const updateFutureSessions = (db: Db, now: Date) =>
  db
    .updateTable('sessions')
    .set({ created_at: now, expires_at: sql`${now}::timestamptz + (expires_at - created_at)` })
    .where('created_at', '>', addSeconds(now, MAX_CLOCK_SKEW_SECONDS))
    .execute();

/** For the export of a customer's data. */
export const listSessions = (db: Db, customerId: string) =>
  db.selectFrom('sessions').select(['kind', 'created_at', 'expires_at']).where('customer_id', '=', customerId).execute();
