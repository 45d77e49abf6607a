/**
 * Changes of orders by the staff, with the services that the terminal commands use.
 * docs/decisions/0053.
 *
 * Each change runs in the transaction of `writeOnce` and holds the lock of the order's row. The
 * same transaction writes its author and its audit row. A refused change writes only its audit row.
 */
import * as z from 'zod/mini';
import type { ErrorMessage, MessageKey } from '../../i18n/messages.ts';
import { addSeconds } from '../../lib/clock.ts';
import { invariant } from '../../lib/invariant.ts';
import { formatAmount, type Paise } from '../../lib/money.ts';
import type { Envelope } from '../../contract/define-call.ts';
import { ApiError, ConflictError, fail, succeed } from '../../contract/route.server.ts';
import { insertReceivedCash } from '../cash/store.server.ts';
import { MANUAL_PAYMENT_LIMITS, type ManualPaymentMethod } from '../manual-payments/rules.ts';
import { recordManualPayment, reverseManualPayment } from '../manual-payments/service.server.ts';
import { delayNotifications, withdrawNotification } from '../notifications/store.server.ts';
import { orderError, type Stage } from '../orders/contract.ts';
import { stageAfter, stageBefore } from '../orders/rules.ts';
import { cancelOrder, moveOrder, rescheduleOrder, undoCancellation } from '../orders/service.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { lockOrder, setEarlierStage } from '../orders/store.server.ts';
import { weighAndCorrectChange } from '../payments/weighing-service.server.ts';
import { totalReceivedPaise } from '../payments/store.server.ts';
import type { ReferralBonusTime } from '../referrals/contract.ts';
import { takeBackBonus } from '../referrals/service.server.ts';
import { staffError, type AuditAction, type AuditFacts } from '../staff/desk/contract.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { audit, findMember } from '../staff/store.server.ts';
import {
  deskError,
  deskMessages,
  getDeskOrder,
  MAX_WRONG_CODES,
  UNDO_MOVE_SECONDS,
  type AttemptReason,
  type DeskOrder,
} from './desk/contract.ts';
import { describeDeskOrder, maySee } from './queries-service.server.ts';
import { isAllowed, isPlausibleDeviceTime, lastMove, undoMoveSecondsLeft } from './desk/rules.ts';
import {
  countWrongCode,
  findDeskOrder,
  findPayment,
  findPaymentOfReference,
  hasDelivered,
  insertAuthors,
  listHistory,
  setHandling,
  type DeskOrderRow,
} from './store.server.ts';

export interface DeskDependencies {
  referralBonusTime: ReferralBonusTime;
  /** Returns the code that the customer gives to the rider. */
  handOverCode(orderid: string): string;
}

interface ChangeRequest {
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

interface Change<Code extends string> {
  action: AuditAction;
  message: MessageKey;
  /** Returns the error of a refused change, which has written nothing but counts. */
  apply(order: DeskOrderRow): Promise<ErrorMessage<Code> | null>;
  /** Called with the ids of the events that the change wrote. */
  afterwards?(eventIds: readonly number[]): Promise<unknown>;
}

type CommonCode = 'order-not-found' | 'wrong-device-time';

/** Throws `ConflictError` with the current order if the version is stale. */
async function changeOrder<Code extends string>(
  { tx, staff, now }: StaffTransaction,
  { orderid, version, at, note, bags }: ChangeRequest,
  { action, message, apply, afterwards }: Change<Code>,
): Promise<Envelope<DeskOrder, Code | CommonCode>> {
  const deviceAt = at === undefined ? null : new Date(at);
  if (deviceAt && !isPlausibleDeviceTime(deviceAt, now)) return fail(deskError('wrong-device-time'));
  await lockOrder(tx, null, orderid);
  const before = await findDeskOrder(tx, orderid);
  if (!before || !(await maySee(tx, orderid, staff, now))) return fail(orderError('order-not-found', { orderid }));
  if (version !== undefined && version !== before.version) {
    const current = await describeDeskOrder(tx, before, staff, now);
    throw new ConflictError(deskError('changed-meanwhile'), z.encode(getDeskOrder.data, current));
  }
  const error = await apply(before);
  if (error) {
    await audit(tx, staff, { action: 'refused', subject: ['order', orderid], after: { call: action, error: error.code } }, now);
    return fail(error);
  }
  const eventIds = await insertAuthors(tx, orderid, before.version, {
    staffId: staff.id,
    deviceAt,
    note: note ?? null,
    bags: bags ?? null,
  });
  await afterwards?.(eventIds);
  const after = await findDeskOrder(tx, orderid);
  invariant(after, 'a locked order exists');
  const current = await describeDeskOrder(tx, after, staff, now);
  const facts = changedFacts(before, after);
  await audit(
    tx,
    staff,
    {
      action,
      subject: ['order', orderid],
      before: facts.before,
      after: { ...facts.after, ...(note && { note }), ...(bags !== undefined && { counted_bags: bags }) },
    },
    now,
  );
  return succeed(message, current);
}

/** The facts of an order that the audit records. No hand-over code and no personal data. */
const AUDITED = ['stage', 'weight_grams', 'items', 'bags', 'rider_id', 'pickup_day', 'received_paise'] as const;

function changedFacts(before: DeskOrderRow, after: DeskOrderRow): { before: AuditFacts; after: AuditFacts } {
  const changed = AUDITED.filter((name) => before[name] !== after[name]);
  const factsOf = (row: DeskOrderRow) => Object.fromEntries(changed.map((name) => [name, row[name]]));
  return { before: factsOf(before), after: factsOf(after) };
}

interface WeighRequest extends ChangeRequest {
  weight: number;
  items: number;
}

export const weighOrderAtDesk = (context: StaffTransaction, request: WeighRequest) =>
  changeOrder(context, request, {
    action: 'weigh-order',
    message: deskMessages.weighed,
    apply: async (order) => {
      const { tx, now } = context;
      const { weight: weightGrams, items } = request;
      const result = await weighAndCorrectChange(tx, { orderid: order.id, weightGrams, items }, now);
      if (result.status === 'change-spent') return spentError(result);
      if (result.status === 'impossible-weight') return deskError('impossible-weight');
      if (result.status !== 'done') return deskError('wrong-stage');
      await setHandling(tx, order.id, { bags: request.bags });
      return null;
    },
  });

const spentError = ({ changePaise, balancePaise }: { changePaise: Paise; balancePaise: Paise }) =>
  deskError('change-spent', { change: formatAmount(changePaise), balance: formatAmount(balancePaise) });

interface MoveRequest extends ChangeRequest {
  stage: string;
  code?: string | undefined;
  reason?: string | undefined;
}

export const moveOrderAtDesk = (dependencies: DeskDependencies, context: StaffTransaction, request: MoveRequest) =>
  changeOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'move-order',
      message: deskMessages.moved,
      apply: async (order) => {
        const { tx, now } = context;
        const to = stageAfter(order.stage);
        if (!isAllowed(order.stage, 'move') || to === undefined || to !== request.stage) return deskError('wrong-stage');
        const isDelivery = to === 'delivered';
        const refused = isDelivery ? await checkHandOver(dependencies, context, order, request) : null;
        if (refused) return refused;
        const status = await moveOrder(tx, order.id, to, now, dependencies.referralBonusTime);
        if (status === 'done') return null;
        return deskError(status === 'not-weighed' ? 'not-weighed' : 'wrong-stage');
      },
      // The customer hears of it once it cannot be undone any more.
      afterwards: (eventIds) => delayNotifications(context.tx, eventIds, addSeconds(context.now, UNDO_MOVE_SECONDS)),
    },
  );

/** The order is locked, so that concurrent tries are counted one after another. */
async function checkHandOver(
  { handOverCode }: DeskDependencies,
  { tx, staff }: StaffTransaction,
  { id, wrong_codes: wrongCodes }: DeskOrderRow,
  { code, reason }: MoveRequest,
) {
  if (code === undefined) return reason !== undefined && staff.role !== 'rider' ? null : deskError('code-required');
  if (wrongCodes >= MAX_WRONG_CODES) return deskError('too-many-codes');
  if (code.trim() === handOverCode(id)) return null;
  const count = await countWrongCode(tx, id);
  return count >= MAX_WRONG_CODES ? deskError('too-many-codes') : deskError('wrong-hand-over-code', { left: MAX_WRONG_CODES - count });
}

/**
 * Moves an order back by one stage, or undoes its cancellation. The bonus for the first delivered
 * order of a customer is taken back with that delivery. Throws `ApiError` (403) if a rider may not
 * undo the last move.
 */
export const moveOrderBackAtDesk = (
  { referralBonusTime }: Pick<DeskDependencies, 'referralBonusTime'>,
  context: StaffTransaction,
  request: ChangeRequest & { reason?: string | undefined },
) =>
  changeOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'move-order-back',
      message: deskMessages.movedBack,
      apply: async (order) => {
        const { tx, staff, now } = context;
        const last = lastMove(await listHistory(tx, order.id));
        const isUndo = last?.staff_id === staff.id && undoMoveSecondsLeft(last.at, now) !== null;
        if (!isUndo && staff.role === 'rider') throw new ApiError(403, staffError('not-permitted'));
        if (order.stage === ('cancelled' satisfies Stage)) return isUndo ? undoCancelled(context, order.id) : deskError('wrong-stage');
        const to = stageBefore(order.stage);
        if (!to) return deskError('first-stage');
        if (!isUndo && !request.reason) return deskError('reason-required');
        await setEarlierStage(tx, order.id, to, now);
        if (last) await withdrawNotification(tx, last.id, now);
        const undoesDelivery = order.stage === ('delivered' satisfies Stage) && referralBonusTime === 'first-delivery';
        if (undoesDelivery && !(await hasDelivered(tx, order.customer_id))) await takeBackBonus(tx, order.customer_id, now);
        return null;
      },
    },
  );

async function undoCancelled({ tx, now }: StaffTransaction, orderid: string) {
  const undone = await undoCancellation({ db: tx, totalReceivedPaise }, null, orderid, now);
  if (undone.status === 'active') return null;
  if (undone.status === 'evening-taken') return undone.error;
  if (undone.status !== 'spent') return deskError('wrong-stage');
  return spentError({ changePaise: undone.refundPaise, balancePaise: undone.balancePaise });
}

export const recordAttempt = (context: StaffTransaction, request: ChangeRequest & { why: AttemptReason }) =>
  changeOrder(context, request, {
    action: 'record-attempt',
    message: deskMessages.attempted,
    apply: async ({ id, stage }) => {
      if (!isAllowed(stage, 'attempt')) return deskError('wrong-stage');
      await insertOrderEvent(context.tx, id, { kind: 'attempted', data: { why: request.why }, at: context.now });
      return null;
    },
  });

export const rescheduleOrderAtDesk = (context: StaffTransaction, request: ChangeRequest & { pickup_date: string }) =>
  changeOrder(context, request, {
    action: 'reschedule-order',
    message: deskMessages.rescheduled,
    apply: async ({ id, stage }) => {
      if (!isAllowed(stage, 'reschedule')) return deskError('wrong-stage');
      const result = await rescheduleOrder(context.tx, null, id, request.pickup_date, context.now);
      if (result.status === 'done') return null;
      return result.status === 'unavailable' ? result.error : deskError('wrong-stage');
    },
  });

export const cancelOrderAtDesk = (context: StaffTransaction, request: ChangeRequest & { reason: string }) =>
  changeOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'cancel-order',
      message: deskMessages.cancelled,
      apply: async ({ id, stage }) => {
        if (!isAllowed(stage, 'cancel')) return deskError('wrong-stage');
        const { status } = await cancelOrder({ db: context.tx, totalReceivedPaise }, null, id, context.now);
        return status === 'cancelled' ? null : deskError('wrong-stage');
      },
    },
  );

export const assignOrder = (context: StaffTransaction, request: ChangeRequest & { rider: string | null }) =>
  changeOrder(context, request, {
    action: 'assign-order',
    message: deskMessages.assigned,
    apply: async ({ id, stage }) => {
      const { tx, now } = context;
      if (!isAllowed(stage, 'assign')) return deskError('wrong-stage');
      const person = request.rider === null ? null : await findMember(tx, request.rider);
      if (person === undefined) return deskError('unknown-rider');
      await setHandling(tx, id, { riderId: request.rider });
      await insertOrderEvent(tx, id, { kind: 'assigned', data: { rider_id: request.rider ?? '' }, at: now });
      return null;
    },
  });

interface ReceiveRequest extends ChangeRequest {
  method: ManualPaymentMethod;
  amount: Paise;
  overpaid?: boolean | undefined;
}

export const receivePayment = (context: StaffTransaction, request: ReceiveRequest) =>
  changeOrder(context, request, {
    action: 'receive-payment',
    message: deskMessages.received,
    apply: async ({ id }) => {
      const { amount: amountPaise, method, note, overpaid: mayOverpay = false } = request;
      if (amountPaise < MANUAL_PAYMENT_LIMITS.min || amountPaise > MANUAL_PAYMENT_LIMITS.max) return deskError('impossible-amount');
      // The Idempotency-Key distinguishes a repeated request from a second payment.
      const payment = { orderid: id, method, amountPaise, mayOverpay, mayRepeat: true, ...(note && { note }) };
      const result = await recordManualPayment(context.tx, payment, context.now);
      switch (result.status) {
        case 'recorded':
          if (method === 'cash') await holdCash(context, result.reference, amountPaise);
          return null;
        case 'exceeds-rest':
          return deskError('more-than-due', { rest: formatAmount(result.restPaise) });
        case 'not-payable-yet':
        case 'already-recorded':
        case 'unknown-order':
          return deskError('amount-unknown');
      }
    },
  });

/** The person who received cash holds it until somebody counts it. */
async function holdCash({ tx, staff, now }: StaffTransaction, reference: string, amountPaise: Paise) {
  const payment = await findPaymentOfReference(tx, reference);
  invariant(payment, 'the payment was just recorded');
  await insertReceivedCash(tx, { staffId: staff.id, tid: payment.tid, amountPaise }, now);
}

export async function reversePaymentAtDesk(
  context: StaffTransaction,
  { tid, reason, at }: { tid: string; reason: string; at?: string | undefined },
) {
  const { tx, now } = context;
  const payment = await findPayment(tx, tid);
  if (!payment) return fail(deskError('payment-not-found'));
  return changeOrder(
    context,
    { orderid: payment.order_id, at, note: reason },
    {
      action: 'reverse-payment',
      message: deskMessages.reversed,
      apply: async () => {
        const result = await reverseManualPayment(tx, { reference: payment.reference, reason }, now);
        switch (result.status) {
          case 'reversed':
            return null;
          case 'change-spent':
            return spentError(result);
          case 'unknown-payment':
            return deskError('payment-not-found');
          case 'already-reversed':
          case 'not-manual':
            return deskError(result.status);
        }
      },
    },
  );
}
