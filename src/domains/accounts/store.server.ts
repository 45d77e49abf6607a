import { sql, type RawBuilder } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { CustomerOrGuest, SignedInCustomer } from '../sessions/authentication.server.ts';
import type { VerifiedMobile } from '../verification/authentication.server.ts';

/** Returns undefined if the mobile is unknown or belongs to a guest, who has no password. */
export const findAccount = (db: Db, mobile: string) =>
  db
    .selectFrom('customers')
    .select(['id', 'mobile', 'email', sql<string>`name`.as('name'), sql<string>`password_hash`.as('password_hash')])
    .where('mobile', '=', mobile)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();

/** Returns an account whose mobile matches the pattern, or undefined. */
export const findAccountLike = (db: Db, pattern: string) =>
  db
    .selectFrom('customers')
    .select(['id', 'mobile', 'password_hash'])
    .where('mobile', 'like', pattern)
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst();

/** Returns whether a customer has a mobile that matches none of the patterns. */
export const hasCustomerOutside = async (db: Db, patterns: readonly string[]): Promise<boolean> =>
  (await db
    .selectFrom('customers')
    .select('id')
    .where(sql<boolean>`mobile not like all (${patterns}::text[])`)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Makes guests of the accounts whose mobiles match the pattern. Returns their ids. */
export async function deletePasswords(tx: Tx, pattern: string): Promise<string[]> {
  const accounts = tx.updateTable('customers').set({ password_hash: null, name: null }).where('mobile', 'like', pattern);
  return (await accounts.where('password_hash', 'is not', null).returning('id').execute()).map(({ id }) => id);
}

/** Returns undefined if the mobile is unknown or has an account with a password. */
export const findGuest = (db: Db, mobile: string) =>
  db.selectFrom('customers').select('id').where('mobile', '=', mobile).where('password_hash', 'is', null).executeTakeFirst();

/** Throws if the customer does not exist. */
export const readDetails = (db: Db, { id }: SignedInCustomer) =>
  db
    .selectFrom('customers')
    .select(['id', 'mobile', 'email', sql<string>`name`.as('name')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export interface ReferredAccount {
  id: string;
  referrer_id: string;
  referrer_mobile: string;
}

/**
 * Returns undefined if the account does not exist, or was created without a referrer, or if the
 * referrer was erased.
 */
export const findReferredAccount = (db: Db, account: { id: string } | { mobile: string }): Promise<ReferredAccount | undefined> =>
  db
    .selectFrom('customers')
    .innerJoin('customers as referrer', 'referrer.id', 'customers.referred_by')
    .select(['customers.id', 'referrer.id as referrer_id', 'referrer.mobile as referrer_mobile'])
    .where((eb) => ('id' in account ? eb('customers.id', '=', account.id) : eb('customers.mobile', '=', account.mobile)))
    .where('customers.password_hash', 'is not', null)
    .where('referrer.is_erased', '=', false)
    .executeTakeFirst();

/**
 * Returns false if the password was changed since it was checked. Otherwise locks the row until the
 * transaction ends, so that a concurrent reset waits and then deletes the session created here.
 */
export const lockUnchangedPassword = async (tx: Tx, id: string, passwordHash: string): Promise<boolean> =>
  (await tx.selectFrom('customers').select('id').where('id', '=', id).where('password_hash', '=', passwordHash).forShare().execute())
    .length === 1;

/**
 * The strength of a lock of a customer's row. Both exclude an erasure. With 'update', all other
 * transactions that lock the customer wait, too.
 */
export type LockStrength = 'key share' | 'update';

/**
 * Locks the row of a customer until the transaction ends. Returns false if the customer is erased
 * or does not exist.
 */
export async function lockCustomer(tx: Tx, id: string, strength: LockStrength): Promise<boolean> {
  const query = sql<{ is_erased: boolean }>`select is_erased from customers where id = ${id} for ${sql.raw(strength)}`;
  const { rows } = await query.execute(tx);
  return rows[0]?.is_erased === false;
}

/**
 * A query, to be executed alone or within a statement. Locks the row of a customer ('key share'),
 * and returns the id as owner_id and is_erased, also for an erased customer. No row if unknown.
 */
export const lockCustomerSql = (db: Db, customerId: RawBuilder<unknown>) =>
  db
    .selectFrom('customers')
    .select(['id as owner_id', 'is_erased'])
    .where(sql<boolean>`id = ${customerId}`)
    .forKeyShare();

/**
 * The rest of a query that locks the row of a customer ('key share'). It returns no row if the
 * customer is erased.
 */
export const lockUnerasedSql = (id: string) => sql`from customers where id = ${id} and not is_erased for key share`;

/** Returns false for an unknown customer. */
export const isErased = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('customers').select('id').where('id', '=', id).where('is_erased', '=', true).executeTakeFirst()) !== undefined;

/** Returns false if the customer is erased. */
export async function updateDetails(db: Db, { id }: SignedInCustomer, details: { name?: string; email?: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set(details)
    .where('id', '=', id)
    .where('is_erased', '=', false)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Throws if the customer does not exist. The number of an erased customer is a pseudonym. */
export const readMobile = async (db: Db, { id }: CustomerOrGuest): Promise<string> =>
  (await db.selectFrom('customers').select('mobile').where('id', '=', id).executeTakeFirstOrThrow()).mobile;

/** A subquery for the mobile number of a customer. */
export const mobileSql = (customerId: string) => sql<string>`(select mobile from customers where id = ${customerId})`;

/**
 * An unexecuted query for joins. It selects only what a review or an order may show of a customer.
 */
export const selectCustomerNames = (db: Db) => db.selectFrom('customers').select(['id', 'name']);

/** For the laundry only: an unexecuted query for joins, with names and numbers of customers. */
export const selectCustomerContacts = (db: Db) =>
  db
    .selectFrom('customers')
    .select(['id', 'name', sql<string>`mobile::text`.as('mobile'), sql<boolean>`password_hash is null`.as('is_guest'), 'created_at']);

export interface NewAccount {
  id: string;
  name: string;
  passwordHash: string;
}

/**
 * Creates an account, or adds name and password to a guest. Returns its id, or undefined if the
 * mobile already has an account: of concurrent sign-ups, one succeeds.
 */
export async function insertAccount(tx: Tx, { mobile }: VerifiedMobile, account: NewAccount, now: Date): Promise<string | undefined> {
  const created = await tx
    .insertInto('customers')
    .values({
      id: account.id,
      mobile,
      name: account.name,
      password_hash: account.passwordHash,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('mobile')
        .doUpdateSet((values) => ({
          name: values.ref('excluded.name'),
          password_hash: values.ref('excluded.password_hash'),
        }))
        .where('customers.password_hash', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return created?.id;
}

/** Stores the customer who receives the bonus for a new account. */
export const setReferrer = (tx: Tx, id: string, referrerId: string) =>
  tx.updateTable('customers').set({ referred_by: referrerId }).where('id', '=', id).execute();

export type SampleAccount = NewAccount & { mobile: string };

/**
 * Returns false if the mobile already has a customer. Concurrent calls wait for the transaction
 * that inserts.
 */
export async function insertSampleAccount(tx: Tx, { id, mobile, name, passwordHash }: SampleAccount, now: Date): Promise<boolean> {
  const inserted = await tx
    .insertInto('customers')
    .values({ id, mobile, name, password_hash: passwordHash, created_at: now })
    .onConflict((conflict) => conflict.column('mobile').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Returns the id of the customer with this mobile. Creates a guest if there is none. */
export async function findOrInsertCustomer(tx: Tx, { mobile }: VerifiedMobile, newId: string, now: Date): Promise<string> {
  await tx
    .insertInto('customers')
    .values({ id: newId, mobile, created_at: now })
    .onConflict((conflict) => conflict.column('mobile').doNothing())
    .execute();
  return (await tx.selectFrom('customers').select('id').where('mobile', '=', mobile).executeTakeFirstOrThrow()).id;
}

/** Throws if the mobile has a customer. */
export const insertGuest = (tx: Tx, { id, mobile }: { id: string; mobile: string }, now: Date) =>
  tx.insertInto('customers').values({ id, mobile, created_at: now }).execute();

/** Returns the id of the customer, or undefined if the mobile has no account. */
export async function setPassword(tx: Tx, { mobile }: VerifiedMobile, passwordHash: string): Promise<string | undefined> {
  const changed = await tx
    .updateTable('customers')
    .set({ password_hash: passwordHash })
    .where('mobile', '=', mobile)
    .where('password_hash', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return changed?.id;
}

/**
 * Counts a wrong password before the password is checked, so that the back-off also applies to
 * concurrent attempts. The caller deletes the count if the password is correct. Returns undefined
 * while the subject must wait. `waitSeconds[n]` is the wait after n + 1 wrong passwords.
 */
export function recordLoginAttempt(db: Db, subjectHash: Buffer, waitSeconds: readonly number[], now: Date) {
  const waitAfter = (wrong: RawBuilder<unknown>) =>
    sql`(${[...waitSeconds]}::int[])[least(${wrong}, ${waitSeconds.length}::int)] * interval '1 second'`;
  const latest = addSeconds(now, MAX_CLOCK_SKEW_SECONDS);
  return db
    .insertInto('login_waits')
    .values({ subject_hash: subjectHash, wrong: 1, next_try_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject_hash')
        .doUpdateSet({
          wrong: sql`login_waits.wrong + 1`,
          next_try_at: sql`${now}::timestamptz + ${waitAfter(sql`login_waits.wrong + 1`)}`,
        })
        .where((eb) =>
          eb.or([
            eb('login_waits.next_try_at', '<=', now),
            // Later than this wait allows: a clock that was ahead wrote it.
            eb('login_waits.next_try_at', '>', sql<Date>`${latest}::timestamptz + ${waitAfter(sql`login_waits.wrong`)}`),
          ]),
        ),
    )
    .returning('wrong')
    .executeTakeFirst();
}

export const findNextLoginAttemptAt = async (db: Db, subjectHash: Buffer): Promise<Date | undefined> =>
  (await db.selectFrom('login_waits').select('next_try_at').where('subject_hash', '=', subjectHash).executeTakeFirst())?.next_try_at;

export async function deleteLoginWait(db: Db, subjectHash: Buffer): Promise<void> {
  await db.deleteFrom('login_waits').where('subject_hash', '=', subjectHash).execute();
}

export const insertResetHandle = (db: Db, handle: string, mobile: string, expiresAt: Date) =>
  db.insertInto('reset_handles').values({ handle, mobile, expires_at: expiresAt }).execute();

export const deleteResetHandles = (db: Db, mobile: string) => db.deleteFrom('reset_handles').where('mobile', '=', mobile).execute();

/** Returns undefined for an unknown or expired handle. */
export const findResetHandle = (db: Db, handle: string, now: Date) =>
  db.selectFrom('reset_handles').select('mobile').where('handle', '=', handle).where('expires_at', '>', now).executeTakeFirst();

/**
 * Deletes expired reset handles, and log-in back-offs that ended before `idleBefore`. Also deletes
 * handles that expire after `latestExpiry`: a clock that was ahead created them.
 */
export async function deleteExpired(db: Db, { now, idleBefore, latestExpiry }: { now: Date; idleBefore: Date; latestExpiry: Date }) {
  await db
    .deleteFrom('reset_handles')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('expires_at', '>', latestExpiry)]))
    .execute();
  await db.deleteFrom('login_waits').where('next_try_at', '<', idleBefore).execute();
}

/** Returns the customer with this mobile or id: a guest, one with an account, or an erased one. */
export const findCustomer = (db: Db, customer: { id: string } | { mobile: string }) =>
  db
    .selectFrom('customers')
    .select(['id', 'mobile', 'name', 'email', 'referred_by', 'created_at'])
    .where((eb) => ('id' in customer ? eb('id', '=', customer.id) : eb('mobile', '=', customer.mobile)))
    .executeTakeFirst();

/**
 * Removes what identifies a customer. The row stays, because orders and the ledger refer to its id.
 * `pseudonym` replaces the mobile number.
 */
export async function erasePersonalDataOfCustomer(tx: Tx, { id, mobile, pseudonym }: { id: string; mobile: string; pseudonym: string }) {
  await tx
    .updateTable('customers')
    .set({ mobile: pseudonym, name: null, password_hash: null, email: '', referred_by: null, is_erased: true })
    .where('id', '=', id)
    .execute();
  await deleteResetHandles(tx, mobile);
}
