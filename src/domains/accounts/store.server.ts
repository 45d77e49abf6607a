import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { ProvedMobile } from '../verification/authentication.server.ts';

/** Customers with an account; a guest has none until they sign up. */
export const findAccount = (db: Db, mobile: string) =>
  db
    .selectFrom('customers')
    .select(['id', 'mobile', 'email', sql<string>`name`.as('name'), sql<string>`password_hash`.as('password_hash')])
    .where('mobile', '=', mobile)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();

/** Someone who proved the mobile and has no account. */
export const findGuest = (db: Db, mobile: string) =>
  db.selectFrom('customers').select('id').where('mobile', '=', mobile).where('password_hash', 'is', null).executeTakeFirst();

export const ownDetails = (db: Db, { id }: SignedInCustomer) =>
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

/** An account that named a referrer when it signed up, with that referrer. */
export const findReferredAccount = (db: Db, mobile: string): Promise<ReferredAccount | undefined> =>
  db
    .selectFrom('customers')
    .innerJoin('customers as referrer', 'referrer.id', 'customers.referred_by')
    .select(['customers.id', 'referrer.id as referrer_id', 'referrer.mobile as referrer_mobile'])
    .where('customers.mobile', '=', mobile)
    .where('customers.password_hash', 'is not', null)
    .executeTakeFirst();

/**
 * Whether the password is still the one that was checked; then it stays so until the transaction ends. A reset that comes meanwhile waits, and finds the
 * sessions that were opened here.
 */
export const holdPassword = async (tx: Tx, id: string, passwordHash: string): Promise<boolean> =>
  (await tx.selectFrom('customers').select('id').where('id', '=', id).where('password_hash', '=', passwordHash).forShare().execute())
    .length === 1;

/** Until the transaction ends, whoever else locks this customer waits. */
export const lockCustomer = (tx: Tx, id: string) => tx.selectFrom('customers').select('id').where('id', '=', id).forUpdate().execute();

export const updateDetails = (db: Db, { id }: SignedInCustomer, details: { name?: string; email?: string }) =>
  db.updateTable('customers').set(details).where('id', '=', id).execute();

/** SQL for a larger query: the mobile number of a customer. */
export const mobileSql = (customerId: string) => sql<string>`(select mobile from customers where id = ${customerId})`;

/** A query, not yet run, to be joined: what may be said of a customer beside a review or an order. */
export const customerNames = (db: Db) => db.selectFrom('customers').select(['id', 'name']);

export interface NewAccount {
  id: string;
  name: string;
  passwordHash: string;
  referredBy: string | null;
}

/** A new account, or a guest's made full. Undefined when the mobile has an account: of sign-ups at the same time one succeeds. */
export async function createAccount(tx: Tx, { mobile }: ProvedMobile, account: NewAccount, now: Date): Promise<string | undefined> {
  const created = await tx
    .insertInto('customers')
    .values({
      id: account.id,
      mobile,
      name: account.name,
      password_hash: account.passwordHash,
      referred_by: account.referredBy,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('mobile')
        .doUpdateSet((values) => ({
          name: values.ref('excluded.name'),
          password_hash: values.ref('excluded.password_hash'),
          referred_by: values.ref('excluded.referred_by'),
        }))
        .where('customers.password_hash', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return created?.id;
}

export type SampleAccount = Omit<NewAccount, 'referredBy'> & { mobile: string };

/** False when the mobile belongs to a customer. Of many at once the first inserts, and the others wait for its end. */
export async function insertSampleAccount(tx: Tx, { id, mobile, name, passwordHash }: SampleAccount, now: Date): Promise<boolean> {
  const inserted = await tx
    .insertInto('customers')
    .values({ id, mobile, name, password_hash: passwordHash, created_at: now })
    .onConflict((conflict) => conflict.column('mobile').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The customer of a proved mobile, with or without an account; made as a guest where there is none. */
export async function customerOf(tx: Tx, { mobile }: ProvedMobile, newId: string, now: Date): Promise<string> {
  await tx
    .insertInto('customers')
    .values({ id: newId, mobile, created_at: now })
    .onConflict((conflict) => conflict.column('mobile').doNothing())
    .execute();
  return (await tx.selectFrom('customers').select('id').where('mobile', '=', mobile).executeTakeFirstOrThrow()).id;
}

export async function setPassword(tx: Tx, { mobile }: ProvedMobile, passwordHash: string): Promise<string | undefined> {
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
 * Takes one guess at a password, counted as wrong until it proves right, so that parallel guesses wait like others. `waits[n]` is the wait after n + 1
 * wrong ones. Undefined while the subject has to wait.
 */
export const takeGuess = (db: Db, subjectHash: Buffer, waits: readonly number[], now: Date) =>
  db
    .insertInto('login_waits')
    .values({ subject_hash: subjectHash, wrong: 1, next_try_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject_hash')
        .doUpdateSet({
          wrong: sql`login_waits.wrong + 1`,
          next_try_at: sql`${now}::timestamptz + (${[...waits]}::int[])[least(login_waits.wrong + 1, ${waits.length}::int)] * interval '1 second'`,
        })
        .where('login_waits.next_try_at', '<=', now),
    )
    .returning('wrong')
    .executeTakeFirst();

export const nextGuessAt = async (db: Db, subjectHash: Buffer): Promise<Date | undefined> =>
  (await db.selectFrom('login_waits').select('next_try_at').where('subject_hash', '=', subjectHash).executeTakeFirst())?.next_try_at;

export const forgetGuesses = (db: Db, subjectHash: Buffer) =>
  db.deleteFrom('login_waits').where('subject_hash', '=', subjectHash).execute();

export const insertResetHandle = (db: Db, handle: string, mobile: string, expiresAt: Date) =>
  db.insertInto('reset_handles').values({ handle, mobile, expires_at: expiresAt }).execute();

export const deleteResetHandles = (db: Db, mobile: string) => db.deleteFrom('reset_handles').where('mobile', '=', mobile).execute();

export const findResetHandle = (db: Db, handle: string, now: Date) =>
  db.selectFrom('reset_handles').select('mobile').where('handle', '=', handle).where('expires_at', '>', now).executeTakeFirst();

export async function deleteExpired(db: Db, { now, idleBefore }: { now: Date; idleBefore: Date }) {
  await db.deleteFrom('reset_handles').where('expires_at', '<', now).execute();
  await db.deleteFrom('login_waits').where('next_try_at', '<', idleBefore).execute();
}
