import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import { addSeconds, MAX_CLOCK_SKEW_SECONDS } from '../../lib/clock.ts';

/** The time between the password and the passkey. */
export const CEREMONY_SECONDS = 10 * 60;

/** `log-in` and `enrol` follow a correct password; `add` belongs to a session. */
export type PasskeyPurpose = 'log-in' | 'enrol' | 'add';

export interface PasskeyCeremony {
  tokenHash: Buffer;
  staffId: string;
  purpose: PasskeyPurpose;
}

export interface Passkey {
  id: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

export const listPasskeys = async (db: Db, staffId: string): Promise<Passkey[]> => {
  const rows = await db
    .selectFrom('staff_passkeys')
    .select(['id', 'public_key', 'counter', 'transports'])
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ id, public_key: publicKey, counter, transports }) => ({ id, publicKey, counter, transports }));
};

/** Returns the number of passkeys by person. */
export async function readPasskeyCounts(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('staff_passkeys')
    .select(['staff_id', sql<number>`count(*)::int`.as('count')])
    .groupBy('staff_id')
    .execute();
  return new Map(rows.map(({ staff_id, count }) => [staff_id, count]));
}

/** Returns false if the credential is stored already. */
export async function insertPasskey(tx: Tx, staffId: string, { id, publicKey, counter, transports }: Passkey, now: Date): Promise<boolean> {
  const inserted = await tx
    .insertInto('staff_passkeys')
    .values({ id, staff_id: staffId, public_key: publicKey, counter, transports, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const recordPasskeyUse = (tx: Tx, id: string, counter: number, now: Date) =>
  tx.updateTable('staff_passkeys').set({ counter, used_at: now }).where('id', '=', id).execute();

/**
 * Deletes the passkeys of a person, and the ceremonies in which one is about to be used or added.
 */
export async function deletePasskeysOf(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('staff_passkey_steps').where('staff_id', '=', staffId).execute();
  await tx.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).execute();
}

export const insertCeremony = (db: Db, { tokenHash, staffId, purpose }: PasskeyCeremony, expiresAt: Date) =>
  db.insertInto('staff_passkey_steps').values({ token_hash: tokenHash, staff_id: staffId, purpose, expires_at: expiresAt }).execute();

/** Returns undefined for an unknown or expired ceremony. */
export async function findCeremony(db: Db, tokenHash: Buffer, now: Date): Promise<PasskeyCeremony | undefined> {
  const row = await db
    .selectFrom('staff_passkey_steps')
    .select(['staff_id', 'purpose'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && { tokenHash, staffId: row.staff_id, purpose: row.purpose };
}

export const setChallenge = (db: Db, { tokenHash }: PasskeyCeremony, challenge: string) =>
  db.updateTable('staff_passkey_steps').set({ challenge }).where('token_hash', '=', tokenHash).execute();

/** Returns the challenge of the ceremony and deletes it: of concurrent calls, one gets it. */
export async function consumeChallenge(db: Db, { tokenHash }: PasskeyCeremony): Promise<string | undefined> {
  const row = await db
    .with('taken', (on) =>
      on.selectFrom('staff_passkey_steps').select(['token_hash', 'challenge']).where('token_hash', '=', tokenHash).forUpdate(),
    )
    .updateTable('staff_passkey_steps')
    .from('taken')
    .set({ challenge: null })
    .whereRef('staff_passkey_steps.token_hash', '=', 'taken.token_hash')
    .returning('taken.challenge')
    .executeTakeFirst();
  return row?.challenge ?? undefined;
}

export const deleteCeremony = (db: Db, tokenHash: Buffer) =>
  db.deleteFrom('staff_passkey_steps').where('token_hash', '=', tokenHash).execute();

/** Deletes expired ceremonies, and those that a clock that was ahead wrote. */
export const deleteExpiredCeremonies = (db: Db, now: Date) =>
  db
    .deleteFrom('staff_passkey_steps')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('expires_at', '>', addSeconds(now, CEREMONY_SECONDS + MAX_CLOCK_SKEW_SECONDS))]))
    .execute();
