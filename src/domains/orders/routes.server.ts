import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { asPaise } from '../../lib/money.ts';
import { fail, ApiError, succeed, type RegisterRoute, type CallRequest } from '../../contract/route.server.ts';
import type { Authentication, CustomerOrGuest } from '../sessions/authentication.server.ts';
import type { Area } from '../catalogue/contract.ts';
import {
  addOrder,
  getMoreOrders,
  getOrder,
  getOrders,
  orderError,
  orderMessages as messages,
  ORDERS_PER_PAGE,
  type Order,
  type OrderRequest,
  type Stage,
} from './contract.ts';
import { calculateAmounts } from './rules.ts';
import { placeOrder, type OrderDependencies } from './service.server.ts';
import { findOrder, fromShipColumns, listOrders } from './store.server.ts';

export function orderRoutes(
  registerRoute: RegisterRoute,
  { clock, authentication, ...dependencies }: OrderDependencies & { clock: Clock; authentication: Authentication },
) {
  const { db } = dependencies;

  registerRoute(addOrder, async (request) => {
    const caller = await authenticateCaller(authentication, request);
    const result = await placeOrder(dependencies, caller, request.body, idempotencyKey(request), clock.now());
    return 'placed' in result ? succeed(messages.placed, result.placed) : fail(result.error);
  });

  registerRoute(getOrders, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const rows = await listOrders(db, caller, { offset: 0, limit: ORDERS_PER_PAGE });
    return succeed(messages.listed, rows.map(toOrder));
  });

  registerRoute(getMoreOrders, async (request) => {
    const { userid, offset } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const rows = await listOrders(db, caller, { offset, limit: ORDERS_PER_PAGE });
    return rows.length > 0 ? succeed(messages.listed, rows.map(toOrder)) : fail(orderError('out-of-orders'));
  });

  registerRoute(getOrder, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const row = await findOrder(db, caller, orderid);
    return row ? succeed(messages.found, [toOrder(row)]) : fail(orderError('order-not-found', { orderid }));
  });
}

/**
 * Like `requireCustomerOrGuest`, but throws 'mobile-not-verified' (401) instead of 'login-required'
 * if the request has a guest's address.
 */
async function authenticateCaller(authentication: Authentication, request: CallRequest<OrderRequest>): Promise<CustomerOrGuest> {
  const { userid, guest_address: guestAddress } = request.body;
  try {
    return await authentication.requireCustomerOrGuest(request, userid);
  } catch (error) {
    throw guestAddress && error instanceof ApiError ? new ApiError(401, orderError('mobile-not-verified')) : error;
  }
}

/** Returns the header Idempotency-Key. Throws `ApiError` (400) if it is malformed. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\w-]{8,64}$/.test(key)) return key;
  throw new ApiError(400, orderError('invalid-idempotency-key'));
}

function toOrder(row: NonNullable<Awaited<ReturnType<typeof findOrder>>>): Order {
  const stages = row.events.flatMap(({ stage, at }) => (stage === null ? [] : { stage, entered_at: kolkataDateTime(new Date(at)) }));
  const amounts = calculateAmounts({ ratePaise: asPaise(row.rate_paise), offerPercent: row.offer_percent, weightGrams: row.weight_grams });
  return {
    orderid: row.id,
    order_date: kolkataDateTime(row.placed_at),
    washing_stage: row.stage,
    delivered_date: stages.findLast(({ stage }) => stage === ('delivered' satisfies Stage))?.entered_at ?? null,
    stages,
    version: row.events.at(-1)?.id ?? 0,
    programid: row.program_id,
    program_name: row.program_name,
    program_rate: asPaise(row.rate_paise),
    unit: row.unit,
    total_weight: row.weight_grams,
    total_items: row.items,
    order_cost: amounts?.cost ?? null,
    total_amount: amounts?.final ?? null,
    offer_rate: row.offer_percent,
    offerid: row.offer_id,
    area: row.area as Area,
    timeslot: row.timeslot,
    pickup_date: row.pickup_day,
    ...fromShipColumns(row),
  };
}
