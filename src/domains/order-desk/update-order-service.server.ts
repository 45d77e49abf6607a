/**
 * One change of an order by the staff. docs/decisions/0053 and 0063.
 *
 * It runs in the transaction of `writeOnce` and holds the lock of the order's row. The same
 * transaction writes its author and its audit row. `writeOnce` audits a refused change.
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, excessPaise, formatAmount, type Paise } from '../../lib/money.ts';
import { transactionWithOutcome, type Tx } from '../../db/database.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ConflictError } from '../../contract/api-error.ts';
import { orderError } from '../orders/contract.ts';
import { ORDER_EVENTS } from '../orders/events-contract.ts';
import { lockOrder, type LockedOrder } from '../orders/store.server.ts';
import { chargedPaise, overpaidPaise } from '../payments/rules.ts';
import { toPayableOrder } from '../payments/store.server.ts';
import { laundryOf } from '../staff/authentication.server.ts';
import type { AuditAction, AuditValues, AuditField } from '../staff/desk/audit-contract.ts';
import { checkCredit, lockCredits, type CreditLimit } from '../staff/credits-service.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { audit } from '../staff/audit-store.server.ts';
import { deskError, type DeskOrder } from './desk/contract.ts';
import { staleError, type RefusalCode } from './desk/refusals.ts';
import { changeMeanwhile, isPlausibleDeviceTime, MAX_STAFF_CHANGES_PER_DAY, riderDays, wasWashed } from './desk/rules.ts';
import { sumPaidByCustomer } from './payments-store.server.ts';
import { setBagsUnexplained } from './bags-store.server.ts';
import { readDeskOrderDetails, maySee } from './queries-service.server.ts';
import { findDeskOrder, insertAuthors, listHistory, type DeskOrderRow, type HistoryRow } from './store.server.ts';

/** With a stale `version`, `updateOrder` throws `ConflictError`. */
export interface UpdateRequest {
  orderid: string;
  /** Undefined for a change that cannot conflict, such as a payment. */
  version?: number;
  /** The time of the device. */
  at?: string | undefined;
  /** Why the change is made. The history of the console keeps it with the note, as one text. */
  reason?: string | undefined;
  note?: string | undefined;
  /** The bags that the person counted. */
  bags?: number | undefined;
}

interface OrderUpdate<Code extends RefusalCode> {
  action: AuditAction;
  /** Further values of the audit row. */
  auditDetails?: Partial<Record<AuditField, string>>;
  /**
   * Operators and riders may not make the change to an order of their own mobile: it decides what
   * they pay, or that they have paid.
   */
  isForbiddenOnOwnOrder?: boolean;
  /** Required if the change can increase the overpayment of the order, or charge less for it. */
  creditLimit?: CreditLimit;
  /** A credit of up to this amount needs no fresh log-in. By default each credit does. */
  creditWithoutFreshLoginPaise?: Paise;
  /**
   * The credit returns payments of this order. Payments by the customer do not count in the daily
   * limit.
   */
  isRefund?: boolean;
  /** The change can begin or end a difference of the bags, also without a count. */
  changesBags?: true;
  /** Returns true if the change is still valid after these later events. */
  toleratesLaterEvents?(order: DeskOrderRow, later: readonly HistoryRow[]): boolean;
  /**
   * Returns an error if the request is refused before `apply`. Its writes, such as the count of
   * wrong codes, are kept in that case, too.
   */
  checkRequest?(order: DeskOrderRow): Promise<ErrorMessage<Code> | null>;
  /**
   * Makes the change of the order, whose lock is `locked`. What it wrote is rolled back if it
   * returns an error.
   */
  apply(order: DeskOrderRow, locked: LockedOrder): Promise<ErrorMessage<Code> | null>;
  /** Called with the ids of the events that the change wrote, in the same transaction. */
  onEventsWritten?(eventIds: readonly number[]): Promise<unknown>;
}

/** The result of a change: the changed order, or an error of its call. */
export type UpdateOutcome<ChangeCall extends { errors: object }> = Outcome<DeskOrder, keyof ChangeCall['errors'] & string>;

type CreditCode = 'own-mobile' | 'over-daily-credits';
type LimitCode = 'too-many-desk-changes' | 'too-many-owner-changes';
type CommonCode = 'order-not-found' | 'wrong-device-time' | 'own-order' | LimitCode | CreditCode;

/**
 * Runs one change of an order for the staff, in the caller's transaction:
 * 1. checks the time of the device and the caller's right to the order, whose row it locks;
 * 2. compares `version`;
 * 3. runs `checkRequest`, then locks the credits;
 * 4. counts the change, and runs `apply`, which writes the events, within the limits of credits, or
 *    rolls both back;
 * 5. adds the author to these events, and writes the audit row.
 *
 * Returns the changed order, or the error of a refused change, which writes nothing but what
 * `checkRequest` has written. Throws `ConflictError` for a stale version, with the current order if
 * the caller may see it, and `ApiError` (conflict) if the customer is erased. Both end the
 * transaction.
 */
export async function updateOrder<Code extends RefusalCode>(
  context: StaffTransaction,
  request: UpdateRequest,
  update: OrderUpdate<Code>,
): Promise<Outcome<DeskOrder, Code | CommonCode>> {
  const { tx, staff, now } = context;
  const { orderid, at, bags } = request;
  const note = noteOf(request);
  const deviceAt = at === undefined ? null : new Date(at);
  if (deviceAt && !isPlausibleDeviceTime(deviceAt, now)) return { error: deskError('wrong-device-time') };
  const locked = await lockOrder(tx, laundryOf(staff), orderid);
  const before = locked && (await findDeskOrder(tx, orderid));
  if (!before) return { error: orderError('order-not-found', { orderid }) };
  const unseen = await checkRightAndVersion(context, before, request.version, update.toleratesLaterEvents);
  if (unseen) return { error: unseen };
  const isOwn = before.customer_mobile === staff.mobile && staff.role !== 'owner';
  if (update.isForbiddenOnOwnOrder && isOwn) return { error: deskError('own-order') };
  const refused = await update.checkRequest?.(before);
  if (refused) return { error: refused };
  // Before the change, which locks the plan and the wallet (docs/architecture.md, Locks).
  if (update.creditLimit) await lockCredits(tx, staff);
  const { data: applied, error } = await transactionWithOutcome(
    tx,
    async (): Promise<Outcome<AppliedUpdate, Code | CreditCode | LimitCode>> => {
      const tooMany = await countChange(context, orderid);
      return tooMany ? { error: tooMany } : applyWithinCreditLimit(context, { before, locked }, update);
    },
  );
  if (error) return { error };
  const author = { staffId: staff.id, deviceAt, note: note ?? null, bags: bags ?? null };
  const eventIds = await insertAuthors(tx, orderid, before.version, author);
  await update.onEventsWritten?.(eventIds);
  await auditUpdate(context, request, update, { before, ...applied });
  const order = await readDeskOrderDetails(tx, applied.after, staff, now);
  if (bags !== undefined || update.changesBags) await setBagsUnexplained(tx, orderid, order.bags_differ);
  return { data: order };
}

/** Returns the text of a change that the history of the console and the audit keep. */
const noteOf = ({ reason, note }: UpdateRequest): string | undefined => [reason, note].filter(Boolean).join('. ') || undefined;

/** Counts a change of the person. Returns an error beyond the limit of the day. */
async function countChange({ tx, staff, now }: StaffTransaction, orderid: string): Promise<ErrorMessage<LimitCode> | null> {
  const max = MAX_STAFF_CHANGES_PER_DAY[staff.role];
  const use = { name: 'changes of an order by a person', max, windowSeconds: DAY_SECONDS, subject: `${orderid} ${staff.id}`, now };
  if ((await consumeLimit(tx, use)).allowed) return null;
  return deskError(staff.role === 'owner' ? 'too-many-owner-changes' : 'too-many-desk-changes', { max });
}

/** Writes the audit row of a change, whose credit counts in the daily limit of its author. */
async function auditUpdate(
  { tx, staff, now }: StaffTransaction,
  request: UpdateRequest,
  { action, auditDetails }: Pick<OrderUpdate<never>, 'action' | 'auditDetails'>,
  { before, after, credit }: { before: DeskOrderRow; after: DeskOrderRow; credit: ChangedCredit },
) {
  const { orderid, bags } = request;
  const note = noteOf(request);
  const values = changedValues(before, after);
  const row = {
    action,
    subject: ['order', orderid],
    before: values.before,
    after: {
      ...values.after,
      ...(credit.totalPaise > 0 && { credited_paise: credit.totalPaise }),
      ...(credit.ownPaise > 0 && { own_money_paise: credit.ownPaise }),
      ...(credit.waivedPaise > 0 && { waived_paise: credit.waivedPaise }),
      ...auditDetails,
      ...(note && { note }),
      ...(bags !== undefined && { counted_bags: bags }),
    },
    limitedPaise: limitedOf(credit),
  } as const;
  await audit(tx, staff, row, now);
}

/**
 * Throws `ConflictError` if the order has changed since `version` and the change does not tolerate
 * it, with the current order if the caller may see it. Returns an error if the caller may not see
 * the order, for any other reason than a later change.
 */
async function checkRightAndVersion(
  { tx, staff, now }: StaffTransaction,
  order: DeskOrderRow,
  version: number | undefined,
  toleratesLaterEvents: OrderUpdate<never>['toleratesLaterEvents'],
): Promise<ErrorMessage<'order-not-found'> | null> {
  const isSeen = await maySee(tx, order.id, staff, now);
  const notFound = orderError('order-not-found', { orderid: order.id });
  if (version === undefined || version === order.version) return isSeen ? null : notFound;
  const later = await listLater(tx, order.id, version);
  if (!isSeen && !wasInRiderDays(order, later, now)) return notFound;
  if ((isSeen && isUnaffected(later)) || toleratesLaterEvents?.(order, later)) return null;
  const meanwhile = changeMeanwhile(order, later);
  if (!isSeen && !meanwhile) return notFound;
  const current = isSeen ? await readDeskOrderDetails(tx, order, staff, now) : null;
  throw new ConflictError(staleError(meanwhile), current);
}

/**
 * Returns true if the pickup was not after the days of riders before the `later` events. A version
 * alone does not prove that the rider has seen the order: versions can be guessed.
 */
function wasInRiderDays({ pickup_day: day }: DeskOrderRow, later: readonly HistoryRow[], now: Date): boolean {
  const moved = later.find((event) => event.kind === 'rescheduled');
  return (moved?.fromDay ?? day) <= riderDays(now).tomorrow;
}

/** Returns true if there are later events, and none of them makes a version stale. */
const isUnaffected = (later: readonly HistoryRow[]) => later.length > 0 && later.every(({ kind }) => !ORDER_EVENTS[kind].makesStale);

/** Returns the events after a version, none for a version that the order never had. */
async function listLater(tx: Tx, orderid: string, version: number): Promise<HistoryRow[]> {
  const history = await listHistory(tx, orderid);
  const index = history.findIndex(({ id }) => id === version);
  return index < 0 ? [] : history.slice(index + 1);
}

interface AppliedUpdate {
  after: DeskOrderRow;
  credit: ChangedCredit;
}

/** Runs `apply`. Returns an error also if its credit exceeds the limits of the caller. */
async function applyWithinCreditLimit<Code extends RefusalCode>(
  { tx, staff, now }: StaffTransaction,
  { before, locked }: { before: DeskOrderRow; locked: LockedOrder },
  { creditLimit, creditWithoutFreshLoginPaise: freePaise = asPaise(0), isRefund = false, apply }: OrderUpdate<Code>,
): Promise<Outcome<AppliedUpdate, Code | CreditCode>> {
  const error = await apply(before, locked);
  if (error) return { error };
  const after = await findDeskOrder(tx, before.id);
  invariant(after, 'a locked order exists');
  const credit = await creditOf(tx, before, after, isRefund);
  if (credit.totalPaise + credit.waivedPaise === 0) return { data: { after, credit } };
  invariant(creditLimit, 'a change that credits a customer has a limit');
  const limited = { mobile: before.customer_mobile, amountPaise: limitedOf(credit) };
  const forbidden = await checkCredit(tx, staff, limited, creditLimit, now, credit.totalPaise + credit.waivedPaise > freePaise);
  return forbidden ? { error: forbidden } : { data: { after, credit } };
}

/**
 * The amount that a change credits to the customer. An example: an order of ₹380 was paid with ₹200
 * from the wallet and is washed; weighed again, it costs ₹100. ₹100 are credited (`totalPaise`) and
 * ₹180 waived.
 */
interface ChangedCredit {
  totalPaise: Paise;
  /** The part that the customer has paid, to which the daily limit does not apply. */
  ownPaise: number;
  /**
   * The part that the customer owed for washed clothes and does not owe any more. To waive it is a
   * gift, as a credit is.
   */
  waivedPaise: Paise;
}

/** Returns the part of a credit to which the daily limit applies. */
const limitedOf = ({ totalPaise, ownPaise, waivedPaise }: ChangedCredit): Paise => asPaise(totalPaise - ownPaise + waivedPaise);

async function creditOf(tx: Tx, before: DeskOrderRow, after: DeskOrderRow, isRefund: boolean): Promise<ChangedCredit> {
  const [overpaidBefore, overpaidAfter] = [overpaymentOf(before), overpaymentOf(after)];
  const totalPaise = excessPaise(overpaidAfter, overpaidBefore);
  const waivedPaise = excessPaise(excessPaise(chargeOf(before), chargeOf(after)), totalPaise);
  if (totalPaise + waivedPaise === 0) return { totalPaise, ownPaise: 0, waivedPaise };
  // The laundry has earned the amount of an order that was washed: the limit applies to all of it.
  if (wasWashed(await listHistory(tx, after.id))) return { totalPaise, ownPaise: 0, waivedPaise };
  // It does not apply to money that the customer paid from the wallet or online, but to payments
  // that the staff recorded, because no other source confirms them.
  const paidPaise = isRefund ? await sumPaidByCustomer(tx, after.id) : 0;
  const ownPaise = Math.min(overpaidAfter, paidPaise) - Math.min(overpaidBefore, paidPaise);
  return { totalPaise, ownPaise, waivedPaise: asPaise(0) };
}

const chargeOf = (row: DeskOrderRow): Paise => chargedPaise(toPayableOrder(row)) ?? asPaise(0);

/** Returns the overpayment of an order, credited or not. */
export const overpaymentOf = (row: DeskOrderRow): Paise => overpaidPaise(toPayableOrder(row), row.received_paise);

/** The fields of an order that the audit records. No hand-over code and no personal data. */
const AUDITED = [
  'stage',
  'weight_grams',
  'items',
  'bags',
  'rider_id',
  'pickup_day',
  'received_paise',
] as const satisfies readonly AuditField[];

/** Returns the values that the audit records of a change. */
export function changedValues(before: DeskOrderRow, after: DeskOrderRow): { before: AuditValues; after: AuditValues } {
  const changed = AUDITED.filter((name) => before[name] !== after[name]);
  const isReturnChanged = (before.returned_at === null) !== (after.returned_at === null);
  const valuesOf = (row: DeskOrderRow) => ({
    ...Object.fromEntries(changed.map((name) => [name, row[name]])),
    ...(isReturnChanged && { returned: row.returned_at !== null }),
  });
  return { before: valuesOf(before), after: valuesOf(after) };
}

/** Returns the error of a debit that the wallet does not cover. */
export const spentError = ({ debitPaise, balancePaise }: { debitPaise: Paise; balancePaise: Paise }): ErrorMessage<'change-spent'> =>
  deskError('change-spent', { change: formatAmount(debitPaise), balance: formatAmount(balancePaise) });
