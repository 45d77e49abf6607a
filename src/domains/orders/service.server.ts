/** Placing an order exactly once, and moving it on. Design section 6, "Ordering"; docs/decisions/0008. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Told } from '../../i18n/messages.ts';
import { addSeconds } from '../../lib/clock.ts';
import { newOrderId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { ApiError } from '../../contract/route.server.ts';
import type { NewSession, ProveReading } from '../sessions/authentication.server.ts';
import { admitGuest, type AccountParts } from '../accounts/service.server.ts';
import type { AddressForm } from '../addresses/contract.ts';
import type { Area } from '../catalogue/contract.ts';
import { activeOffer } from '../offers/rules.ts';
import { offersInOrder } from '../offers/service.server.ts';
import type { Browser } from '../verification/authentication.server.ts';
import { orderMessages, type OrderRequest, type PlacedOrder, type Stage } from './contract.ts';
import { agreeOnOrder, canBeWeighed, stageBefore, type OfferedProgram } from './rules.ts';
import {
  findOrderOfKey,
  findOrderState,
  handOverGuestOrders,
  insertOrder,
  readForPlacing,
  updateStage,
  updateWeight,
  type Orderer,
  type OrderKey,
} from './store.server.ts';

/** Without a key, an equal body from the same session within this time is a double tap (design section 6, "Placing on load"). */
const DOUBLE_TAP_SECONDS = 30;

const DAY_SECONDS = 24 * 60 * 60;

export interface OrderParts {
  db: Db;
  /** How many orders one customer may place in a day. */
  mostOrdersADay: number;
}

export type Placing = { placed: PlacedOrder } | { refusal: Told };

/** One read and one write for a new order, one read for an order that was placed with this key before. */
export async function placeOrder(
  { db, mostOrdersADay }: OrderParts,
  prove: ProveReading<Orderer>,
  asked: OrderRequest,
  givenKey: string | undefined,
  now: Date,
): Promise<Placing> {
  const keyOf = orderKeys(asked, givenKey, now);
  const found = await readForPlacing(prove, (sessionHash) => ({
    addressid: asked.addressid ?? '',
    programid: asked.program,
    ...keyOf(sessionHash),
  }));
  if (found.placed) return replay(found.placed);

  const { orderer, program } = found;
  const offer = activeOffer(offersInOrder(found.ownOffers), now);
  const agreement = agreeOnOrder(asked, program && offered(program), offer, now);
  if ('refusal' in agreement) return agreement;
  const { figures } = agreement;
  const shipTo = orderer.kind === 'customer' ? found.address : guestAddress(asked, found.proved_mobile);
  if (!shipTo) return { refusal: orderMessages.unknownAddress };
  invariant(program, 'figures are agreed on for a program that exists');

  const order = {
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
  };
  const key = keyOf(orderer.sessionHash);
  const limit = { name: 'orders of a customer', most: mostOrdersADay, windowSeconds: DAY_SECONDS, subject: order.customer_id, now };
  const stored = await insertOrder(db, order, key, limit);
  if (stored === 'too many') return { refusal: orderMessages.tooMany };
  if (stored === 'stored') return { placed: answered(order) };
  const first = await findOrderOfKey(db, orderer, key);
  invariant(first, 'a key that is bound leads to its order');
  return replay(first);
}

/** The key of the order that is asked for, once it is known in which session. */
function orderKeys(asked: OrderRequest, givenKey: string | undefined, now: Date): (sessionHash: Buffer) => OrderKey {
  const { userid: _, guest_address: guestAddress, ...rest } = asked;
  const fields = { ...rest, ...guestAddress };
  const bodyHash = hash('sha256', JSON.stringify(fields, Object.keys(fields).toSorted()), 'buffer');
  if (givenKey) return () => ({ key: givenKey, bodyHash, boundAfter: new Date(0) });
  const boundAfter = addSeconds(now, -DOUBLE_TAP_SECONDS);
  // A given key has no colon, so the two kinds never meet.
  return (sessionHash) => ({ key: `same:${hash('sha256', Buffer.concat([sessionHash, bodyHash]), 'base64url')}`, bodyHash, boundAfter });
}

type FoundForPlacing = Awaited<ReturnType<typeof readForPlacing>>;

const replay = ({ same_body, ...order }: NonNullable<FoundForPlacing['placed']>): Placing =>
  same_body ? { placed: answered(order) } : { refusal: orderMessages.keyReused };

const answered = (order: {
  id: string;
  timeslot: string;
  pickup_day: string;
  area: string;
  offer_percent: number;
  order_rate_paise: number;
}): PlacedOrder => ({
  orderid: order.id,
  timeslot: order.timeslot,
  pickup_date: order.pickup_day,
  area: order.area as Area,
  offerrate: order.offer_percent,
  orderrate: asPaise(order.order_rate_paise),
});

const offered = (program: NonNullable<FoundForPlacing['program']>): OfferedProgram => ({
  baseRatePaise: asPaise(program.rate_paise),
  surcharges: program.surcharges.map((row) => ({ area: row.area as Area, surchargePaise: asPaise(row.surcharge_paise) })),
});

/** The rider calls the number that was proved, so the guest's address must carry it; with another number the proof starts again. */
function guestAddress({ guest_address: given }: OrderRequest, provedMobile: string | null): AddressForm | undefined {
  if (given && given.mobile !== provedMobile) throw new ApiError(401, orderMessages.guestProof);
  return given;
}

/** A guest who proves a mobile again gets a new session; what this browser has ordered as a guest stays with the browser. */
export async function admitOrderingGuest(
  tx: Tx,
  accounts: AccountParts,
  request: FastifyRequest,
  proved: { browser: Browser; mobile: string },
): Promise<NewSession | undefined> {
  const admitted = await admitGuest(tx, accounts, request, proved);
  if (admitted?.before) await handOverGuestOrders(tx, admitted.before, admitted.session.hash);
  return admitted?.session;
}

export type Handling = 'done' | 'unknown order' | 'wrong stage' | 'not weighed' | 'impossible weight';

/** What the rider's scale said. Amounts follow from it, so it is settled once the order has left pickup. */
export async function weighOrder(db: Db, orderid: string, weightGrams: number, items: number): Promise<Handling> {
  if (!canBeWeighed(weightGrams, items)) return 'impossible weight';
  if (await updateWeight(db, orderid, weightGrams, items)) return 'done';
  return (await findOrderState(db, orderid)) ? 'wrong stage' : 'unknown order';
}

/** Moves an order to the next stage. Two who do the same at once move it once. */
export async function moveOrder(db: Db, orderid: string, to: Stage, now: Date): Promise<Handling> {
  const from = stageBefore(to);
  if (from && (await updateStage(db, orderid, from, to, now))) return 'done';
  const state = await findOrderState(db, orderid);
  if (!state) return 'unknown order';
  return state.stage === from ? 'not weighed' : 'wrong stage';
}
