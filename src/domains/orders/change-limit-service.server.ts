/** Limits the changes that a customer makes to placed orders. */
import type { KeyedHash } from '../../security/tokens.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { consumeLimit, type LimitResult } from '../../db/limits.server.ts';
import { readMobile } from '../accounts/store.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { MAX_CUSTOMER_CHANGES_PER_DAY } from './rules.ts';

/**
 * Counts a change of the caller, which stores a row and may send a message, before it is made. It
 * is refused beyond `MAX_CUSTOMER_CHANGES_PER_DAY` for the account and for the guests of a mobile.
 */
export async function countCustomerChange(
  { db, hashMobile }: { db: Db; hashMobile: KeyedHash },
  caller: CustomerOrGuest,
  now: Date,
): Promise<LimitResult> {
  const subject = `${caller.kind} ${hashMobile(await readMobile(db, caller)).toString('hex')}`;
  const limit = { name: 'order changes of a number', max: MAX_CUSTOMER_CHANGES_PER_DAY, windowSeconds: DAY_SECONDS };
  return consumeLimit(db, { ...limit, subject, now });
}
