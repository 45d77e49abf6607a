/** Writes and reads the events of orders. Its codec is the only one for their data. */
import { sql } from 'kysely';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { OrderParty, Stage } from './contract.ts';
import {
  ORDER_EVENTS,
  type NewOrderEvent,
  type OrderEvent,
  type OrderEventContent,
  type OrderEventKind,
  type ReversedCash,
} from './events-contract.ts';

type StoredValue = string | number | undefined;
type StoredData = Readonly<Record<string, string | number>>;

/** How a value is stored in `order_events.data`. `read` throws for a value of another type. */
interface ValueCodec<Value> {
  read(stored: StoredValue): Value;
  write(value: Value): StoredValue;
}

const text: ValueCodec<string> = {
  read(stored) {
    invariant(typeof stored === 'string', 'an event has its text');
    return stored;
  },
  write: (value) => value,
};

const number: ValueCodec<number> = {
  read(stored) {
    invariant(typeof stored === 'number', 'an event has its number');
    return stored;
  },
  write: (value) => value,
};

const optional = <Value>({ read, write }: ValueCodec<Value>): ValueCodec<Value | undefined> => ({
  read: (stored) => (stored === undefined ? undefined : read(stored)),
  write: (value) => (value === undefined ? undefined : write(value)),
});

/** 1, or missing. */
const flag: ValueCodec<boolean> = { read: (stored) => stored === 1, write: (value) => (value ? 1 : undefined) };

/** The id, or an empty text. */
const idOrNone: ValueCodec<string | null> = { read: (stored) => text.read(stored) || null, write: (value) => value ?? '' };

const date: ValueCodec<Date> = { read: (stored) => new Date(text.read(stored)), write: (value) => value.toISOString() };

/** Every author except the laundry is the customer. */
const party: ValueCodec<OrderParty> = { read: (stored) => (stored === 'laundry' ? stored : 'customer'), write: (value) => value };

const reversedCash: ValueCodec<ReversedCash> = {
  read: (stored) => (stored === 'never-received' ? stored : 'given-back'),
  write: (value) => value,
};

interface Field<Value> {
  /** In `order_events.data`. */
  name: string;
  value: ValueCodec<Value>;
  /** Words that can name the customer: the erasure of an account removes them. */
  isPersonal?: true;
}

const field = <Value>(name: string, value: ValueCodec<Value>): Field<Value> => ({ name, value });

const reason: Field<string | undefined> = { name: 'reason', value: optional(text), isPersonal: true };
const reference = field('reference', text);

type ContentOf<Kind extends OrderEventKind> = Omit<Extract<OrderEventContent, { kind: Kind }>, 'kind' | 'stage'>;

/** How the content of each kind is stored. Rows of every version so far can be read. */
const FIELDS = {
  placed: {},
  weighed: {
    weightGrams: field('weight_grams', number),
    items: field('items', number),
    bags: field('bags', optional(number)),
    isAtDoor: field('at_door', flag),
    reason,
  },
  moved: { reason },
  'moved-back': { reason },
  photographed: { photoId: field('photo_id', text) },
  'wrong-code': {},
  'code-locked': {},
  'code-renewed': {},
  attempted: { why: field('why', text), visitedAt: field('came_at', optional(date)) },
  'delivery-chosen': { deliveryDay: field('delivery_day', text), reason },
  'bags-counted': {},
  'bags-explained': {},
  assigned: { riderId: field('rider_id', idOrNone) },
  cancelled: { by: field('by', party), refundPaise: field('refund_paise', number), reason },
  'cancellation-undone': { by: field('by', optional(party)) },
  returned: { reason },
  'return-undone': { reason },
  refunded: { amountPaise: field('amount_paise', number) },
  'refund-reversed': { amountPaise: field('amount_paise', number) },
  rescheduled: {
    pickupDay: field('pickup_day', text),
    fromDay: field('from_day', optional(text)),
    by: field('by', optional(party)),
    reason,
  },
  paid: { reference },
  'payment-begun': { reference },
  'payment-reported': { reference },
  'payment-dismissed': { reference, amountPaise: field('amount_paise', number), reason },
  'payment-failed': { reference },
  'payment-reversed': {
    reference,
    amountPaise: field('amount_paise', optional(number)),
    debitedPaise: field('debited_paise', optional(number)),
    cash: field('cash', optional(reversedCash)),
    reason,
  },
  'claim-message': { claimId: field('claim_id', text), by: field('by', party), settledPaise: field('settled_paise', optional(number)) },
  'claim-assigned': { claimId: field('claim_id', text), personId: field('person_id', idOrNone) },
} satisfies { [Kind in OrderEventKind]: { [Name in keyof ContentOf<Kind>]-?: Field<ContentOf<Kind>[Name]> } };

const listFields = (kind: OrderEventKind) => Object.entries<Field<unknown>>(FIELDS[kind] as Record<string, Field<unknown>>);

/** The names in `order_events.data` that the erasure of an account removes. */
export const PERSONAL_FIELDS = [
  ...new Set((Object.keys(FIELDS) as OrderEventKind[]).flatMap(listFields).flatMap(([, { name, isPersonal }]) => (isPersonal ? name : []))),
];

const toData = (kind: OrderEventKind, content: Readonly<Record<string, unknown>>): StoredData =>
  Object.fromEntries(
    listFields(kind).flatMap(([key, { name, value }]) => {
      const stored = value.write(content[key]);
      return stored === undefined ? [] : [[name, stored]];
    }),
  );

/** Returns the columns of an event. */
export const toEventRow = (event: NewOrderEvent) => ({
  kind: event.kind,
  stage: 'stage' in event ? event.stage : ORDER_EVENTS[event.kind].stage,
  data: toData(event.kind, event),
  at: event.at,
});

/** The columns of an event. `at` is a text in JSON. */
export interface EventRow {
  id: number;
  kind: string;
  stage: string | null;
  data: StoredData;
  at: Date | string;
}

/**
 * Returns the event of a row, with the kind 'unknown' if a newer version wrote it. Throws if its
 * data lacks a field or has one of another type.
 */
export function toEvent({ id, kind, stage, data, at }: EventRow): OrderEvent {
  const recorded = { id, at: new Date(at), stage: stage as Stage | null };
  if (!Object.hasOwn(FIELDS, kind)) return { kind: 'unknown', name: kind, ...recorded };
  const content = listFields(kind as OrderEventKind).map(([key, { name, value }]) => [key, value.read(data[name])]);
  return { kind, ...Object.fromEntries(content), ...recorded } as OrderEvent;
}

/**
 * SQL for the event of a change, after the part `changed` of the same statement. `changed` returns
 * the id of the order as `order_id`, once it holds the lock of the order's row, or no row.
 */
export function orderEventSql(event: NewOrderEvent) {
  const { kind, stage, data, at } = toEventRow(event);
  return sql<{ order_id: string }>`
  insert into order_events (order_id, kind, stage, data, at)
  select order_id, ${kind}, ${stage}, ${JSON.stringify(data)}::jsonb, ${at}::timestamptz from changed returning order_id`;
}

/**
 * Locks an order until the end of the transaction and inserts an event of it. Inserts nothing if
 * the order does not exist. Authorize the change before.
 */
export const insertOrderEvent = (tx: Tx, orderid: string, event: NewOrderEvent) =>
  sql`with changed as materialized (select id as order_id from orders where id = ${orderid} for no key update)
    ${orderEventSql(event)}`.execute(tx);

/**
 * Returns the id of the latest event of each order. An unknown order has no row. Does not check the
 * access: authorize the caller before.
 */
export const listVersions = async (db: Db, orderids: readonly string[]) =>
  (
    await sql<{ order_id: string; version: number }>`
      select order_id, max(id) as version from order_events where order_id = any(${orderids}::text[]) group by order_id`.execute(db)
  ).rows;

/**
 * Returns the events of an order, the oldest first; empty for an unknown order. Does not check the
 * access: authorize the caller before.
 */
export async function listOrderEvents(db: Db, orderid: string): Promise<OrderEvent[]> {
  const rows = await db
    .selectFrom('order_events')
    .select(['id', 'kind', 'stage', 'at'])
    .select(sql<StoredData>`data`.as('data'))
    .where('order_id', '=', orderid)
    .orderBy('id')
    .execute();
  return rows.map(toEvent);
}

/** Returns the times at which a claim was settled with this credit. Empty if it never was. */
export async function listSettlementTimes(
  tx: Tx,
  orderId: string,
  settlement: Omit<Extract<OrderEventContent, { kind: 'claim-message' }>, 'kind'>,
): Promise<Date[]> {
  const events = await tx
    .selectFrom('order_events')
    .select('at')
    .where('order_id', '=', orderId)
    .where('data', '@>', JSON.stringify(toData('claim-message', settlement)))
    .execute();
  return events.map(({ at }) => at);
}
