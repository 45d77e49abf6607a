/** Limits of what a person of the staff credits to customers, and changes, in a day. */
import { ApiError } from '../../contract/api-error.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { startOfKolkataDay } from '../../lib/dates.ts';
import { asPaise, formatAmount, type Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { requireFreshLogin, type StaffMember } from './authentication.server.ts';
import { countChanges, sumCredits } from './audit-store.server.ts';
import type { AuditAction } from './desk/audit-contract.ts';
import { staffError } from './desk/contract.ts';
import { lockMember } from './store.server.ts';

/** The limit of credits in a day of Asia/Kolkata: of operators, and for overpayments of riders. */
export interface CreditLimit {
  operatorCreditsPerDayPaise: Paise;
}

/**
 * Locks the row of the person until the transaction ends, so that their concurrent credits are
 * counted one after another. Call it before the wallet is locked. Throws `ApiError`
 * (unauthenticated) if the person was removed or has another role now.
 */
export async function lockCredits(tx: Tx, { id, role }: StaffMember): Promise<void> {
  const member = await lockMember(tx, id);
  if (member?.role !== role) throw new ApiError('unauthenticated', protocolError('login-required'));
}

/**
 * Decides about every credit that the staff causes: a grant, a settled report, a payment, a
 * weighing or a cancellation. Returns the error of a credit that the person may not make: to
 * their own mobile, or above the limit of the day, which does not apply to owners. Throws
 * `ApiError` (forbidden) without a fresh log-in, unless `needsFreshLogin` is false. Locks like
 * `lockCredits`. The caller audits the credit, with its `limitedPaise`.
 */
export async function checkCredit(
  tx: Tx,
  staff: StaffMember,
  { mobile, amountPaise }: { mobile: string; amountPaise: Paise },
  limit: CreditLimit,
  now: Date,
  needsFreshLogin = true,
): Promise<ErrorMessage<'own-mobile' | 'over-daily-credits'> | null> {
  if (mobile === staff.mobile) return staffError('own-mobile');
  if (needsFreshLogin) requireFreshLogin(staff, now);
  await lockCredits(tx, staff);
  const leftPaise = await creditsLeft(tx, staff, limit, now);
  return leftPaise !== null && amountPaise > leftPaise ? staffError('over-daily-credits', { left: formatAmount(leftPaise) }) : null;
}

/** Returns what a person may still credit today, or null for owners, who have no limit. */
export async function creditsLeft(
  db: Db,
  staff: Pick<StaffMember, 'id' | 'role'>,
  { operatorCreditsPerDayPaise: limitPaise }: CreditLimit,
  now: Date,
): Promise<Paise | null> {
  if (staff.role === 'owner') return null;
  return asPaise(Math.max(0, limitPaise - (await sumCredits(db, staff.id, today(now)))));
}

/**
 * Returns the period of the day. The clocks of processes differ, so that a row of today can be a
 * little in the future.
 */
const today = (now: Date) => ({ since: startOfKolkataDay(now), until: addSeconds(now, MAX_CLOCK_SKEW_SECONDS) });

/**
 * Returns how often a person has made an audited change today. Locks like `lockCredits`, so that
 * concurrent changes of a person who is not an owner are counted one after another.
 */
export async function countChangesToday(tx: Tx, staff: StaffMember, action: AuditAction, now: Date): Promise<number> {
  await lockCredits(tx, staff);
  return countChanges(tx, { staffId: staff.id, action, ...today(now) });
}
