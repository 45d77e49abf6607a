/**
 * Placing an order exactly once, and moving it on. Design section 6, "Ordering";
 * docs/decisions/0008 and 0023.
 */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newOrderId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { ApiError } from '../../contract/route.server.ts';
import type { NewSession } from '../sessions/authentication.server.ts';
import { createGuestSession, type AccountParts } from '../accounts/service.server.ts';
import type { AddressForm } from '../addresses/contract.ts';
import type { Area } from '../catalogue/contract.ts';
import { activeOffer, type ActiveOffer } from '../offers/rules.ts';
import { offersInOrder } from '../offers/service.server.ts';
import type { Browser } from '../verification/authentication.server.ts';
import { orderError, type OrderRequest, type PlacedOrder, type PlacingCode, type Stage } from './contract.ts';
import { agreeOnOrder, canBeWeighed, stageBefore, type AgreedFigures, type OfferedProgram } from './rules.ts';
import {
  deleteKeys,
  findOrderOfKey,
  findOrderState,
  handOverGuestOrders,
  insertOrder,
  readForPlacing,
  updateStage,
  updateWeight,
  type NewOrder,
  type Orderer,
  type OrderKey,
} from './store.server.ts';

/**
 * Without a given key, an equal body from the same session within this time is a double tap (design
 * section 6, "Placing on load").
 */
const DOUBLE_TAP_SECONDS = 30;

/**
 * The prefix of a key made from the body. A given key contains no colon, so the two kinds never
 * collide.
 */
const BODY_KEY_PREFIX = 'same:';

export interface OrderParts {
  db: Db;
  /** The limit of one customer, as a guest or with an account. */
  maxOrdersPerDay: number;
}

export type Placing = { placed: PlacedOrder } | { refusal: ErrorMessage<PlacingCode> };

/**
 * Places an order once for each key. Without `givenKey` the key is made from session and body. A
 * retry returns the order that the first request placed; its rates and pickup day are not checked
 * again.
 */
export async function placeOrder(
  { db, maxOrdersPerDay }: OrderParts,
  orderer: Orderer,
  asked: OrderRequest,
  givenKey: string | undefined,
  now: Date,
): Promise<Placing> {
  const key = orderKey(orderer, asked, givenKey, now);
  const found = await readForPlacing(db, orderer, { key, addressid: asked.addressid ?? '', programid: asked.program });
  if (found.placed) return replay(found.placed);

  const { program } = found;
  const offer = activeOffer(offersInOrder(found.ownOffers), now);
  const agreement = agreeOnOrder(asked, program && offeredProgram(program), offer, now);
  if ('refusal' in agreement) return agreement;
  const shipTo = orderer.kind === 'customer' ? found.address : guestAddress(asked, found.provedMobile);
  if (!shipTo) return { refusal: orderError('unknown-address') };
  invariant(program, 'an order is agreed on only for a known program');

  const order = newOrder({ orderer, asked, program, offer, figures: agreement.figures, shipTo, now });
  const limit = { name: 'orders of a customer', max: maxOrdersPerDay, windowSeconds: DAY_SECONDS, subject: orderer.id, now };
  if ((await insertOrder(db, order, key, limit)) === 'placed') return { placed: placedOrder(order) };
  // A concurrent request with the same key may have placed the order, even the last one of the day.
  const first = await findOrderOfKey(db, orderer, key);
  return first ? replay(first) : { refusal: orderError('too-many-orders') };
}

function orderKey(orderer: Orderer, asked: OrderRequest, givenKey: string | undefined, now: Date): OrderKey {
  const { userid: _, guest_address: guestAddress, ...rest } = asked;
  const fields = { ...rest, ...guestAddress };
  const bodyHash = hash('sha256', JSON.stringify(fields, Object.keys(fields).toSorted()), 'buffer');
  if (givenKey) return { key: givenKey, bodyHash, boundAfter: new Date(0) };
  const key = `${BODY_KEY_PREFIX}${hash('sha256', Buffer.concat([orderer.sessionHash, bodyHash]), 'base64url')}`;
  return { key, bodyHash, boundAfter: addSeconds(now, -DOUBLE_TAP_SECONDS) };
}

/**
 * Deletes expired keys made from bodies. Given keys are kept: they identify their order forever.
 */
export const deleteExpiredOrderKeys = (db: Db, now: Date) => deleteKeys(db, BODY_KEY_PREFIX, addSeconds(now, -DOUBLE_TAP_SECONDS));

type FoundForPlacing = Awaited<ReturnType<typeof readForPlacing>>;
type FoundProgram = NonNullable<FoundForPlacing['program']>;

const replay = ({ same_body, ...order }: NonNullable<FoundForPlacing['placed']>): Placing =>
  same_body ? { placed: placedOrder(order) } : { refusal: orderError('order-key-reused') };

type PlacedColumns = Pick<NewOrder, 'id' | 'timeslot' | 'area'> & { pickup_day: string; offer_percent: number; order_rate_paise: number };

const placedOrder = (order: PlacedColumns): PlacedOrder => ({
  orderid: order.id,
  timeslot: order.timeslot,
  pickup_date: order.pickup_day,
  area: order.area as Area,
  offerrate: order.offer_percent,
  orderrate: asPaise(order.order_rate_paise),
});

const offeredProgram = (program: FoundProgram): OfferedProgram => ({
  baseRatePaise: asPaise(program.rate_paise),
  surcharges: program.surcharges.map((row) => ({ area: row.area as Area, surchargePaise: asPaise(row.surcharge_paise) })),
});

/**
 * Returns the guest's address. Throws `ApiError` (401) if its number is not the proved one, which
 * the rider calls: the guest has to prove the other number first.
 */
function guestAddress({ guest_address: given }: OrderRequest, provedMobile: string): AddressForm | undefined {
  if (given && given.mobile !== provedMobile) throw new ApiError(401, orderError('mobile-not-verified'));
  return given;
}

interface OrderFacts {
  orderer: Orderer;
  asked: OrderRequest;
  program: FoundProgram;
  offer: ActiveOffer | null;
  figures: AgreedFigures;
  shipTo: AddressForm;
  now: Date;
}

const newOrder = ({ orderer, asked, program, offer, figures, shipTo, now }: OrderFacts) =>
  ({
    id: newOrderId(),
    customer_id: orderer.id,
    guest_session_hash: orderer.kind === 'guest' ? orderer.sessionHash : null,
    program_id: asked.program,
    program_name: program.name,
    unit: program.unit,
    area: figures.area,
    base_rate_paise: program.rate_paise,
    surcharge_paise: figures.surchargePaise,
    rate_paise: figures.ratePaise,
    offer_id: offer?.id ?? null,
    offer_percent: offer?.percent ?? 0,
    order_rate_paise: figures.orderRatePaise,
    timeslot: asked.timeslot,
    pickup_day: figures.pickupDay,
    detergent: asked.detergent,
    conditioner: asked.conditioner,
    iron: asked.iron,
    stage: 'pickup' satisfies Stage,
    ship_name: shipTo.name,
    ship_mobile: shipTo.mobile,
    ship_address1: shipTo.address1,
    ship_address2: shipTo.address2,
    ship_landmark: shipTo.landmark,
    ship_pincode: shipTo.pincode,
    ship_city: shipTo.city,
    ship_state: shipTo.state,
    placed_at: now,
  }) satisfies NewOrder;

/**
 * Creates a guest session. If it replaces one in this browser, it takes over the guest orders of
 * that one.
 */
export async function admitOrderingGuest(
  tx: Tx,
  accounts: AccountParts,
  request: FastifyRequest,
  proved: { browser: Browser; mobile: string },
): Promise<NewSession | undefined> {
  const admitted = await createGuestSession(tx, accounts, request, proved);
  if (admitted?.replacedSessionHash) await handOverGuestOrders(tx, admitted.replacedSessionHash, admitted.session.hash);
  return admitted?.session;
}

export type StageChange = 'done' | 'unknown-order' | 'wrong-stage' | 'not-weighed' | 'impossible-weight';

/**
 * Records weight and items at pickup. Amounts are calculated from them, so later stages refuse it.
 */
export async function weighOrder(db: Db, orderid: string, weightGrams: number, items: number): Promise<StageChange> {
  if (!canBeWeighed(weightGrams, items)) return 'impossible-weight';
  if (await updateWeight(db, orderid, weightGrams, items)) return 'done';
  return (await findOrderState(db, orderid)) ? 'wrong-stage' : 'unknown-order';
}

/** Moves an order to the next stage. Of two concurrent moves one succeeds. */
export async function moveOrder(db: Db, orderid: string, to: Stage, now: Date): Promise<StageChange> {
  const from = stageBefore(to);
  if (from && (await updateStage(db, orderid, from, to, now))) return 'done';
  const state = await findOrderState(db, orderid);
  if (!state) return 'unknown-order';
  return state.stage === from ? 'not-weighed' : 'wrong-stage';
}
