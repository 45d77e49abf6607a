import { sql, type ExpressionBuilder, type Insertable } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { digitsOf } from '../../security/tokens.server.ts';
import type { DB, KnownDevices as KnownDevicesTable } from '../../db/tables.generated.ts';
import type { Purpose } from './contract.ts';
import type { RecentCode } from './rules.ts';

/**
 * Locks the mobile in all processes until the transaction ends. Without it, concurrent requests
 * could exceed the limits of the mobile.
 */
export const lockMobile = (tx: Tx, mobile: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`verification ${mobile}`}, 0))`.execute(tx);

/** A code or a grant is valid only for this browser, mobile and purpose. */
export interface Binding {
  browser_hash: Buffer;
  mobile: string;
  purpose: Purpose;
}

/** The client that requests a code. Older rows have no network and no device. */
export interface CodeRequester {
  browser_hash: Buffer;
  network_hash: Buffer | null;
  /** The known device. Null for an unknown device. */
  device_hash: Buffer | null;
}

/** A mobile number, and its keyed hash, which its codes keep when its customer is erased. */
export interface HashedMobile {
  mobile: string;
  mobileHash: Buffer;
}

/**
 * Replaces the number in the codes of an erased customer. No mobile number begins with 0. Two
 * numbers with the same nine digits would share their limits for a day.
 */
const toPseudonym = (mobileHash: Buffer) => `0${digitsOf(mobileHash, 9)}`;

/**
 * Returns the codes of a mobile after `since`, newest first, also those of an account that was
 * erased meanwhile. Ignores rows later than `now`: a clock that was ahead wrote them.
 */
export const listRecentCodes = (
  db: Db,
  { browser_hash, network_hash, device_hash, mobile, mobileHash }: CodeRequester & HashedMobile,
  { since, now }: { since: Date; now: Date },
): Promise<RecentCode[]> =>
  db
    .selectFrom('verification_codes')
    .select((eb) => [
      'created_at as sentAt',
      'wrong_guesses as wrongGuesses',
      'known_device as isOfKnownDevice',
      (device_hash
        ? eb('device_hash', 'is not distinct from', device_hash)
        : eb.or([eb('browser_hash', '=', browser_hash), ...(network_hash ? [eb('network_hash', '=', network_hash)] : [])])
      )
        .$castTo<boolean>()
        .as('isOfSameClient'),
    ])
    .where('mobile', 'in', [mobile, toPseudonym(mobileHash)])
    .where('created_at', '>', since)
    .where('created_at', '<=', now)
    .orderBy('created_at', 'desc')
    .execute();

/** Returns whether a code that this network requested was confirmed after `since`. */
export const isKnownNetwork = async (db: Db, networkHash: Buffer, since: Date): Promise<boolean> =>
  (await db
    .selectFrom('verification_codes')
    .select('id')
    .where('network_hash', '=', networkHash)
    .where('used_at', '>', since)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export interface NewCode extends Binding, CodeRequester {
  known_device: boolean;
  created_at: Date;
  expires_at: Date;
}

/** Matches the codes of a browser, mobile and purpose that are neither used nor voided. */
const isLiveCode = (binding: Binding) => (eb: ExpressionBuilder<DB, 'verification_codes'>) =>
  eb
    .and({ browser_hash: binding.browser_hash, mobile: binding.mobile, purpose: binding.purpose })
    .and('used_at', 'is', null)
    .and('voided_at', 'is', null);

/** Voids the live code, if there is one. Returns its message, which may still be queued. */
export const voidLiveCode = (tx: Tx, binding: Binding, now: Date) =>
  tx.updateTable('verification_codes').set({ voided_at: now }).where(isLiveCode(binding)).returning('message_id').executeTakeFirst();

export async function insertCode(tx: Tx, code: NewCode): Promise<number> {
  const { id } = await tx.insertInto('verification_codes').values(code).returning('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * Makes the code confirmable. Returns false if a concurrent resend voided it. `messageId` is null
 * if the provider sends the message.
 */
export async function setHandle(tx: Tx, codeId: number, handle: string, messageId: number | null): Promise<boolean> {
  const attached = await tx
    .updateTable('verification_codes')
    .set({ handle, message_id: messageId })
    .where('id', '=', codeId)
    .where('voided_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return attached !== undefined;
}

/** Does nothing for a used code. */
export const voidCode = (db: Db, codeId: number, now: Date) =>
  db.updateTable('verification_codes').set({ voided_at: now }).where('id', '=', codeId).where('used_at', 'is', null).execute();

/** Deletes the code, so that it does not count in the limits of its mobile. */
export const deleteCode = (db: Db, codeId: number) => db.deleteFrom('verification_codes').where('id', '=', codeId).execute();

/**
 * Decrements the attempts of the live code and counts the attempt as wrong; `setCodeUsed` reverts
 * that. Returns undefined if there is no confirmable code with attempts left.
 */
export const recordAttempt = (tx: Tx, binding: Binding, now: Date) =>
  tx
    .updateTable('verification_codes')
    .set({ tries_left: sql`tries_left - 1`, wrong_guesses: sql`wrong_guesses + 1` })
    .where(isLiveCode(binding))
    .where('handle', 'is not', null)
    .where('created_at', '<=', addSeconds(now, MAX_CLOCK_SKEW_SECONDS))
    .where('expires_at', '>', now)
    .where('tries_left', '>', 0)
    .returning(['id', sql<string>`handle`.as('handle')])
    .executeTakeFirst();

/**
 * Returns the code that is not used, voided or expired. It may have no attempts left, and its
 * message may not be queued yet.
 */
export const findLiveCode = (db: Db, binding: Binding, now: Date) =>
  db
    .selectFrom('verification_codes')
    .select(['known_device', 'network_hash', 'device_hash', 'tries_left'])
    .where(isLiveCode(binding))
    .where('created_at', '<=', addSeconds(now, MAX_CLOCK_SKEW_SECONDS))
    .where('expires_at', '>', now)
    .executeTakeFirst();

/**
 * Marks the code as used, and reverts the count of its last attempt. Returns false if the code was
 * already used, was voided or has expired.
 */
export async function setCodeUsed(tx: Tx, codeId: number, now: Date): Promise<boolean> {
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

/** An unexecuted query for the oldest unused grant. */
export const selectGrant = (db: Db, { browser_hash, mobile, purpose }: GrantKey, now: Date) =>
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

/** Returns false if there is no unused grant. Of concurrent calls, one succeeds. */
export async function setGrantUsed(tx: Tx, key: GrantKey, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('verification_grants')
    .set({ used_at: now })
    .where('id', '=', selectGrant(tx, key, now).forUpdate())
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/**
 * Invalidates the codes and grants of all browsers, the codes first. A concurrent confirmation
 * holds the lock on its code until its grant is committed, so the second statement finds that
 * grant.
 */
export async function voidCodesAndGrants(tx: Tx, { mobile, purpose }: { mobile: string; purpose: Purpose }, now: Date) {
  const unused = { mobile, purpose, used_at: null };
  await tx
    .updateTable('verification_codes')
    .set({ voided_at: now })
    .where((eb) => eb.and({ ...unused, voided_at: null }))
    .execute();
  await tx
    .updateTable('verification_grants')
    .set({ used_at: now })
    .where((eb) => eb.and(unused))
    .execute();
}

interface Retention {
  now: Date;
  codesAfter: Date;
  /** Rows that were created or expire later come from a clock that was ahead. */
  latestCreation: Date;
  latestExpiry: Date;
}

/**
 * Deletes the codes from before `codesAfter`, which no longer count in any limit, and expired
 * grants and known devices.
 */
export async function deleteOldVerifications(db: Db, { now, codesAfter, latestCreation, latestExpiry }: Retention) {
  await db
    .deleteFrom('verification_codes')
    .where((eb) => eb.or([eb('created_at', '<', codesAfter), eb('created_at', '>', latestCreation)]))
    .execute();
  await db
    .deleteFrom('verification_grants')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('expires_at', '>', latestExpiry)]))
    .execute();
  await db.deleteFrom('known_devices').where('expires_at', '<', now).execute();
}

/** A person of the staff can be a customer with the same number. */
export interface DeviceOwner {
  mobile: string;
  kind: 'customer' | 'staff';
}

export const hasDevice = async (db: Db, deviceHash: Buffer, { mobile, kind }: DeviceOwner, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('known_devices')
    .select('mobile')
    .where('device_hash', '=', deviceHash)
    .where('mobile', '=', mobile)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()) !== undefined;

export const insertDevice = (tx: Tx, device: Insertable<KnownDevicesTable>) => tx.insertInto('known_devices').values(device).execute();

export const deleteDevice = (db: Db, deviceHash: Buffer) => db.deleteFrom('known_devices').where('device_hash', '=', deviceHash).execute();

/** Deletes the devices of the owner, except the one with the hash `kept`, if given. */
export const deleteDevicesOf = (tx: Tx, { mobile, kind }: DeviceOwner, kept?: Buffer) =>
  tx
    .deleteFrom('known_devices')
    .where('mobile', '=', mobile)
    .where('kind', '=', kind)
    .$if(kept !== undefined, (query) => query.where('device_hash', '<>', kept!))
    .execute();

/**
 * Deletes the devices of the owner that are older than the `max` newest. Skips rows that another
 * transaction deletes: two of them could each hold a row that the other waits for.
 */
export const deleteOldestDevices = (tx: Tx, { mobile, kind }: DeviceOwner, max: number) => {
  const ofOwner = tx.selectFrom('known_devices').where('mobile', '=', mobile).where('kind', '=', kind);
  const oldestKept = ofOwner
    .select('created_at')
    .orderBy('created_at', 'desc')
    .offset(max - 1)
    .limit(1);
  const oldest = ofOwner.select('device_hash').where('created_at', '<', oldestKept).forUpdate().skipLocked();
  return tx.deleteFrom('known_devices').where('device_hash', 'in', oldest).execute();
};

/** For the export of a customer's data. */
export const readVerifications = async (db: Db, mobile: string) => ({
  codes: await db
    .selectFrom('verification_codes')
    .select(['purpose', 'created_at', 'used_at'])
    .where('mobile', '=', mobile)
    .orderBy('id')
    .execute(),
  devices: await db
    .selectFrom('known_devices')
    .select(['created_at', 'expires_at'])
    .where('mobile', '=', mobile)
    .where('kind', '=', 'customer')
    .execute(),
});

/** Deletes codes, grants and known devices of a customer's mobile number. */
export async function deleteVerificationsOf(tx: Tx, mobile: string) {
  await tx.deleteFrom('verification_codes').where('mobile', '=', mobile).execute();
  await deleteGrantsAndDevices(tx, mobile);
}

/**
 * Deletes grants and known devices of an erased customer. Keeps the codes without the number for
 * the day in which they count: a deletion must not restart the limits of the number.
 */
export async function eraseVerificationsOf(tx: Tx, { mobile, mobileHash }: HashedMobile, now: Date) {
  await tx
    .updateTable('verification_codes')
    .set({ mobile: toPseudonym(mobileHash), handle: null, device_hash: null, voided_at: sql`coalesce(voided_at, ${now})` })
    .where('mobile', '=', mobile)
    .execute();
  await deleteGrantsAndDevices(tx, mobile);
}

async function deleteGrantsAndDevices(tx: Tx, mobile: string) {
  await tx.deleteFrom('verification_grants').where('mobile', '=', mobile).execute();
  await deleteDevicesOf(tx, { mobile, kind: 'customer' });
}
