/** Limits the changes that a customer makes to placed orders. */
import type { KeyedHash } from '../../security/tokens.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Db } from '../../db/database.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { readMobile } from '../accounts/store.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { orderError } from './contract.ts';
import { MAX_CHANGES_PER_DAY } from './rules.ts';

/**
 * Counts a change of the caller, which stores a row and may send a message. Throws `ApiError`
 * (rate-limited) beyond `MAX_CHANGES_PER_DAY` for a mobile number.
 */
export async function countCustomerChange(
  { db, hashMobile }: { db: Db; hashMobile: KeyedHash },
  caller: CustomerOrGuest,
  { now, supportMobile }: { now: Date; supportMobile: string },
): Promise<void> {
  const subject = hashMobile(await readMobile(db, caller)).toString('hex');
  const limit = { name: 'order changes of a number', max: MAX_CHANGES_PER_DAY, windowSeconds: DAY_SECONDS };
  const use = await consumeLimit(db, { ...limit, subject, now });
  if (!use.allowed) throw new ApiError('rate-limited', orderError('too-many-changes', { mobile: supportMobile }), use.retryAfterSeconds);
}
