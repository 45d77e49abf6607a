/** The evening of another delivery after a failed visit. docs/decisions/0073. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { AreaEvenings } from '../evenings/contract.ts';
import { readEvenings } from '../evenings/service.server.ts';
import { orderError, type Stage } from './contract.ts';
import { insertOrderEvent, listOrderEvents } from './events-store.server.ts';
import { deliveryError, type chooseDelivery } from './delivery-contract.ts';
import { deriveProgress } from './progress-rules.ts';
import { checkPickupDay, type EveningErrorCode } from './pickup-rules.ts';
import { repeatEvenings } from './visit-rules.ts';
import { lockOrder, type LockedOrder, type OrderActor } from './store.server.ts';

type DayErrorCode = EveningErrorCode | 'pickup-day-too-far' | 'delivery-day-closed';

/** The evening of another delivery. The customer reads the reason of the laundry. */
interface DeliveryDay {
  day: string;
  reason?: string | undefined;
}

/**
 * Locks an order, and stores its evening like `chooseLockedDeliveryDay`. Throws `ApiError`, like
 * `lockOrder`.
 */
export const chooseDeliveryDay = (
  db: Db,
  actor: OrderActor,
  orderid: string,
  choice: DeliveryDay,
  now: Date,
): Promise<Outcome<{ timeslot: string }, keyof typeof chooseDelivery.errors>> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    return order ? chooseLockedDeliveryDay(tx, order, choice, now) : { error: orderError('order-not-found', { orderid }) };
  });

/**
 * Stores the evening of the next delivery attempt. Books nothing, because deliveries do not count
 * in the capacity of an evening. Changes nothing if the day is chosen already.
 */
export async function chooseLockedDeliveryDay(
  tx: Tx,
  order: LockedOrder,
  { day, reason }: DeliveryDay,
  now: Date,
): Promise<Outcome<{ timeslot: string }, DayErrorCode | 'no-failed-delivery'>> {
  const progress = deriveProgress(order, await listOrderEvents(tx, order.id));
  const { attempt, delivery_date: chosen } = progress;
  if (order.stage !== ('delivery' satisfies Stage) || (chosen === null && !attempt)) return { error: deliveryError('no-failed-delivery') };
  const data = { timeslot: order.timeslot };
  if (chosen === day) return { data };
  const error = repeatEvenings(progress, now).includes(day) ? null : checkDay(day, (await readEvenings(tx, now))[order.area], now);
  if (error) return { error };
  await insertOrderEvent(tx, order.id, { kind: 'delivery-chosen', deliveryDay: day, reason, at: now });
  return { data };
}

/** Returns the error of a day on which the clothes cannot be brought, otherwise null. */
function checkDay(day: string, evenings: AreaEvenings, now: Date): ErrorMessage<DayErrorCode> | null {
  const error = checkPickupDay(day, evenings, now);
  if (error?.code !== 'pickup-day-past' && error?.code !== 'pickup-day-closed') return error as ErrorMessage<DayErrorCode> | null;
  return deliveryError('delivery-day-closed', { deliveryDay: error.params.pickupDay ?? '' });
}
