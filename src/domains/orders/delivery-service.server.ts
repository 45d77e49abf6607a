/** The evening of another delivery after a failed visit. docs/decisions/0073. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { AreaEvenings } from '../evenings/contract.ts';
import { readEvenings } from '../evenings/service.server.ts';
import type { Stage } from './contract.ts';
import { insertOrderEvent, listOrderEvents } from './events-store.server.ts';
import { deliveryError } from './delivery-contract.ts';
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

/** Every other status than 'done' has written nothing. */
export type DeliveryChoice =
  | { status: 'done'; timeslot: string }
  | { status: 'no-failed-visit' }
  | { status: 'unavailable'; error: ErrorMessage<DayErrorCode> };

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
): Promise<DeliveryChoice | { status: 'unknown-order' }> =>
  transaction(db, async (tx) => {
    const order = await lockOrder(tx, actor, orderid);
    return order ? chooseLockedDeliveryDay(tx, order, choice, now) : { status: 'unknown-order' };
  });

/**
 * Stores the evening of the next delivery attempt. Books nothing, because deliveries do not count
 * in the capacity of an evening. Returns 'done' without a change if the day is chosen already.
 */
export async function chooseLockedDeliveryDay(
  tx: Tx,
  order: LockedOrder,
  { day, reason }: DeliveryDay,
  now: Date,
): Promise<DeliveryChoice> {
  const progress = deriveProgress(order, await listOrderEvents(tx, order.id));
  const { attempt, delivery_date: chosen } = progress;
  if (order.stage !== ('delivery' satisfies Stage) || (chosen === null && !attempt)) return { status: 'no-failed-visit' };
  const done = { status: 'done', timeslot: order.timeslot } as const;
  if (chosen === day) return done;
  const error = repeatEvenings(progress, now).includes(day) ? null : checkDay(day, (await readEvenings(tx, now))[order.area], now);
  if (error) return { status: 'unavailable', error };
  await insertOrderEvent(tx, order.id, { kind: 'delivery-chosen', deliveryDay: day, reason, at: now });
  return done;
}

/** Returns the error of a day on which the clothes cannot be brought, otherwise null. */
function checkDay(day: string, evenings: AreaEvenings, now: Date): ErrorMessage<DayErrorCode> | null {
  const error = checkPickupDay(day, evenings, now);
  if (error?.code !== 'pickup-day-past' && error?.code !== 'pickup-day-closed') return error as ErrorMessage<DayErrorCode> | null;
  return deliveryError('delivery-day-closed', { deliveryDay: error.params.pickupDay ?? '' });
}
