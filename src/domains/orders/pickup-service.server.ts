/** The evening of a pickup: its booking, and another one. docs/decisions/0060 and 0073. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { kolkataDay } from '../../lib/dates.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Area } from '../catalogue/contract.ts';
import type { AreaEvenings } from '../evenings/contract.ts';
import { bookEvening, bookEveningBeyondCapacity, releaseEvening } from '../evenings/service.server.ts';
import { updatePickupDay } from './changing-store.server.ts';
import { listOrderEvents } from './events-store.server.ts';
import { deriveProgress } from './progress-rules.ts';
import { checkPickupDay, MAX_PICKUPS_PER_EVENING, pickupLimitError, type EveningErrorCode } from './pickup-rules.ts';
import { mayCancel } from './rules.ts';
import { repeatEvenings } from './visit-rules.ts';
import { countOtherPickups, lockOrder, toParty, type LockedOrder, type OrderActor } from './store.server.ts';

type PickupOrder = Parameters<typeof countOtherPickups>[1];

const eveningOf = ({ area, pickup_day: day }: { area: Area; pickup_day: string }) => ({ area, day });

/** Releases the booking of a pickup on its evening, if bookings of that evening are counted. */
export const releasePickup = (tx: Tx, order: PickupOrder): Promise<void> => releaseEvening(tx, eveningOf(order));

/**
 * Books a place for a pickup on its evening. `check` returns the error of an evening that accepts
 * no order. A customer with too many open pickups on the evening gets an error, too. An error has
 * booked nothing.
 */
export const bookPickup = <Code extends string>(
  tx: Tx,
  actor: OrderActor,
  order: PickupOrder,
  check: (day: string, evenings: AreaEvenings, now: Date) => ErrorMessage<Code> | null,
  now: Date,
): Promise<ErrorMessage<Code | EveningErrorCode> | null> =>
  bookEvening<ErrorMessage<Code | EveningErrorCode>>(
    tx,
    eveningOf(order),
    now,
    (evenings) => check(order.pickup_day, evenings, now),
    async (evenings) => {
      if (actor.kind === 'laundry' || (await countOtherPickups(tx, order)) < MAX_PICKUPS_PER_EVENING) return null;
      return pickupLimitError(order.pickup_day, evenings, now);
    },
  );

/** Another pickup day. The customer reads the reason of the laundry. */
interface NewPickupDay {
  day: string;
  reason?: string | undefined;
}

/** Every other status than 'done' has written nothing. */
export type Rescheduling =
  | { status: 'done'; timeslot: string }
  | { status: 'cancelled' | 'already-picked-up' }
  | { status: 'unavailable'; error: ErrorMessage<'pickup-day-past' | 'pickup-day-closed' | 'pickup-day-too-far' | EveningErrorCode> };

/**
 * Locks an order, and changes its pickup day like `rescheduleLockedOrder`. Throws `ApiError`, like
 * `lockOrder`.
 */
export const rescheduleOrder = (
  db: Db,
  actor: OrderActor,
  orderid: string,
  change: NewPickupDay,
  now: Date,
): Promise<Rescheduling | { status: 'order-not-found' }> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    return order ? rescheduleLockedOrder(tx, actor, order, change, now) : { status: 'order-not-found' };
  });

/**
 * Changes the pickup day of an order that is not picked up. Accepts its own day without a change.
 * After a failed visit, its own day is another visit, which must still be possible.
 */
export async function rescheduleLockedOrder(
  tx: Tx,
  actor: OrderActor,
  order: LockedOrder,
  { day, reason }: NewPickupDay,
  now: Date,
): Promise<Rescheduling> {
  if (order.cancelled_at) return { status: 'cancelled' };
  if (!mayCancel(order, 'customer')) return { status: 'already-picked-up' };
  const done = { status: 'done', timeslot: order.timeslot } as const;
  const progress = deriveProgress(order, await listOrderEvents(tx, order.id));
  const isRepeat = repeatEvenings(progress, now).includes(day);
  if (day === order.pickup_day && !progress.attempt) return done;
  const keepsPlace = isRepeat && day === order.pickup_day;
  if (!keepsPlace) {
    if (isRepeat) {
      await bookEveningBeyondCapacity(tx, { ...eveningOf(order), day }, now);
    } else {
      const error = await bookPickup(tx, actor, { ...order, pickup_day: day }, checkPickupDay, now);
      if (error) return { status: 'unavailable', error };
    }
    await releasePickup(tx, order);
  }
  await updatePickupDay(tx, order.id, { from: order.pickup_day, day, by: toParty(actor), reason }, now);
  return done;
}

/**
 * Moves a pickup that was planned for a later day to the day of `collectedAt`. That evening can be
 * full or closed. Does nothing if the order was planned for that day or an earlier one.
 * docs/decisions/0073.
 */
export async function collectEarlier(tx: Tx, order: LockedOrder, collectedAt: Date, now: Date): Promise<void> {
  const day = kolkataDay(collectedAt);
  if (order.pickup_day <= day) return;
  await releasePickup(tx, order);
  await bookEveningBeyondCapacity(tx, { ...eveningOf(order), day }, now);
  await updatePickupDay(tx, order.id, { from: order.pickup_day, day, by: 'laundry' }, now);
}
