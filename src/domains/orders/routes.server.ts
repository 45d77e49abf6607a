import type { Clock } from '../../lib/clock.ts';
import type { Brand } from '../../shared/brand.ts';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { fail, respond, succeed, type RegisterRoute, type CallRequest } from '../../contract/route.server.ts';
import { consentOf } from '../consents/service.server.ts';
import type { Authentication, CustomerOrGuest } from '../sessions/authentication.server.ts';
import {
  addOrder,
  cancelOrder,
  getMoreOrders,
  getOrder,
  getOrders,
  orderError,
  orderMessages as messages,
  reschedule,
  undoCancel,
  type OrderRequest,
} from './contract.ts';
import { chooseDelivery, deliveryMessages } from './delivery-contract.ts';
import { chooseDeliveryDay } from './delivery-service.server.ts';
import { readOrder, readOrders, readRecentOrders } from './following-service.server.ts';
import type { HandOverCode } from './history-service.server.ts';
import { placeOrder, type PlacingDependencies } from './placing-service.server.ts';
import * as cancelling from './cancelling-service.server.ts';
import { rescheduleOrder } from './pickup-service.server.ts';
import { countCustomerChange } from './change-limit-service.server.ts';
import type { PaymentsSql } from './store.server.ts';

export interface OrderRouteDependencies extends PlacingDependencies, cancelling.CancellationDependencies {
  clock: Clock;
  authentication: Authentication;
  /** Its telephone number is in errors. */
  brand: Brand;
  payments: PaymentsSql;
  handOverCode: HandOverCode;
}

export function orderRoutes(
  registerRoute: RegisterRoute,
  { clock, authentication, brand, payments, handOverCode, ...dependencies }: OrderRouteDependencies,
) {
  const { db } = dependencies;
  const following = { db, payments, handOverCode };
  const pickedUp = orderError('already-picked-up', { mobile: brand.mobile });
  const countChange = async (caller: CustomerOrGuest) => {
    const change = await countCustomerChange(dependencies, caller, clock.now());
    if (!change.allowed)
      throw new ApiError('rate-limited', orderError('too-many-changes', { mobile: brand.mobile }), change.retryAfterSeconds);
  };

  registerRoute(addOrder, async (request) => {
    const caller = await authenticateCaller(authentication, request);
    const consent = caller.kind === 'guest' ? consentOf('order', request.body.consent) : undefined;
    return respond(messages.placed, await placeOrder(dependencies, caller, request.body, idempotencyKey(request), clock.now(), consent));
  });

  registerRoute(getOrders, async (request) => {
    const { userid, with_open: withOpen = false } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    return succeed(
      messages.listed,
      withOpen ? await readRecentOrders(following, caller, clock.now()) : await readOrders(following, caller, 0, clock.now()),
    );
  });

  registerRoute(getMoreOrders, async (request) => {
    const { userid, offset } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const orders = await readOrders(following, caller, offset, clock.now());
    return orders.length > 0 ? succeed(messages.listed, orders) : fail(orderError('out-of-orders'));
  });

  registerRoute(getOrder, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const order = await readOrder(following, caller, orderid, clock.now());
    return order ? succeed(messages.found, [order]) : fail(orderError('order-not-found', { orderid }));
  });

  registerRoute(cancelOrder, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const result = await cancelling.cancelOrder(dependencies, caller, { orderid }, clock.now());
    switch (result.status) {
      case 'cancelled':
        return succeed(messages.cancelled, { orderid, refund: result.paidPaise, undo_seconds: result.undoSeconds });
      case 'order-not-found':
        return fail(orderError('order-not-found', { orderid }));
      case 'already-picked-up':
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
      case 'order-not-found':
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
      case 'order-not-found':
        return fail(orderError('order-not-found', { orderid }));
      case 'cancelled':
        return fail(orderError('order-cancelled'));
      case 'already-picked-up':
        return fail(pickedUp);
      case 'unavailable':
        return fail(result.error);
    }
  });

  registerRoute(chooseDelivery, async (request) => {
    const { userid, orderid, delivery_date } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const { data, error } = await chooseDeliveryDay(db, caller, orderid, { day: delivery_date }, clock.now());
    return error ? fail(error) : succeed(deliveryMessages.chosen, { orderid, timeslot: data.timeslot, delivery_date });
  });
}

/**
 * Returns the caller, or throws, like `requireCustomerOrGuest`. If the request has a guest's
 * address, replaces an `ApiError` by 'mobile-not-verified'.
 */
async function authenticateCaller(authentication: Authentication, request: CallRequest<OrderRequest>): Promise<CustomerOrGuest> {
  const { userid, guest_address: guestAddress } = request.body;
  try {
    return await authentication.requireCustomerOrGuest(request, userid);
  } catch (error) {
    throw guestAddress && error instanceof ApiError ? new ApiError('unauthenticated', orderError('mobile-not-verified')) : error;
  }
}
