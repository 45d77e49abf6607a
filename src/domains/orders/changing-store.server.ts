/** Writes changes of orders, each with its event. */
import { sql } from 'kysely';
import type { Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { OrderParty, Stage } from './contract.ts';
import { orderEventSql } from './events-store.server.ts';

export interface Weighing {
  weightGrams: number;
  items: number;
  bags?: number | undefined;
  /** Why the weight of an order that was weighed before is another one. The customer reads it. */
  reason?: string | undefined;
  /** A rider weighed the clothes. */
  isAtDoor?: boolean;
}

/**
 * Sets weight and items and inserts the event, also if they are unchanged. Returns false if the
 * order is not in stage `pickup` or does not exist.
 */
export async function updateWeight(db: Db, orderid: string, { isAtDoor = false, ...weighing }: Weighing, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update orders set weight_grams = ${weighing.weightGrams}, items = ${weighing.items}
       where id = ${orderid} and stage = ${'pickup' satisfies Stage} returning id as order_id
    ) ${orderEventSql({ kind: 'weighed', ...weighing, isAtDoor, at: now })}`.execute(db);
  return rows.length === 1;
}

/** A change of the stage. The customer reads the reason. */
export interface StageMove {
  to: Stage;
  reason?: string | undefined;
}

/**
 * Changes the stage of an order, and inserts its event. Returns false if the order does not exist,
 * is not weighed or not in stage `from`, so that of two concurrent calls one returns true.
 */
export async function updateStage(db: Db, orderid: string, from: Stage, { to, reason }: StageMove, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update orders set stage = ${to}
       where id = ${orderid} and stage = ${from} and weight_grams is not null returning id as order_id
    ) ${orderEventSql({ kind: 'moved', stage: to, reason, at: now })}`.execute(db);
  return rows.length === 1;
}

/**
 * Moves a locked order back to the stage `to` and inserts the event. Without a reason, the event
 * means that the last move was undone.
 */
export async function setEarlierStage(tx: Tx, orderid: string, { to: stage, reason }: StageMove, now: Date) {
  await sql`
    with changed as (
      update orders set stage = ${stage} where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'moved-back', stage, reason, at: now })}`.execute(tx);
}

export interface Cancellation {
  /** Counts the cancellations of the order, from 1. */
  number: number;
  by: OrderParty;
  /** The customer reads it. */
  reason: string | undefined;
  /** The amount that this cancellation credits to the wallet. */
  refundPaise: Paise;
}

/** Cancels a locked order and inserts the event. The caller releases its booking and its money. */
export async function setCancelled(tx: Tx, orderid: string, { number, by, reason, refundPaise }: Cancellation, now: Date) {
  const stage = 'cancelled' satisfies Stage;
  await sql`
    with changed as (
      update orders
         set stage = ${stage}, cancelled_at = ${now}, cancelled_by = ${by}, cancelled_from = stage, cancellations = ${number},
             returned_at = null
       where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'cancelled', by, refundPaise, reason, at: now })}`.execute(tx);
}

/**
 * Returns a locked, cancelled order to `stage` and inserts the event. The caller books it again.
 */
export async function resetCancelled(tx: Tx, orderid: string, { stage, by }: { stage: Stage; by: OrderParty }, now: Date) {
  await sql`
    with changed as (
      update orders set stage = ${stage}, cancelled_at = null, cancelled_by = null, cancelled_from = null
       where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'cancellation-undone', by, at: now })}`.execute(tx);
}

/**
 * Sets the time at which the clothes of a locked, cancelled order were given back, and inserts the
 * event. Null undoes the return. The customer reads the reason.
 */
export async function setReturned(tx: Tx, orderid: string, returnedAt: Date | null, now: Date, reason?: string) {
  await sql`
    with changed as (
      update orders set returned_at = ${returnedAt}::timestamptz where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: returnedAt ? 'returned' : 'return-undone', reason, at: now })}`.execute(tx);
}

export interface PickupMove {
  from: string;
  day: string;
  by: OrderParty;
  /** Why the laundry changes the day. The customer reads it. */
  reason?: string | undefined;
}

/** Changes the pickup day of a locked order and inserts the event. The caller moves its booking. */
export async function updatePickupDay(tx: Tx, orderid: string, { from, day, by, reason }: PickupMove, now: Date) {
  await sql`
    with changed as (
      update orders set pickup_day = ${day} where id = ${orderid} returning id as order_id
    ) ${orderEventSql({ kind: 'rescheduled', pickupDay: day, fromDay: from, by, reason, at: now })}`.execute(tx);
}
