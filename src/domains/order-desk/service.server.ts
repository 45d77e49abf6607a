/**
 * Changes of orders by the staff, with the services that the terminal commands use.
 * docs/decisions/0053.
 */
import type { Tx } from '../../db/database.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { setNotificationsDue, withdrawNotification } from '../notifications/store.server.ts';
import { orderError, type Stage } from '../orders/contract.ts';
import { chooseLockedDeliveryDay } from '../orders/delivery-service.server.ts';
import type { HandOverCode } from '../orders/history-service.server.ts';
import { isAwaitingPickup } from '../orders/phase-rules.ts';
import { deriveProgress } from '../orders/progress-rules.ts';
import { stageBefore, undoableUntil, undoSecondsLeft } from '../orders/rules.ts';
import type { AttemptReason } from '../orders/visit-rules.ts';
import { cancelLockedOrder, undoLockedCancellation } from '../orders/cancelling-service.server.ts';
import { collectEarlier, rescheduleLockedOrder } from '../orders/pickup-service.server.ts';
import { moveOrder } from '../orders/service.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { setEarlierStage, setReturned } from '../orders/changing-store.server.ts';
import type { LockedOrder } from '../orders/store.server.ts';
import { weighLockedOrder } from '../payments/weighing-service.server.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import type { ReferralBonusTime } from '../referrals/contract.ts';
import { takeBackBonus } from '../referrals/service.server.ts';
import { laundryOf } from '../staff/authentication.server.ts';
import { staffError } from '../staff/desk/contract.ts';
import type { CreditLimit } from '../staff/credits-service.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { lockMember } from '../staff/store.server.ts';
import { resetCountedBags } from './bags-store.server.ts';
import { checkHandOver } from './codes-service.server.ts';
import { updateOrder, spentError, type UpdateOutcome, type UpdateRequest } from './update-order-service.server.ts';
import { codeError, type renewCode } from './desk/code-contract.ts';
import {
  deskError,
  RETURNED,
  type attempt,
  type cancelDeskOrder,
  type move,
  type moveBack,
  type rescheduleOrder as rescheduleCall,
  type weigh,
} from './desk/contract.ts';
import type { assign } from './desk/riders-contract.ts';
import { isBagsCorrection, isBagsNumberFixed, isWeighingCorrection } from './desk/bags-rules.ts';
import {
  canStillWeigh,
  isAllowed,
  isHandOver,
  isNotedTooOften,
  lastMove,
  mayDo,
  nextOf,
  visitTimeOf,
  wasWashed,
  type ActionState,
} from './desk/rules.ts';
import { hasDelivered, listHistory, resetWrongCodes, setHandling, type DeskOrderRow, type HistoryRow } from './store.server.ts';

export interface DeskDependencies {
  referralBonusTime: ReferralBonusTime;
  handOverCode: HandOverCode;
}

interface WeighRequest extends UpdateRequest {
  weight: number;
  items: number;
  collect_now?: true | undefined;
}

/**
 * Records weight and pieces at the pickup, which makes the amount due and sends a message. A later
 * weighing with another result or number of bags is a correction: it needs a reason, which the
 * customer reads, or a note, which is the reason then. A rider changes no number of bags after
 * another count. Credits or debits the wallet with the changed overpayment. Throws like
 * `updateOrder`.
 */
export const weighOrderAtDesk = (
  creditLimit: CreditLimit,
  context: StaffTransaction,
  request: WeighRequest,
): Promise<UpdateOutcome<typeof weigh>> =>
  updateOrder(context, request, {
    action: 'weigh-order',
    isForbiddenOnOwnOrder: true,
    creditLimit,
    isRefund: true,
    toleratesLaterEvents: ({ stage }, later) => canStillWeigh(stage, later, request.collect_now === true, context.now),
    apply: async (order, locked) => {
      const { tx, staff, now } = context;
      const { weight: weightGrams, items, bags } = request;
      const history = await listHistory(tx, order.id);
      if (bags !== undefined && bags !== order.bags && isBagsNumberFixed(staff, history)) return deskError('bags-counted-since');
      const isOtherBags = isBagsCorrection(order.bags, bags);
      const former = { weight: order.weight_grams, items: order.items, bags: order.bags };
      const reason = request.reason ?? (isWeighingCorrection(former, request) ? request.note : undefined);
      if (!isAllowed(actionStateOfRow(order, history), 'weigh')) return deskError('wrong-stage');
      if (isNotedTooOften('weighed', history, staff, now)) return deskError('too-many-weighings');
      if (isOtherBags && !reason) return deskError('reason-required');
      // Clothes that are weighed before their day were collected on the day of the visit, and are
      // back on the next open evening.
      if (isAwaitingPickup(order.stage, order.weight_grams))
        await collectEarlier(tx, locked, visitTimeOf(request.at, order.placed_at, now), now);
      const weighing = { weightGrams, items, bags, reason, isAtDoor: staff.role === 'rider' };
      const result = await weighLockedOrder(tx, locked, weighing, now);
      switch (result.status) {
        case 'done':
          await setHandling(tx, order.id, { bags });
          return null;
        case 'change-spent':
          return spentError(result);
        case 'impossible-weight':
        case 'reason-required':
        case 'wrong-stage':
          return deskError(result.status);
      }
    },
  });

interface MoveRequest extends UpdateRequest {
  stage: string;
  code?: string | undefined;
}

/**
 * Moves an order to its next stage, or records the return of the clothes of a cancelled order. The
 * delivery and the return need the hand-over code of the customer, or a reason from the owner or an
 * operator, which the customer reads. A wrong code is counted, and the fifth locks the code. The
 * first delivery can grant the referral bonus. Throws like `updateOrder`.
 */
export const moveOrderAtDesk = (
  dependencies: DeskDependencies,
  context: StaffTransaction,
  request: MoveRequest,
): Promise<UpdateOutcome<typeof move>> =>
  updateOrder(context, request, {
    action: 'move-order',
    // The hand-over code is the customer's receipt.
    isForbiddenOnOwnOrder: isHandOver(request.stage) && !request.code,
    checkRequest: async (order) => {
      const state = await readActionState(context.tx, order);
      const to = nextOf(state);
      if (to === undefined || to !== request.stage) return deskError('wrong-stage');
      if (isAllowed(state, 'weigh') && state.weight === null) return deskError('not-weighed');
      if (!isAllowed(state, isHandOver(to) ? 'hand-over' : 'move')) return deskError('wrong-stage');
      return isHandOver(to) ? checkHandOver(dependencies, context, order, request) : null;
    },
    apply: async (order) => {
      const { tx, staff, now } = context;
      const { stage: to } = request;
      if (to === RETURNED) {
        await setReturned(tx, order.id, now, now, request.code ? undefined : request.reason);
        return null;
      }
      const { referralBonusTime } = dependencies;
      const reason = isHandOver(to) && !request.code ? request.reason : undefined;
      const status = await moveOrder(tx, order.id, to as Stage, now, { bonusTime: referralBonusTime, reason, by: staff.mobile });
      switch (status) {
        case 'done':
          return null;
        case 'not-weighed':
        case 'wrong-stage':
          return deskError(status);
        case 'order-not-found':
          return orderError('order-not-found', { orderid: order.id });
      }
    },
    // The message is sent once the change cannot be undone any more.
    onEventsWritten: (eventIds) => setNotificationsDue(context.tx, eventIds, undoableUntil(context.now)),
  });

/** Returns what the actions of an order depend on. `history` are all its events. */
export function actionStateOfRow(order: DeskOrderRow, history: readonly HistoryRow[]): ActionState {
  const { stage, weight_grams: weight, returned_at: returnedAt } = order;
  return { ...deriveProgress(order, history), stage, weight, isReturned: returnedAt !== null };
}

const readActionState = async (tx: Tx, order: DeskOrderRow): Promise<ActionState> =>
  actionStateOfRow(order, await listHistory(tx, order.id));

/**
 * Replaces the hand-over code and resets the count of wrong codes. Returns an error at the limit of
 * new codes of a day, which an owner does not have. Throws like `updateOrder`.
 */
export const renewHandOverCode = (context: StaffTransaction, request: UpdateRequest): Promise<UpdateOutcome<typeof renewCode>> =>
  updateOrder(context, request, {
    action: 'renew-code',
    apply: async (order) => {
      const { tx, staff, now } = context;
      const { id } = order;
      const history = await listHistory(tx, id);
      if (!isAllowed(actionStateOfRow(order, history), 'renew-code')) return deskError('wrong-stage');
      if (isNotedTooOften('code-renewed', history, staff, now)) return codeError('too-many-renewals');
      await resetWrongCodes(tx, id);
      await insertOrderEvent(tx, id, { kind: 'code-renewed', at: now });
      return null;
    },
  });

/**
 * Moves an order back by one stage, or undoes its return. Undoes a cancellation only for its author
 * within a minute. Only an owner moves washed clothes back to pickup. With the only delivery of a
 * customer, reverses the bonus of the referrer. Throws `ApiError` (forbidden) if a rider may not
 * undo the last move, and like `updateOrder`.
 */
export const moveOrderBackAtDesk = (
  { referralBonusTime }: Pick<DeskDependencies, 'referralBonusTime'>,
  context: StaffTransaction,
  request: UpdateRequest,
): Promise<UpdateOutcome<typeof moveBack>> =>
  updateOrder(context, request, {
    action: 'move-order-back',
    isForbiddenOnOwnOrder: true,
    changesBags: true,
    apply: async (order, locked) => {
      const { tx, staff, now } = context;
      const history = await listHistory(tx, order.id);
      const last = lastMove(history);
      const isUndo = last?.staff_id === staff.id && undoSecondsLeft(last.at, now) !== null;
      if (!isUndo && !mayDo(staff.role, 'move-back')) throw new ApiError('forbidden', staffError('not-permitted'));
      if (isUndo && last.kind === 'cancelled') return undoCancelled(context, locked);
      const to = stageBefore(order.stage);
      if (!isAllowed(actionStateOfRow(order, history), 'move-back'))
        return deskError(order.stage === 'pickup' ? 'first-stage' : 'wrong-stage');
      if (!isUndo && !request.reason) return deskError('reason-required');
      const isWashedPickup = to === ('pickup' satisfies Stage) && wasWashed(history);
      if (isWashedPickup && !isUndo && !mayDo(staff.role, 'move-back-washed')) return deskError('washed-order');
      if (!to) {
        await setReturned(tx, order.id, null, now, request.reason);
        return null;
      }
      await setEarlierStage(tx, order.id, { to, reason: request.reason }, now);
      if (isUndo) await resetCountedBags(tx, last.id);
      if (last) await withdrawNotification(tx, last.id, now);
      const undoesDelivery = order.stage === ('delivered' satisfies Stage) && referralBonusTime === 'first-delivery';
      if (undoesDelivery && !(await hasDelivered(tx, order.customer_id))) await takeBackBonus(tx, order.customer_id, now);
      return null;
    },
  });

async function undoCancelled({ tx, staff, now }: StaffTransaction, order: LockedOrder) {
  const undone = await undoLockedCancellation(tx, laundryOf(staff), order, readPaidPaise, now);
  switch (undone.status) {
    case 'active':
      return null;
    case 'evening-full':
      return undone.error;
    case 'spent':
      return spentError(undone);
    case 'cancelled-by-laundry':
    case 'expired':
      return deskError('wrong-stage');
  }
}

/**
 * Records a failed visit, and sends the customer a message about it. Returns an error at the limit
 * of failed visits of a day, which an owner does not have. Throws like `updateOrder`.
 */
export const recordAttempt = (
  context: StaffTransaction,
  request: UpdateRequest & { why: AttemptReason },
): Promise<UpdateOutcome<typeof attempt>> =>
  updateOrder(context, request, {
    action: 'record-attempt',
    apply: async (order) => {
      const { tx, staff, now } = context;
      const history = await listHistory(tx, order.id);
      if (!isAllowed(actionStateOfRow(order, history), 'attempt')) return deskError('wrong-stage');
      if (isNotedTooOften('attempted', history, staff, now)) return deskError('too-many-visits');
      // The message about the last move waits for an undo. It must not follow that of the visit.
      const last = lastMove(history);
      if (last) await setNotificationsDue(tx, [last.id], now);
      const visit = { why: request.why, visitedAt: visitTimeOf(request.at, order.placed_at, now) };
      await insertOrderEvent(tx, order.id, { kind: 'attempted', ...visit, at: now });
      return null;
    },
  });

/**
 * Changes the day of a pickup, or chooses the evening of another delivery after a failed one. The
 * customer reads the reason, if any. No money moves. Returns an error for the current day of the
 * order. Throws like `updateOrder`.
 */
export const rescheduleOrderAtDesk = (
  context: StaffTransaction,
  request: UpdateRequest & { pickup_date: string },
): Promise<UpdateOutcome<typeof rescheduleCall>> =>
  updateOrder(context, request, {
    action: 'reschedule-order',
    apply: async (order, locked) => {
      const { tx, staff, now } = context;
      const state = await readActionState(tx, order);
      if (!isAllowed(state, 'reschedule')) return deskError('wrong-stage');
      const { pickup_date: day, reason } = request;
      const isDelivery = order.stage === ('delivery' satisfies Stage);
      // After a failed visit, the same day is another visit.
      if (!state.attempt && day === (isDelivery ? state.delivery_date : order.pickup_day)) return deskError('same-day');
      if (isDelivery) return (await chooseLockedDeliveryDay(tx, locked, { day, reason }, now)).error ?? null;
      const result = await rescheduleLockedOrder(tx, laundryOf(staff), locked, { day, reason }, now);
      switch (result.status) {
        case 'done':
          return null;
        case 'unavailable':
          return result.error;
        case 'cancelled':
        case 'already-picked-up':
          return deskError('wrong-stage');
      }
    },
  });

/**
 * Cancels an order and credits its payments to the wallet, like `cancelLockedOrder`. Payments
 * that the staff recorded count in the daily limit. The customer reads the reason. Throws like
 * `updateOrder`.
 */
export const cancelOrderAtDesk = (
  creditLimit: CreditLimit,
  context: StaffTransaction,
  request: UpdateRequest & { reason: string },
): Promise<UpdateOutcome<typeof cancelDeskOrder>> =>
  updateOrder(context, request, {
    action: 'cancel-order',
    isForbiddenOnOwnOrder: true,
    creditLimit,
    isRefund: true,
    apply: async (order, locked) => {
      const { tx, staff, now } = context;
      if (!isAllowed(await readActionState(tx, order), 'cancel')) return deskError('wrong-stage');
      const { reason } = request;
      const { status } = await cancelLockedOrder(tx, laundryOf(staff), locked, { reason, readPaidPaise }, now);
      return status === 'cancelled' ? null : deskError('wrong-stage');
    },
  });

/**
 * Sets the rider of an order: any person of the staff, of any role. Null removes the rider. Throws
 * like `updateOrder`.
 */
export const setRider = (
  context: StaffTransaction,
  request: UpdateRequest & { rider: string | null },
): Promise<UpdateOutcome<typeof assign>> =>
  updateOrder(context, request, {
    action: 'assign-order',
    apply: async (order) => {
      const { tx, now } = context;
      const { id } = order;
      if (!isAllowed(await readActionState(tx, order), 'assign')) return deskError('wrong-stage');
      // The lock waits for a removal of the person that has begun.
      const person = request.rider === null ? null : await lockMember(tx, request.rider);
      if (person === undefined) return deskError('unknown-rider');
      await setHandling(tx, id, { riderId: request.rider });
      await insertOrderEvent(tx, id, { kind: 'assigned', riderId: request.rider, at: now });
      return null;
    },
  });
