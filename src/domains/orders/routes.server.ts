import { DAY_SECONDS, type Clock } from '../../lib/clock.ts';
import { publicFirstName } from '../../lib/customer-text.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import type { Brand } from '../../shared/brand.ts';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { fail, respond, succeed, type RegisterRoute, type CallRequest } from '../../contract/route.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { findMobile } from '../accounts/store.server.ts';
import type { Authentication, CustomerOrGuest } from '../sessions/authentication.server.ts';
import {
  addOrder,
  cancelOrder,
  getMoreOrders,
  getOrder,
  getOrders,
  orderError,
  orderMessages as messages,
  ORDERS_PER_PAGE,
  reschedule,
  undoCancel,
  type Order,
  type OrderRequest,
  type Stage,
} from './contract.ts';
import { chooseDelivery, deliveryError, deliveryMessages } from './delivery-contract.ts';
import { chooseDeliveryDay } from './delivery-service.server.ts';
import { describeHistory, type HandOverCode } from './history-service.server.ts';
import { codeRenewal, countedBags, hasReportedUpi, isCodeLocked } from './progress-rules.ts';
import { MAX_CHANGES_PER_DAY } from './rules.ts';
import { placeOrder, type PlacingDependencies } from './placing-service.server.ts';
import * as cancelling from './cancelling-service.server.ts';
import { rescheduleOrder } from './pickup-service.server.ts';
import { toOrderFields } from './service.server.ts';
import { findOrder, listOrders, type ReceivedSql } from './store.server.ts';

export interface OrderRouteDependencies extends PlacingDependencies, cancelling.CancellationDependencies {
  clock: Clock;
  authentication: Authentication;
  /** Its telephone number is in errors. */
  brand: Brand;
  received: ReceivedSql;
  handOverCode: HandOverCode;
}

export function orderRoutes(
  registerRoute: RegisterRoute,
  { clock, authentication, brand, received, handOverCode, ...dependencies }: OrderRouteDependencies,
) {
  const { db } = dependencies;
  const toOrderOf = (caller: CustomerOrGuest) => {
    const now = clock.now();
    return (row: OrderRow) => toOrder(row, caller, handOverCode, now);
  };
  const pickedUp = orderError('already-picked-up', { mobile: brand.mobile });
  /**
   * Throws `ApiError` (rate-limited) beyond the limit: each change keeps a row and may send a
   * message.
   */
  const countChange = async (caller: CustomerOrGuest) => {
    const subject = dependencies.hashMobile(await findMobile(db, caller)).toString('hex');
    const limit = { name: 'order changes of a number', max: MAX_CHANGES_PER_DAY, windowSeconds: DAY_SECONDS };
    const counted = await consumeLimit(db, { ...limit, subject, now: clock.now() });
    if (!counted.allowed)
      throw new ApiError('rate-limited', orderError('too-many-changes', { mobile: brand.mobile }), counted.retryAfterSeconds);
  };

  registerRoute(addOrder, async (request) => {
    const caller = await authenticateCaller(authentication, request);
    return respond(messages.placed, await placeOrder(dependencies, caller, request.body, idempotencyKey(request), clock.now()));
  });

  registerRoute(getOrders, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const rows = await listOrders(db, caller, { received, offset: 0, limit: ORDERS_PER_PAGE });
    return succeed(messages.listed, rows.map(toOrderOf(caller)));
  });

  registerRoute(getMoreOrders, async (request) => {
    const { userid, offset } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const rows = await listOrders(db, caller, { received, offset, limit: ORDERS_PER_PAGE });
    return rows.length > 0 ? succeed(messages.listed, rows.map(toOrderOf(caller))) : fail(orderError('out-of-orders'));
  });

  registerRoute(getOrder, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const row = await findOrder(db, caller, orderid, received);
    return row ? succeed(messages.found, [toOrderOf(caller)(row)]) : fail(orderError('order-not-found', { orderid }));
  });

  registerRoute(cancelOrder, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const result = await cancelling.cancelOrder(dependencies, caller, { orderid }, clock.now());
    switch (result.status) {
      case 'cancelled':
        return succeed(messages.cancelled, { orderid, refund: result.refundPaise, undo_seconds: result.undoSeconds });
      case 'unknown-order':
        return fail(orderError('order-not-found', { orderid }));
      case 'too-late':
        return fail(pickedUp);
    }
  });

  registerRoute(undoCancel, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const result = await cancelling.undoCancellation(dependencies, caller, orderid, clock.now());
    switch (result.status) {
      case 'active':
        return succeed(messages.cancellationUndone, { orderid, washing_stage: result.stage });
      case 'unknown-order':
        return fail(orderError('order-not-found', { orderid }));
      case 'expired':
        return fail(orderError('undo-expired'));
      case 'cancelled-by-laundry':
        return fail(orderError('cancelled-by-laundry', { mobile: brand.mobile }));
      case 'spent':
        return fail(orderError('refund-spent'));
      case 'evening-full':
        return fail(result.error);
    }
  });

  registerRoute(reschedule, async (request) => {
    const { userid, orderid, pickup_date } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const result = await rescheduleOrder(db, caller, orderid, { day: pickup_date }, clock.now());
    switch (result.status) {
      case 'done':
        return succeed(messages.rescheduled, { orderid, timeslot: result.timeslot, pickup_date });
      case 'unknown-order':
        return fail(orderError('order-not-found', { orderid }));
      case 'cancelled':
        return fail(orderError('order-cancelled'));
      case 'picked-up':
        return fail(pickedUp);
      case 'unavailable':
        return fail(result.error);
    }
  });

  registerRoute(chooseDelivery, async (request) => {
    const { userid, orderid, delivery_date } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const result = await chooseDeliveryDay(db, caller, orderid, { day: delivery_date }, clock.now());
    switch (result.status) {
      case 'done':
        return succeed(deliveryMessages.chosen, { orderid, timeslot: result.timeslot, delivery_date });
      case 'unknown-order':
        return fail(orderError('order-not-found', { orderid }));
      case 'no-failed-visit':
        return fail(deliveryError('no-failed-delivery'));
      case 'unavailable':
        return fail(result.error);
    }
  });
}

/**
 * Like `requireCustomerOrGuest`, but throws 'mobile-not-verified' instead of 'login-required'
 * if the request has a guest's address.
 */
async function authenticateCaller(authentication: Authentication, request: CallRequest<OrderRequest>): Promise<CustomerOrGuest> {
  const { userid, guest_address: guestAddress } = request.body;
  try {
    return await authentication.requireCustomerOrGuest(request, userid);
  } catch (error) {
    throw guestAddress && error instanceof ApiError ? new ApiError('unauthenticated', orderError('mobile-not-verified')) : error;
  }
}

type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

function toOrder(row: OrderRow, caller: CustomerOrGuest, handOverCode: HandOverCode, now: Date): Order {
  const { events } = row;
  const fields = toOrderFields(row, events);
  const history = describeHistory(events, row);
  const { cancelled_at: cancelledAt, cancelled_by: by } = row;
  const isOutForDelivery = row.stage === ('delivery' satisfies Stage);
  const isRiderExpected = isOutForDelivery || (row.stage === ('pickup' satisfies Stage) && row.weight_grams === null);
  return {
    ...fields,
    hand_over_code: (isOutForDelivery || fields.to_return) && !isCodeLocked(events) ? handOverCode(row.id, codeRenewal(events)) : null,
    cancellation: cancelledAt && {
      by: by === 'laundry' ? by : 'customer',
      at: kolkataDateTime(cancelledAt),
      reason: history.findLast(({ kind }) => kind === 'cancelled')?.reason ?? null,
    },
    undo_seconds: cancelling.undoSeconds(row, caller, now),
    reviewed: row.stars !== null,
    stars: row.stars,
    bags: countedBags(events),
    has_reported_upi: hasReportedUpi(events),
    rider: (isRiderExpected && row.rider_name && publicFirstName(row.rider_name)) || null,
    history,
  };
}
