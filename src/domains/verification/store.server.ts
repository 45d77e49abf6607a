import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Purpose } from './contract.ts';

/** One number, one thing at a time, in all processes, until the transaction ends: the limits per number would not hold otherwise. */
export const lockMobile = (tx: Tx, mobile: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`verification ${mobile}`}, 0))`.execute(tx);

/** What a code or a grant is bound to. */
export interface Binding {
  browser_hash: Buffer;
  mobile: string;
  purpose: Purpose;
}

export const sendTimes = async (tx: Tx, mobile: string, since: Date): Promise<Date[]> =>
  (
    await tx
      .selectFrom('verification_codes')
      .select('created_at')
      .where('mobile', '=', mobile)
      .where('created_at', '>', since)
      .orderBy('created_at', 'desc')
      .execute()
  ).map((row) => row.created_at);

export async function wrongGuesses(tx: Tx, mobile: string, since: Date): Promise<number> {
  const { wrong } = await tx
    .selectFrom('verification_codes')
    .select(sql<number>`coalesce(sum(wrong_guesses), 0)::int`.as('wrong'))
    .where('mobile', '=', mobile)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return wrong;
}

/** Ends the binding's live code, if there is one. Answers its message, for the case that it is still waiting. */
export const voidLiveCode = (tx: Tx, binding: Binding, now: Date) =>
  tx
    .updateTable('verification_codes')
    .set({ voided_at: now })
    .where('browser_hash', '=', binding.browser_hash)
    .where('mobile', '=', binding.mobile)
    .where('purpose', '=', binding.purpose)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .returning('message_id')
    .executeTakeFirst();

export async function insertCode(tx: Tx, binding: Binding, now: Date, expiresAt: Date): Promise<number> {
  const { id } = await tx
    .insertInto('verification_codes')
    .values({ ...binding, created_at: now, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** From here on the code can be confirmed. False when a resend ended it meanwhile. */
export async function attachHandle(tx: Tx, codeId: number, handle: string, messageId: number | null): Promise<boolean> {
  const attached = await tx
    .updateTable('verification_codes')
    .set({ handle, message_id: messageId })
    .where('id', '=', codeId)
    .where('voided_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return attached !== undefined;
}

/** Nothing of a code whose message failed stays usable. */
export const voidCode = (db: Db, codeId: number, now: Date) =>
  db.updateTable('verification_codes').set({ voided_at: now }).where('id', '=', codeId).where('used_at', 'is', null).execute();

/** For a code that was never asked for: it counts in no limit of its number. */
export const forgetCode = (db: Db, codeId: number) => db.deleteFrom('verification_codes').where('id', '=', codeId).execute();

/** Takes one try of the live code, and counts it as wrong until it proves right: parallel guesses cannot get past either limit. */
export const takeTry = (tx: Tx, binding: Binding, now: Date) =>
  tx
    .updateTable('verification_codes')
    .set({ tries_left: sql`tries_left - 1`, wrong_guesses: sql`wrong_guesses + 1` })
    .where('browser_hash', '=', binding.browser_hash)
    .where('mobile', '=', binding.mobile)
    .where('purpose', '=', binding.purpose)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('handle', 'is not', null)
    .where('expires_at', '>', now)
    .where('tries_left', '>', 0)
    .returning(['id', sql<string>`handle`.as('handle')])
    .executeTakeFirst();

/** Whether the binding has a live code at all, be it without tries. */
export const findLiveCode = (db: Db, binding: Binding, now: Date) =>
  db
    .selectFrom('verification_codes')
    .select('id')
    .where('browser_hash', '=', binding.browser_hash)
    .where('mobile', '=', binding.mobile)
    .where('purpose', '=', binding.purpose)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** The right answer, once: false when another call was first, or the code ended meanwhile. */
export async function useCode(tx: Tx, codeId: number, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('verification_codes')
    .set({ used_at: now, wrong_guesses: sql`wrong_guesses - 1` })
    .where('id', '=', codeId)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

export type GrantPurpose = Purpose | 'receipt';

export interface GrantKey {
  browser_hash: Buffer;
  mobile: string;
  purpose: GrantPurpose;
}

export const insertGrant = (tx: Tx, grant: GrantKey, now: Date, expiresAt: Date) =>
  tx
    .insertInto('verification_grants')
    .values({ ...grant, created_at: now, expires_at: expiresAt })
    .execute();

export const findGrant = (db: Db, { browser_hash, mobile, purpose }: GrantKey, now: Date) =>
  db
    .selectFrom('verification_grants')
    .select('id')
    .where('browser_hash', '=', browser_hash)
    .where('mobile', '=', mobile)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .limit(1);

/** Uses the grant up. False when there is none left: of callers at the same time one gets it. */
export async function useGrant(tx: Tx, key: GrantKey, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('verification_grants')
    .set({ used_at: now })
    .where('id', '=', findGrant(tx, key, now).forUpdate())
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Codes first: one that is being confirmed meanwhile leaves its grant before its row is free, and that grant is found. */
export async function endProofs(tx: Tx, { mobile, purpose }: Pick<GrantKey, 'mobile' | 'purpose'>, now: Date) {
  const unused = { mobile, purpose, used_at: null };
  await tx
    .updateTable('verification_codes')
    .set({ voided_at: now })
    .where((of) => of.and({ ...unused, voided_at: null }))
    .execute();
  await tx
    .updateTable('verification_grants')
    .set({ used_at: now })
    .where((of) => of.and(unused))
    .execute();
}

/** Codes count in the limits of their number until `codesBefore`. */
export async function deleteOldVerifications(db: Db, { codesBefore, now }: { codesBefore: Date; now: Date }) {
  await db.deleteFrom('verification_codes').where('created_at', '<', codesBefore).execute();
  await db.deleteFrom('verification_grants').where('expires_at', '<', now).execute();
}
