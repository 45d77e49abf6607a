import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { DAY_SECONDS, type Clock } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { asPaise } from '../../lib/money.ts';
import type { Brand } from '../../shared/brand.ts';
import { createEventStreams, type EventStream } from '../../contract/event-streams.server.ts';
import { fail, ApiError, succeed, type RegisterRoute, type CallRequest } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { listen } from '../../db/listen.server.ts';
import { clientNetwork } from '../../security/client-network.server.ts';
import type { Authentication, CustomerOrGuest } from '../sessions/authentication.server.ts';
import { findLiveSessions } from '../sessions/store.server.ts';
import type { Area } from '../catalogue/contract.ts';
import {
  addOrder,
  calendarPath,
  cancelOrder,
  getMoreOrders,
  getOrder,
  getOrders,
  ORDER_EVENTS_PATH,
  orderError,
  orderMessages as messages,
  ORDERS_PER_PAGE,
  reschedule,
  undoCancel,
  type Order,
  type OrderRequest,
  type Stage,
} from './contract.ts';
import { MAX_CHANGES_PER_DAY, ORDER_EVENTS_CHANNEL, calculateAmounts, pickupCalendar } from './rules.ts';
import * as service from './service.server.ts';
import { findOrder, fromShipColumns, latestEvents, listOrders, ownsOrder, type ReceivedSql } from './store.server.ts';

export interface OrderRouteDependencies extends service.OrderDependencies, service.CancellationDependencies {
  clock: Clock;
  authentication: Authentication;
  /** Its telephone number is in errors. */
  brand: Brand;
  received: ReceivedSql;
}

export function orderRoutes(
  registerRoute: RegisterRoute,
  { clock, authentication, brand, received, ...dependencies }: OrderRouteDependencies,
) {
  const { db } = dependencies;
  const toOrderOf = (caller: CustomerOrGuest) => {
    const now = clock.now();
    return (row: OrderRow) => toOrder(row, caller, now);
  };
  const pickedUp = orderError('already-picked-up', { mobile: brand.mobile });
  /** Throws `ApiError` (429) beyond the limit: each change keeps a row and may send a message. */
  const countChange = async ({ id: subject }: CustomerOrGuest) => {
    const limit = { name: 'order changes of a customer', max: MAX_CHANGES_PER_DAY, windowSeconds: DAY_SECONDS };
    const counted = await consumeLimit(db, { ...limit, subject, now: clock.now() });
    if (!counted.allowed) throw new ApiError(429, orderError('too-many-changes', { mobile: brand.mobile }), counted.retryAfterSeconds);
  };

  registerRoute(addOrder, async (request) => {
    const caller = await authenticateCaller(authentication, request);
    const result = await service.placeOrder(dependencies, caller, request.body, idempotencyKey(request), clock.now());
    return 'placed' in result ? succeed(messages.placed, result.placed) : fail(result.error);
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
    const result = await service.cancelOrder(dependencies, caller, orderid, clock.now());
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
    const result = await service.undoCancellation(dependencies, caller, orderid, clock.now());
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
    }
  });

  registerRoute(reschedule, async (request) => {
    const { userid, orderid, pickup_date } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    await countChange(caller);
    const result = await service.rescheduleOrder(db, caller, orderid, pickup_date, clock.now());
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
}

/** A calendar file for the pickup of an order, outside the calls: a phone opens it from a link. */
export function calendarRoutes(app: FastifyInstance, { db, clock, authentication, brand, received }: OrderRouteDependencies) {
  app.get<{ Params: { orderid: string } }>(decodeURIComponent(calendarPath(':orderid')), async (request, reply) => {
    const caller = await authentication.findCaller(request);
    const row = caller && (await findOrder(db, caller, request.params.orderid, received));
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    if (!row) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such order');
    const address = [row.ship_address1, row.ship_address2, row.ship_landmark, `${row.ship_city} ${row.ship_pincode}`].join(', ');
    const order = { id: row.id, stage: row.stage, pickupDay: row.pickup_day, address, version: row.version };
    return reply
      .header('content-disposition', `inline; filename="pickup-${row.id}.ics"`)
      .type('text/calendar; charset=utf-8')
      .send(pickupCalendar(order, brand.name, clock.now()));
  });
}

interface OrderEventDependencies {
  db: Db;
  clock: Clock;
  authentication: Authentication;
  /** For the connection that listens to changes. */
  connection: pg.ClientConfig;
  onConnectionLost(error: Error): void;
  /** Runs work that may continue after the response. */
  runInBackground(name: string, work: () => Promise<void>): Promise<void>;
}

const toSessionKey = (hash: Buffer) => hash.toString('base64');

/**
 * The server-sent events of an order, for the caller of `getOrder`. An event is the order's version
 * and contains no other data: the page then fetches the order.
 */
export function orderEventRoutes(app: FastifyInstance, dependencies: OrderEventDependencies) {
  const { db, clock, authentication, connection, onConnectionLost, runInBackground } = dependencies;
  const streams = createEventStreams(() => void update(streams.list()));
  let listener: ReturnType<typeof listen> | undefined;

  /** Sends the newest versions. Ends the streams of sessions that have ended. Never rejects. */
  const update = (open: readonly EventStream[]) =>
    runInBackground('sending the events of orders', async () => {
      if (open.length === 0) return;
      const sessions = open.map(({ session }) => Buffer.from(session, 'base64'));
      const live = new Set((await findLiveSessions(db, sessions, clock.now())).map(toSessionKey));
      const orderids = open.map(({ topic }) => topic);
      const versions = new Map((await latestEvents(db, orderids)).map(({ order_id, version }) => [order_id, version]));
      for (const stream of open) {
        if (live.has(stream.session)) stream.send(versions.get(stream.topic) ?? 0);
        else stream.end();
      }
    });

  // A HEAD request must not open a stream.
  app.get<{ Querystring: { orderid?: unknown } }>(`/${ORDER_EVENTS_PATH}`, { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await authentication.requireCustomerOrGuest(request, undefined);
    const orderid = String(request.query.orderid);
    // PostgreSQL rejects a text with NUL.
    if (orderid.includes('\0') || !(await ownsOrder(db, caller, orderid)))
      throw new ApiError(404, orderError('order-not-found', { orderid }));
    const stream = streams.open(reply, { topic: orderid, session: toSessionKey(caller.sessionHash), network: clientNetwork(request) });
    listener ??= listen({
      connection,
      channel: ORDER_EVENTS_CHANNEL,
      onNotification: (changed) => void update(streams.list().filter(({ topic }) => topic === changed)),
      onConnected: () => void update(streams.list()),
      onConnectionLost,
    });
    await update([stream]);
  });

  app.addHook('preClose', async () => {
    streams.endAll();
    await listener?.stop();
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

type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

/** Returns the stages that the order has entered. Leaves out a cancellation that was undone. */
function enteredStages({ events, cancelled_at: cancelledAt }: OrderRow): Order['stages'] {
  const cancelled = 'cancelled' satisfies Stage;
  const entered = events.flatMap(({ stage, at }) => (stage === null || stage === cancelled ? [] : { stage, at: new Date(at) }));
  if (cancelledAt) entered.push({ stage: cancelled, at: cancelledAt });
  return entered.map(({ stage, at }) => ({ stage, entered_at: kolkataDateTime(at) }));
}

function toOrder(row: OrderRow, caller: CustomerOrGuest, now: Date): Order {
  const stages = enteredStages(row);
  const amounts = calculateAmounts({ ratePaise: asPaise(row.rate_paise), offerPercent: row.offer_percent, weightGrams: row.weight_grams });
  return {
    orderid: row.id,
    order_date: kolkataDateTime(row.placed_at),
    washing_stage: row.stage,
    delivered_date: stages.findLast(({ stage }) => stage === ('delivered' satisfies Stage))?.entered_at ?? null,
    stages,
    version: row.version,
    programid: row.program_id,
    program_name: row.program_name,
    program_rate: asPaise(row.rate_paise),
    unit: row.unit,
    total_weight: row.weight_grams,
    total_items: row.items,
    order_cost: amounts?.cost ?? null,
    total_amount: amounts?.final ?? null,
    amount_paid: asPaise(row.received_paise),
    offer_rate: row.offer_percent,
    offerid: row.offer_id,
    area: row.area as Area,
    timeslot: row.timeslot,
    pickup_date: row.pickup_day,
    undo_seconds: service.undoSeconds(row, caller, now),
    ...fromShipColumns(row),
  };
}
