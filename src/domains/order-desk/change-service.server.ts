/**
 * One change of an order by the staff. docs/decisions/0053 and 0063.
 *
 * It runs in the transaction of `writeOnce` and holds the lock of the order's row. The same
 * transaction writes its author and its audit row. A refused change writes only its audit row.
 */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { ErrorMessage, MessageKey } from '../../i18n/messages.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, formatAmount, type Paise } from '../../lib/money.ts';
import type { Tx } from '../../db/database.server.ts';
import type { Envelope } from '../../contract/define-call.ts';
import { ConflictError, fail, succeed } from '../../contract/route.server.ts';
import { orderError } from '../orders/contract.ts';
import { lockOrder } from '../orders/store.server.ts';
import { owedPaise } from '../payments/rules.ts';
import type { AuditAction, AuditFacts, AuditField } from '../staff/desk/audit-contract.ts';
import { checkCredit, lockCredits, type CreditLimit, type StaffTransaction } from '../staff/service.server.ts';
import { audit } from '../staff/audit-store.server.ts';
import { deskError, getDeskOrder, type DeskOrder } from './desk/contract.ts';
import type { RefusalCode } from './desk/refusals.ts';
import { changeMeanwhile, isPlausibleDeviceTime } from './desk/rules.ts';
import { sumPaidByCustomer } from './payments-store.server.ts';
import { describeDeskOrder, maySee, toPayable } from './queries-service.server.ts';
import { findDeskOrder, insertAuthors, listHistory, type DeskOrderRow, type HistoryRow } from './store.server.ts';

export interface ChangeRequest {
  orderid: string;
  /** Undefined for a change that cannot conflict, such as a payment. */
  version?: number;
  /** The time of the device. */
  at?: string | undefined;
  /** The text that the history keeps: a note or a reason. */
  note?: string | undefined;
  /** The bags that the person counted. */
  bags?: number | undefined;
}

interface Change<Code extends RefusalCode> {
  action: AuditAction;
  message: MessageKey;
  /** Required of a change after which payments of the order can exceed its amount by more. */
  creditLimit?: CreditLimit;
  /** The credit returns what was paid for the order before. */
  isRefund?: boolean;
  /** Returns true if these changes since the version of the request do not matter. */
  follows?(order: DeskOrderRow, later: readonly HistoryRow[]): boolean;
  /** Returns the error of a refused change, which has written nothing but counts. */
  apply(order: DeskOrderRow): Promise<ErrorMessage<Code> | null>;
  /** Called with the ids of the events that the change wrote. */
  afterwards?(eventIds: readonly number[]): Promise<unknown>;
}

/** Returns the events after a version, none for a version that the order never had. */
async function listLater(tx: Tx, orderid: string, version: number): Promise<HistoryRow[]> {
  const history = await listHistory(tx, orderid);
  const index = history.findIndex(({ id }) => id === version);
  return index < 0 ? [] : history.slice(index + 1);
}

type CommonCode = 'order-not-found' | 'wrong-device-time' | 'own-mobile' | 'over-daily-credits';

/**
 * Throws `ConflictError` with the current order if the version is stale, without it if the order is
 * not for this rider any more. A change whose credit the person may not make is undone and refused.
 */
export async function changeOrder<Code extends RefusalCode>(
  { tx, staff, now }: StaffTransaction,
  { orderid, version, at, note, bags }: ChangeRequest,
  { action, message, creditLimit, isRefund = false, follows = () => false, apply, afterwards }: Change<Code>,
): Promise<Envelope<DeskOrder, Code | CommonCode>> {
  const deviceAt = at === undefined ? null : new Date(at);
  if (deviceAt && !isPlausibleDeviceTime(deviceAt, now)) return fail(deskError('wrong-device-time'));
  await lockOrder(tx, null, orderid);
  const before = await findDeskOrder(tx, orderid);
  if (!before) return fail(orderError('order-not-found', { orderid }));
  const isSeen = await maySee(tx, orderid, staff, now);
  const isCurrent = version === undefined || version === before.version;
  const later = isCurrent ? [] : await listLater(tx, orderid, version);
  if (!(isSeen && isCurrent) && !follows(before, later)) {
    const meanwhile = changeMeanwhile(before, later);
    if (!isSeen && !meanwhile) return fail(orderError('order-not-found', { orderid }));
    const current = isSeen ? z.encode(getDeskOrder.data, await describeDeskOrder(tx, before, staff, now)) : null;
    throw new ConflictError(meanwhile ?? deskError('changed-meanwhile'), current);
  }
  const refuse = async <Refused extends RefusalCode>(error: ErrorMessage<Refused>) => {
    await audit(tx, staff, { action: 'refused', subject: ['order', orderid], after: { call: action, error: error.code } }, now);
    return fail(error);
  };
  if (creditLimit) {
    await lockCredits(tx, staff);
    await sql`savepoint before_credit`.execute(tx);
  }
  const error = await apply(before);
  if (error) return refuse(error);
  const after = await findDeskOrder(tx, orderid);
  invariant(after, 'a locked order exists');
  const [excessBefore, excessAfter] = [excessPaise(before), excessPaise(after)];
  const creditedPaise = asPaise(Math.max(0, excessAfter - excessBefore));
  let ownPaise = 0;
  if (creditedPaise > 0) {
    invariant(creditLimit, 'a change that credits a customer has a limit');
    // What the customer has paid from the wallet or online is no gift, so that the limit of the day
    // does not hold it back. What the staff noted counts: nothing else confirms it.
    if (isRefund) {
      const paidPaise = await sumPaidByCustomer(tx, orderid);
      ownPaise = Math.min(excessAfter, paidPaise) - Math.min(excessBefore, paidPaise);
    }
    const credit = { mobile: before.customer_mobile, amountPaise: asPaise(creditedPaise - ownPaise) };
    const forbidden = await checkCredit(tx, staff, credit, creditLimit, now);
    if (forbidden) {
      await sql`rollback to savepoint before_credit`.execute(tx);
      return refuse(forbidden);
    }
  }
  const eventIds = await insertAuthors(tx, orderid, before.version, {
    staffId: staff.id,
    deviceAt,
    note: note ?? null,
    bags: bags ?? null,
  });
  await afterwards?.(eventIds);
  const current = await describeDeskOrder(tx, after, staff, now);
  const facts = changedFacts(before, after);
  await audit(
    tx,
    staff,
    {
      action,
      subject: ['order', orderid],
      before: facts.before,
      after: {
        ...facts.after,
        ...(creditedPaise > 0 && { credited_paise: creditedPaise }),
        ...(ownPaise > 0 && { own_money_paise: ownPaise }),
        ...(note && { note }),
        ...(bags !== undefined && { counted_bags: bags }),
      },
    },
    now,
  );
  return succeed(message, current);
}

/**
 * Returns what the payments of an order exceed its amount by: the change that the customer has, or
 * gets with a held order.
 */
const excessPaise = (row: DeskOrderRow): number => Math.max(0, row.received_paise - (owedPaise(toPayable(row)) ?? 0));

/** The facts of an order that the audit records. No hand-over code and no personal data. */
const AUDITED = [
  'stage',
  'weight_grams',
  'items',
  'bags',
  'rider_id',
  'pickup_day',
  'received_paise',
] as const satisfies readonly AuditField[];

function changedFacts(before: DeskOrderRow, after: DeskOrderRow): { before: AuditFacts; after: AuditFacts } {
  const changed = AUDITED.filter((name) => before[name] !== after[name]);
  const areClothesMoved = (before.returned_at === null) !== (after.returned_at === null);
  const factsOf = (row: DeskOrderRow) => ({
    ...Object.fromEntries(changed.map((name) => [name, row[name]])),
    ...(areClothesMoved && { returned: row.returned_at !== null }),
  });
  return { before: factsOf(before), after: factsOf(after) };
}

/** The customer has spent change that has to be taken back. */
export const spentError = ({ changePaise, balancePaise }: { changePaise: Paise; balancePaise: Paise }) =>
  deskError('change-spent', { change: formatAmount(changePaise), balance: formatAmount(balancePaise) });
