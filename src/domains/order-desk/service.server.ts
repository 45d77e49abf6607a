/**
 * Changes of orders by the staff, with the services that the terminal commands use.
 * docs/decisions/0053.
 */
import type { Tx } from '../../db/database.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { delayNotifications, withdrawNotification } from '../notifications/store.server.ts';
import { orderError, type Stage } from '../orders/contract.ts';
import { deliveryError } from '../orders/delivery-contract.ts';
import { chooseDeliveryDay } from '../orders/delivery-service.server.ts';
import type { HandOverCode } from '../orders/history-service.server.ts';
import { codeRenewal, deriveProgress } from '../orders/progress-rules.ts';
import { stageBefore, undoableUntil, undoSecondsLeft, type AttemptReason } from '../orders/rules.ts';
import { cancelOrder, undoCancellation } from '../orders/cancelling-service.server.ts';
import { collectEarlier, rescheduleOrder } from '../orders/pickup-service.server.ts';
import { moveOrder } from '../orders/service.server.ts';
import { insertOrderEvent, listOrderEvents } from '../orders/events-store.server.ts';
import { setEarlierStage, setReturned } from '../orders/changing-store.server.ts';
import { weighOrderAndAdjustCredit } from '../payments/weighing-service.server.ts';
import { totalReceivedPaise } from '../payments/store.server.ts';
import type { ReferralBonusTime } from '../referrals/contract.ts';
import { takeBackBonus } from '../referrals/service.server.ts';
import { laundryOf } from '../staff/authentication.server.ts';
import { staffError } from '../staff/desk/contract.ts';
import type { CreditLimit, StaffTransaction } from '../staff/service.server.ts';
import { findMember } from '../staff/store.server.ts';
import { updateOrder, spentError, type UpdateRequest } from './update-order-service.server.ts';
import { deskError, MAX_WRONG_CODES, RETURNED } from './desk/contract.ts';
import { canStillWeigh, isAllowed, isHandOver, isNotedTooOften, lastMove, mayDo, nextOf, type Step } from './desk/rules.ts';
import { countWrongCode, hasDelivered, listHistory, resetWrongCodes, setHandling, type DeskOrderRow } from './store.server.ts';

export interface DeskDependencies {
  referralBonusTime: ReferralBonusTime;
  handOverCode: HandOverCode;
}

interface WeighRequest extends UpdateRequest {
  weight: number;
  items: number;
  /** Required for a correction. The customer reads it. */
  reason?: string | undefined;
  collect_now?: true | undefined;
}

export const weighOrderAtDesk = (creditLimit: CreditLimit, context: StaffTransaction, request: WeighRequest) =>
  updateOrder(
    context,
    { ...request, note: [request.reason, request.note].filter(Boolean).join('. ') || undefined },
    {
      action: 'weigh-order',
      creditLimit,
      isRefund: true,
      toleratesLaterEvents: ({ stage }, later) => canStillWeigh(stage, later, request.collect_now === true, context.now),
      apply: async (order) => {
        const { tx, staff, now } = context;
        const { weight: weightGrams, items, bags, reason } = request;
        if (!isAllowed(await readStep(tx, order), 'weigh')) return deskError('wrong-stage');
        if (isNotedTooOften('weighed', await listHistory(tx, order.id), staff, now)) return deskError('too-many-weighings');
        // Clothes that are weighed before their day were collected today, and are back a day later.
        if (order.weight_grams === null && order.stage === 'pickup')
          await collectEarlier(tx, laundryOf(staff), order.id, cameAt(context, request), now);
        const weighing = { orderid: order.id, weightGrams, items, bags, reason, isAtDoor: staff.role === 'rider' };
        const result = await weighOrderAndAdjustCredit(tx, laundryOf(staff), weighing, now);
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
          case 'unknown-order':
            return orderError('order-not-found', { orderid: order.id });
        }
      },
    },
  );

interface MoveRequest extends UpdateRequest {
  stage: string;
  code?: string | undefined;
  reason?: string | undefined;
}

export const moveOrderAtDesk = (dependencies: DeskDependencies, context: StaffTransaction, request: MoveRequest) =>
  updateOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'move-order',
      apply: async (order) => {
        const { tx, now } = context;
        const step = await readStep(tx, order);
        const to = nextOf(step);
        if (to === undefined || to !== request.stage) return deskError('wrong-stage');
        if (isAllowed(step, 'weigh') && step.weight === null) return deskError('not-weighed');
        if (!isAllowed(step, isHandOver(to) ? 'hand-over' : 'move')) return deskError('wrong-stage');
        const refused = isHandOver(to) ? await checkHandOver(dependencies, context, order, request) : null;
        if (refused) return refused;
        if (to === RETURNED) {
          await setReturned(tx, order.id, now, now, request.code ? undefined : request.reason);
          return null;
        }
        const { referralBonusTime } = dependencies;
        const reason = isHandOver(to) && !request.code ? request.reason : undefined;
        const status = await moveOrder(tx, order.id, to as Stage, now, { bonusTime: referralBonusTime, reason });
        switch (status) {
          case 'done':
            return null;
          case 'not-weighed':
          case 'wrong-stage':
            return deskError(status);
          case 'unknown-order':
            return orderError('order-not-found', { orderid: order.id });
        }
      },
      // The customer hears of it once it cannot be undone any more.
      onEventsWritten: (eventIds) => delayNotifications(context.tx, eventIds, undoableUntil(context.now)),
    },
  );

async function readStep(tx: Tx, order: DeskOrderRow): Promise<Step> {
  const { stage, weight_grams: weight, returned_at: returnedAt } = order;
  return { ...deriveProgress(order, await listHistory(tx, order.id)), stage, weight, isReturned: returnedAt !== null };
}

/** The order is locked, so that concurrent tries are counted one after another. */
async function checkHandOver(
  { handOverCode }: DeskDependencies,
  { tx, staff, now }: StaffTransaction,
  { id, wrong_codes: wrongCodes }: DeskOrderRow,
  { code, reason }: MoveRequest,
) {
  const needsNoCode = reason !== undefined && mayDo(staff.role, 'hand-over-without-code');
  if (code === undefined) return needsNoCode ? null : deskError('code-required');
  if (wrongCodes >= MAX_WRONG_CODES) return deskError('too-many-codes');
  if (code === handOverCode(id, codeRenewal(await listOrderEvents(tx, id)))) return null;
  const count = await countWrongCode(tx, id);
  if (count < MAX_WRONG_CODES) return deskError('wrong-hand-over-code', { left: MAX_WRONG_CODES - count });
  await insertOrderEvent(tx, id, { kind: 'code-locked', at: now });
  return deskError('too-many-codes');
}

/** Gives the customer another hand-over code, with all its tries. */
export const renewHandOverCode = (context: StaffTransaction, request: UpdateRequest) =>
  updateOrder(context, request, {
    action: 'renew-code',
    apply: async (order) => {
      const { tx, now } = context;
      const { id } = order;
      if (!isAllowed(await readStep(tx, order), 'renew-code')) return deskError('wrong-stage');
      await resetWrongCodes(tx, id);
      await insertOrderEvent(tx, id, { kind: 'code-renewed', at: now });
      return null;
    },
  });

/**
 * Moves an order back by one stage, or undoes its cancellation or its return. The bonus for the
 * first delivered order of a customer is taken back with that delivery. Throws `ApiError`
 * (forbidden) if a rider may not undo the last move.
 */
export const moveOrderBackAtDesk = (
  { referralBonusTime }: Pick<DeskDependencies, 'referralBonusTime'>,
  context: StaffTransaction,
  request: UpdateRequest & { reason?: string | undefined },
) =>
  updateOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'move-order-back',
      apply: async (order) => {
        const { tx, staff, now } = context;
        const last = lastMove(await listHistory(tx, order.id));
        const isUndo = last?.staff_id === staff.id && undoSecondsLeft(last.at, now) !== null;
        if (!isUndo && !mayDo(staff.role, 'move-back')) throw new ApiError('forbidden', staffError('not-permitted'));
        if (isUndo && last.kind === 'cancelled') return undoCancelled(context, order.id);
        const to = stageBefore(order.stage);
        if (!isAllowed(await readStep(tx, order), 'move-back')) return deskError(order.stage === 'pickup' ? 'first-stage' : 'wrong-stage');
        if (!isUndo && !request.reason) return deskError('reason-required');
        if (!to) {
          await setReturned(tx, order.id, null, now, request.reason);
          return null;
        }
        await setEarlierStage(tx, order.id, { to, reason: request.reason }, now);
        if (last) await withdrawNotification(tx, last.id, now);
        const undoesDelivery = order.stage === ('delivered' satisfies Stage) && referralBonusTime === 'first-delivery';
        if (undoesDelivery && !(await hasDelivered(tx, order.customer_id))) await takeBackBonus(tx, order.customer_id, now);
        return null;
      },
    },
  );

async function undoCancelled({ tx, staff, now }: StaffTransaction, orderid: string) {
  const undone = await undoCancellation({ db: tx, totalReceivedPaise }, laundryOf(staff), orderid, now);
  switch (undone.status) {
    case 'active':
      return null;
    case 'evening-full':
      return undone.error;
    case 'spent':
      return spentError({ overpaidPaise: undone.refundPaise, balancePaise: undone.balancePaise });
    case 'cancelled-by-laundry':
    case 'expired':
      return deskError('wrong-stage');
    case 'unknown-order':
      return orderError('order-not-found', { orderid });
  }
}

/** The device's time, because it can send the entry later; never in the future. */
const cameAt = ({ now }: StaffTransaction, { at }: UpdateRequest): Date => (at === undefined || new Date(at) > now ? now : new Date(at));

export const recordAttempt = (context: StaffTransaction, request: UpdateRequest & { why: AttemptReason }) =>
  updateOrder(context, request, {
    action: 'record-attempt',
    apply: async (order) => {
      const { tx, staff, now } = context;
      if (!isAllowed(await readStep(tx, order), 'attempt')) return deskError('wrong-stage');
      if (isNotedTooOften('attempted', await listHistory(tx, order.id), staff, now)) return deskError('too-many-visits');
      const visit = { why: request.why, cameAt: cameAt(context, request) };
      await insertOrderEvent(tx, order.id, { kind: 'attempted', ...visit, at: now });
      return null;
    },
  });

export const rescheduleOrderAtDesk = (context: StaffTransaction, request: UpdateRequest & { pickup_date: string; reason: string }) =>
  updateOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'reschedule-order',
      apply: async (order) => {
        if (!isAllowed(await readStep(context.tx, order), 'reschedule')) return deskError('wrong-stage');
        const { pickup_date: day, reason } = request;
        const change = order.stage === ('delivery' satisfies Stage) ? chooseDeliveryDay : rescheduleOrder;
        const result = await change(context.tx, laundryOf(context.staff), order.id, { day, reason }, context.now);
        switch (result.status) {
          case 'done':
            return null;
          case 'no-failed-visit':
            return deliveryError('no-failed-delivery');
          case 'unavailable':
            return result.error;
          case 'cancelled':
          case 'picked-up':
            return deskError('wrong-stage');
          case 'unknown-order':
            return orderError('order-not-found', { orderid: order.id });
        }
      },
    },
  );

export const cancelOrderAtDesk = (creditLimit: CreditLimit, context: StaffTransaction, request: UpdateRequest & { reason: string }) =>
  updateOrder(
    context,
    { ...request, note: request.reason },
    {
      action: 'cancel-order',
      creditLimit,
      isRefund: true,
      apply: async (order) => {
        const { tx, staff, now } = context;
        if (!isAllowed(await readStep(tx, order), 'cancel')) return deskError('wrong-stage');
        const { status } = await cancelOrder(
          { db: tx, totalReceivedPaise },
          laundryOf(staff),
          { orderid: order.id, reason: request.reason },
          now,
        );
        switch (status) {
          case 'cancelled':
            return null;
          case 'too-late':
            return deskError('wrong-stage');
          case 'unknown-order':
            return orderError('order-not-found', { orderid: order.id });
        }
      },
    },
  );

export const assignOrder = (context: StaffTransaction, request: UpdateRequest & { rider: string | null }) =>
  updateOrder(context, request, {
    action: 'assign-order',
    apply: async (order) => {
      const { tx, now } = context;
      const { id } = order;
      if (!isAllowed(await readStep(tx, order), 'assign')) return deskError('wrong-stage');
      const person = request.rider === null ? null : await findMember(tx, request.rider);
      if (person === undefined) return deskError('unknown-rider');
      await setHandling(tx, id, { riderId: request.rider });
      await insertOrderEvent(tx, id, { kind: 'assigned', riderId: request.rider, at: now });
      return null;
    },
  });
