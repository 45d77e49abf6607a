/**
 * Weighs and moves orders, and assigns those of guests to accounts. docs/decisions/0039.
 * Other files place an order, cancel it, and change the days of its pickup and its delivery.
 */
import type { Client } from '../../security/client.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { NewSession } from '../sessions/authentication.server.ts';
import { insertFirstAddress } from '../addresses/store.server.ts';
import { createGuestSession, type AccountDependencies, type GuestOrderAssignment } from '../accounts/service.server.ts';
import type { ReferralBonusTime } from '../referrals/contract.ts';
import { grantBonusAfterDelivery } from '../referrals/service.server.ts';
import type { Browser } from '../verification/authentication.server.ts';
import type { Order, orderShape, Stage } from './contract.ts';
import type { OrderEvent } from './events-contract.ts';
import { deriveProgress } from './progress-rules.ts';
import { calculateAmounts, canBeWeighed, stageBefore } from './rules.ts';
import { updateStage, updateWeight, type Weighing } from './changing-store.server.ts';
import { assignOrders, findNewestAddress, findNewestAssignableName, setSessionOfGuestOrders } from './guest-orders-store.server.ts';
import { findOrderState, toAddressCopy, toPricedOrder, type ShownOrder } from './store.server.ts';

type OrderFields = Pick<Order, keyof typeof orderShape>;

/**
 * Returns the fields of `orderShape` from an order and its events, the oldest first. `undo_seconds`
 * depends on the caller, and `stars` are another domain's.
 */
export function toOrderFields(row: ShownOrder, events: readonly OrderEvent[]): Omit<OrderFields, 'undo_seconds' | 'stars'> {
  const amounts = calculateAmounts(toPricedOrder(row));
  return {
    orderid: row.id,
    order_date: kolkataDateTime(row.placed_at),
    washing_stage: row.stage,
    version: row.version,
    programid: row.program_id,
    program_name: row.program_name,
    program_rate: row.rate_paise,
    unit: row.unit,
    total_weight: row.weight_grams,
    total_items: row.items,
    order_cost: amounts?.cost ?? null,
    total_amount: amounts?.final ?? null,
    amount_paid: row.received_paise,
    offer_rate: row.offer_percent,
    offerid: row.offer_id,
    area: row.area,
    timeslot: row.timeslot,
    pickup_date: row.pickup_day,
    returned_date: row.returned_at && kolkataDateTime(row.returned_at),
    cancellation: row.cancelled_at && {
      by: row.cancelled_by === 'laundry' ? 'laundry' : 'customer',
      at: kolkataDateTime(row.cancelled_at),
      reason: events.findLast((event) => event.kind === 'cancelled')?.reason ?? null,
    },
    ...deriveProgress(row, events),
    ...toAddressCopy(row),
  };
}

/**
 * Creates a guest session. The orders of the session that it replaces in this browser move to it,
 * and those of the last 60 days of the number whose session has ended. Returns undefined if a
 * customer is logged in or no grant exists.
 */
export async function createGuestSessionWithOrders(
  tx: Tx,
  accounts: AccountDependencies,
  client: Client,
  verified: { browser: Browser; mobile: string },
): Promise<NewSession | undefined> {
  const admitted = await createGuestSession(tx, accounts, client, verified);
  if (!admitted) return undefined;
  const { session, ...proof } = admitted;
  await setSessionOfGuestOrders(tx, { ...proof, sessionHash: session.hash, placedAfter: assignableSince(accounts.clock.now()) });
  return session;
}

/**
 * A guest session lasts 30 days, so the mobile of an order of the last 60 days was proved in the
 * last 90. Operators in India deactivate a number after 90 days without use at the earliest, so it
 * still has the same owner (docs/decisions/0039).
 */
const ASSIGNABLE_DAYS = 60;

/** Returns the earliest time of a guest order that a fresh proof of its mobile assigns. */
export const assignableSince = (now: Date): Date => addSeconds(now, -ASSIGNABLE_DAYS * DAY_SECONDS);

/**
 * Moves guest orders to the account of their mobile. With a fresh proof of the mobile, these are
 * the orders of the last 60 days in all browsers, and those of this browser's guest session;
 * without one, only the latter. Their newest address becomes the first saved one of the account.
 * Returns their ids.
 */
export async function assignGuestOrders(
  tx: Tx,
  { customerId, sessionHash, isFreshProof }: GuestOrderAssignment,
  now: Date,
): Promise<string[]> {
  const ids = await assignOrders(tx, { customerId, sessionHash, placedAfter: isFreshProof ? assignableSince(now) : undefined });
  const address = ids.length > 0 && (await findNewestAddress(tx, ids));
  if (address) await insertFirstAddress(tx, customerId, newId(), address, now);
  return ids;
}

/**
 * Returns the name in the newest guest order that a fresh proof of the mobile would assign to the
 * account. Undefined if there is none.
 */
export const findGuestName = (db: Db, customerId: string, now: Date): Promise<string | undefined> =>
  findNewestAssignableName(db, { customerId, placedAfter: assignableSince(now) });

export type WeighResult = 'done' | 'order-not-found' | 'wrong-stage' | 'impossible-weight';

/**
 * Records weight and items at pickup, or replaces them until the order leaves that stage. Returns
 * 'wrong-stage' in later stages, because the amounts are calculated from them.
 */
export async function weighOrder(
  db: Db,
  orderid: string,
  weightGrams: number,
  items: number,
  now: Date,
  details: Omit<Weighing, 'weightGrams' | 'items'> = {},
): Promise<WeighResult> {
  if (!canBeWeighed(weightGrams, items)) return 'impossible-weight';
  if (await updateWeight(db, orderid, { ...details, weightGrams, items }, now)) return 'done';
  return (await findOrderState(db, orderid)) ? 'wrong-stage' : 'order-not-found';
}

export type MoveResult = 'done' | 'order-not-found' | 'wrong-stage' | 'not-weighed';

interface Delivery {
  bonusTime: ReferralBonusTime;
  /** Why it was made without the hand-over code. */
  reason?: string | undefined;
  /** The mobile of the person of the staff. */
  by?: string | undefined;
}

/**
 * Moves an order to `to` from the stage before it. Of two concurrent calls one returns 'done'. With
 * the referral bonus at the first delivery, an order that is delivered with its code, or by a
 * command in the terminal, also credits the referrer of its account. Returns 'wrong-stage' also for
 * 'pickup' and 'cancelled', which no stage precedes.
 */
export async function moveOrder(db: Db, orderid: string, to: Exclude<Stage, 'delivered'>, now: Date): Promise<MoveResult>;
export async function moveOrder(db: Db, orderid: string, to: Stage, now: Date, delivery: Delivery): Promise<MoveResult>;
export async function moveOrder(db: Db, orderid: string, to: Stage, now: Date, delivery?: Delivery): Promise<MoveResult> {
  const from = stageBefore(to);
  const isMoved = await transaction(db, async (tx) => {
    if (!from || !(await updateStage(tx, orderid, from, { to, reason: delivery?.reason }, now))) return false;
    const paysBonus = to === 'delivered' && delivery?.bonusTime === 'first-delivery' && delivery.reason === undefined;
    const order = paysBonus ? await findOrderState(tx, orderid) : undefined;
    if (order && !order.is_unassigned) await grantBonusAfterDelivery(tx, order.customer_id, delivery?.by, now);
    return true;
  });
  if (isMoved) return 'done';
  const state = await findOrderState(db, orderid);
  if (!state) return 'order-not-found';
  return state.stage === from ? 'not-weighed' : 'wrong-stage';
}
