/** Reads orders as their customer sees them. */
import { publicFirstName } from '../../lib/customer-text.ts';
import type { Db } from '../../db/database.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { undoSeconds } from './cancelling-service.server.ts';
import { ORDERS_PER_PAGE, type Order } from './contract.ts';
import { describeHistory, type HandOverCode } from './history-service.server.ts';
import { codeRenewal, bagsAtWeighing, hasReportedUpi, isCodeShown, isRiderExpected } from './progress-rules.ts';
import { toOrderFields } from './service.server.ts';
import { findOrder, listOrders, type OrderWithEvents, type PaymentsSql } from './store.server.ts';

export interface FollowingDependencies {
  db: Db;
  payments: PaymentsSql;
  handOverCode: HandOverCode;
}

/** Returns a page of the caller's orders, the newest first. */
export async function readOrders(
  { db, payments, handOverCode }: FollowingDependencies,
  caller: CustomerOrGuest,
  offset: number,
  now: Date,
): Promise<Order[]> {
  const rows = await listOrders(db, caller, { payments, offset, limit: ORDERS_PER_PAGE });
  return rows.map((row) => toOrder(row, caller, handOverCode, now));
}

/**
 * Returns the first page of the caller's orders, and behind it the newest other orders under way,
 * at most as many.
 */
export async function readRecentOrders(
  { db, payments, handOverCode }: FollowingDependencies,
  caller: CustomerOrGuest,
  now: Date,
): Promise<Order[]> {
  const newest = await listOrders(db, caller, { payments, offset: 0, limit: ORDERS_PER_PAGE });
  const others =
    newest.length < ORDERS_PER_PAGE
      ? []
      : await listOrders(db, caller, { payments, offset: 0, limit: ORDERS_PER_PAGE, openExcept: newest.map(({ id }) => id) });
  return [...newest, ...others].map((row) => toOrder(row, caller, handOverCode, now));
}

/** Returns undefined for an unknown order and for one that belongs to another caller. */
export async function readOrder(
  { db, payments, handOverCode }: FollowingDependencies,
  caller: CustomerOrGuest,
  orderid: string,
  now: Date,
): Promise<Order | undefined> {
  const row = await findOrder(db, caller, orderid, payments);
  return row && toOrder(row, caller, handOverCode, now);
}

function toOrder(row: OrderWithEvents, caller: CustomerOrGuest, handOverCode: HandOverCode, now: Date): Order {
  const { events } = row;
  const fields = toOrderFields(row, events);
  return {
    ...fields,
    hand_over_code: isCodeShown(row, events) ? handOverCode(row.id, codeRenewal(events)) : null,
    undo_seconds: undoSeconds(row, caller, now),
    reviewed: row.stars !== null,
    stars: row.stars,
    bags: bagsAtWeighing(events),
    has_reported_upi: hasReportedUpi(events),
    rider: (isRiderExpected(row) && row.rider_name && publicFirstName(row.rider_name)) || null,
    history: describeHistory(events, row),
  };
}
