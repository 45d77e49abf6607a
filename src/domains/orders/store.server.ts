import { sql, type Expression, type Insertable } from 'kysely';
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../db/database.server.ts';
import { limitPart, limitValues, type LimitValues, type Taking } from '../../db/limits.server.ts';
import { statement, type Given, type Together } from '../../db/statement.server.ts';
import type { Orders } from '../../db/tables.generated.ts';
import {
  reading,
  type CallerInStatement,
  type Guest,
  type ProveReading,
  type SignedInCustomer,
} from '../sessions/authentication.server.ts';
import { mobileOf } from '../accounts/store.server.ts';
import { addressOf } from '../addresses/store.server.ts';
import { programWithSurcharges } from '../catalogue/store.server.ts';
import { newestOffersOf } from '../offers/store.server.ts';
import type { Stage } from './contract.ts';

export type Orderer = SignedInCustomer | Guest;

/** What makes two requests the same order. */
export interface OrderKey {
  key: string;
  bodyHash: Buffer;
  /** An order bound at this time or earlier is another one: a key given by the client binds for ever, one made from the body for seconds. */
  boundAfter: Date;
}

type AskedFor = OrderKey & { addressid: string; programid: string };

const forPlacing = reading((db, orderer, asked: Given<AskedFor>) =>
  jsonBuildObject({
    address: jsonObjectFrom(addressOf(db, orderer, asked.addressid)),
    proved_mobile: mobileOf(db, orderer).$asScalar(),
    program: jsonObjectFrom(programWithSurcharges(db, asked.programid)),
    own_offers: jsonArrayFrom(newestOffersOf(db, orderer)),
    placed: jsonObjectFrom(orderOfKey(db, orderer, asked)),
  }),
);

/** Everything that placing an order needs to know, in one statement: round trips are what an order costs (docs/decisions/0016). */
export async function readForPlacing(prove: ProveReading<Orderer>, asked: (sessionHash: Buffer) => AskedFor) {
  const { caller, found } = await prove(forPlacing, asked);
  const { address, own_offers: ownOffers, ...rest } = found;
  // A guest has seen no saved address and no offer, also where the proved mobile belongs to a customer.
  return { orderer: caller, ...rest, ...(caller.kind === 'customer' ? { address, ownOffers } : { address: null, ownOffers: [] }) };
}

const orderOfKey = (db: Db, orderer: Orderer | CallerInStatement, { key, bodyHash, boundAfter }: OrderKey | Given<OrderKey>) =>
  db
    .selectFrom('idempotency_keys')
    .innerJoin('orders', 'orders.id', 'idempotency_keys.order_id')
    .select(['orders.id', 'timeslot', 'pickup_day', 'area', 'offer_percent', 'order_rate_paise'])
    .select(sql<boolean>`body_hash = ${bodyHash}`.as('same_body'))
    .where('idempotency_keys.customer_id', '=', orderer.id)
    .where('key', '=', key)
    .where('created_at', '>', boundAfter);

/** The order that a key is bound to. */
export const findOrderOfKey = (db: Db, orderer: Orderer, key: OrderKey) => orderOfKey(db, orderer, key).executeTakeFirst();

/** The order's own copy of its address. */
const SHIP_TO = [
  'ship_name',
  'ship_mobile',
  'ship_address1',
  'ship_address2',
  'ship_landmark',
  'ship_pincode',
  'ship_city',
  'ship_state',
] as const;

/** What an order begins with. */
const PLACED = [
  'id',
  'customer_id',
  'guest_session_hash',
  'program_id',
  'program_name',
  'unit',
  'area',
  'base_rate_paise',
  'surcharge_paise',
  'rate_paise',
  'offer_id',
  'offer_percent',
  'order_rate_paise',
  'timeslot',
  'pickup_day',
  'detergent',
  'conditioner',
  'iron',
  'stage',
  ...SHIP_TO,
  'placed_at',
] as const;
type NewOrder = Pick<Required<Insertable<Orders>>, (typeof PLACED)[number]>;

/**
 * Binds the key, counts the order, stores it and begins its history in one statement. 'bound before' when the key is: then nothing is written. Of many at
 * once one wins, because PostgreSQL lets the others wait for it at the key's row and look again; only that one counts, so retries are free. Where the limit
 * leaves nothing, no order is stored, and the database refuses a key without its order and everything with it: the key is as good as new.
 */
export async function insertOrder(db: Db, order: NewOrder, key: OrderKey, limit: Taking): Promise<'stored' | 'bound before' | 'too many'> {
  try {
    const stored = await storeOrder(db, { ...order, ...key, ...limitValues(limit) });
    return stored.length === 1 ? 'stored' : 'bound before';
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'idempotency_keys_order_id_fkey') return 'too many';
    throw error;
  }
}

const storeOrder = statement((db, given: Given<Together<Together<NewOrder, OrderKey>, LimitValues>>) =>
  sql<{ order_id: string }>`
    with bound as (
      insert into idempotency_keys (customer_id, key, body_hash, order_id, created_at)
      values (${given.customer_id}, ${given.key}, ${given.bodyHash}, ${given.id}, ${given.placed_at})
      on conflict (customer_id, key) do update
        set body_hash = excluded.body_hash, order_id = excluded.order_id, created_at = excluded.created_at
        where idempotency_keys.created_at <= ${given.boundAfter}
      returning order_id
    ), counted as (${limitPart('bound', given)}
    ), placed as (
      insert into orders (${sql.join(PLACED.map((column) => sql.ref(column)))})
      select ${sql.join(PLACED.map((column) => given[column]))} from counted
      returning id, stage, placed_at
    )
    insert into order_stages (order_id, stage, entered_at) select id, stage, placed_at from placed returning order_id`.compile(db),
);

/** A guest sees what was ordered as a guest in this browser, under whatever number; a customer everything of the account. */
const ordersOf = (db: Db, orderer: Orderer | CallerInStatement) => {
  const orders = db.selectFrom('orders');
  return 'kind' in orderer && orderer.kind === 'guest'
    ? orders.where('guest_session_hash', '=', orderer.sessionHash)
    : orders.where('customer_id', '=', orderer.id);
};

/** When a browser's guest session is replaced by a new one, its orders stay with the browser. */
export const handOverGuestOrders = (db: Db, fromSession: Buffer, toSession: Buffer) =>
  db.updateTable('orders').set({ guest_session_hash: toSession }).where('guest_session_hash', '=', fromSession).execute();

/** The name on the last address that was given with a customer's orders. */
export const lastAddressName = async (db: Db, customerId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('orders')
      .select('ship_name')
      .where('customer_id', '=', customerId)
      .orderBy('placed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.ship_name;

/** What the wire tells of an order. */
const SHOWN = [
  'id',
  'placed_at',
  'stage',
  'program_id',
  'program_name',
  'rate_paise',
  'unit',
  'weight_grams',
  'items',
  'offer_id',
  'offer_percent',
  'area',
  'timeslot',
  'pickup_day',
  ...SHIP_TO,
] as const;

/** Orders with when they were delivered, which their history tells. */
const shownOrders = (db: Db, orderer: Orderer) =>
  ordersOf(db, orderer)
    .select(SHOWN)
    .select((of) =>
      of
        .selectFrom('order_stages')
        .select('entered_at')
        .whereRef('order_id', '=', 'orders.id')
        .where('order_stages.stage', '=', 'delivered' satisfies Stage)
        .as('delivered_at'),
    );

/** Newest first; the id decides between orders of the same moment, so that pages never skip or repeat one. */
export const pageOfOrders = (db: Db, orderer: Orderer, { offset, most }: { offset: number; most: number }) =>
  shownOrders(db, orderer).orderBy('placed_at', 'desc').orderBy('id', 'desc').offset(offset).limit(most).execute();

/** Undefined for another customer's order just as for an unknown one. */
export const findOrder = (db: Db, orderer: Orderer, orderid: string) =>
  shownOrders(db, orderer).where('id', '=', orderid).executeTakeFirst();

/** A query, not yet run, to be joined: the order as paying for it sees it. */
export const payableOrderOf = (db: Db, orderer: Orderer | CallerInStatement, orderid: string | Expression<string>) =>
  ordersOf(db, orderer)
    .select(['id', 'program_name', 'rate_paise', 'order_rate_paise', 'offer_percent', 'weight_grams', 'stage'])
    .where('id', '=', orderid);

/** A query, not yet run, to be joined: what may be said of an order beside a payment for it. */
export const paidOrders = (db: Db) =>
  db.selectFrom('orders').select(['id', 'customer_id', 'ship_name', 'rate_paise', 'offer_percent', 'weight_grams', 'items', 'stage']);

/** Only an order that still waits for its pickup is weighed. */
export async function updateWeight(db: Db, orderid: string, weightGrams: number, items: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ weight_grams: weightGrams, items })
    .where('id', '=', orderid)
    .where('stage', '=', 'pickup' satisfies Stage)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stage and history change together, and only from the stage named: of two who move an order at once, one does. */
export async function updateStage(db: Db, orderid: string, from: Stage, to: Stage, now: Date): Promise<boolean> {
  const moved = await db
    .with('moved', (cte) =>
      cte
        .updateTable('orders')
        .set({ stage: to })
        .where('id', '=', orderid)
        .where('stage', '=', from)
        .where('weight_grams', 'is not', null)
        .returning('id'),
    )
    .insertInto('order_stages')
    .columns(['order_id', 'stage', 'entered_at'])
    .expression((of) => of.selectFrom('moved').select((of) => ['id', of.val(to).as('stage'), of.val(now).as('entered_at')]))
    .returning('order_id')
    .execute();
  return moved.length === 1;
}

/** How an order stands, for the laundry itself. */
export const findOrderState = (db: Db, orderid: string) =>
  db.selectFrom('orders').select(['stage', 'weight_grams']).where('id', '=', orderid).executeTakeFirst();

const MOST_UNDERWAY = 200;

/** What the laundry has to do something with, oldest first; each row says how many there are in all. */
export const ordersUnderway = (db: Db) =>
  db
    .selectFrom('orders')
    .select(['id', 'stage', 'program_name', 'weight_grams', 'ship_name', sql<number>`count(*) over ()`.as('in_all')])
    .where('stage', '<>', 'delivered' satisfies Stage)
    .orderBy('placed_at')
    .orderBy('id')
    .limit(MOST_UNDERWAY)
    .execute();
