import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Payments } from '../../db/tables.generated.ts';
import { lockCustomerSql } from '../accounts/store.server.ts';
import type { CustomerOrGuest, SignedInCustomer } from '../sessions/authentication.server.ts';
import type { Stage } from '../orders/contract.ts';
import { insertOrderEvent, orderEventSql } from '../orders/events-store.server.ts';
import { selectOrdersForPayments, payableOrderSql, toPricedOrder, type PricedRow } from '../orders/store.server.ts';
import { balanceSql, movementSql, type Movement } from '../wallet/store.server.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';
import type { Gateway } from './provider.server.ts';
import { statesBefore, type PaidAmount, type PayableOrder } from './rules.ts';

/** Matches the payments that count as paid: received, and not reversed. */
const countsAsPaidSql = sql<boolean>`payments.state = 'received'
  and not exists (select from payment_reversals where payment_reversals.tid = payments.tid)`;

/** SQL: the amount paid for an order, in paise. `isOfOrder` is the condition on its payments. */
export const paidSql = (isOfOrder: RawBuilder<boolean>) => sql<Paise>`(
  select coalesce(sum(amount_paise), 0)::bigint from payments where ${isOfOrder} and ${countsAsPaidSql})`;

/**
 * Selects an order with its paid payments. `order` is null if it is not the caller's. `paid` does
 * not depend on the caller.
 */
const payableSql = (caller: CustomerOrGuest, orderid: string) =>
  [
    jsonObjectFrom(payableOrderSql(caller, orderid)).as('order'),
    jsonArrayFrom(sql<{ method: PaymentMethod; amount_paise: Paise; settled_at: string }>`(
      select method, amount_paise, settled_at from payments
       where order_id = ${orderid} and ${countsAsPaidSql} order by settled_at)`).as('paid'),
  ] as const;

interface PayableRow extends PricedRow {
  stage: Stage;
}

/** Returns the values of an order that determine its payments. */
export const toPayableOrder = (row: PayableRow): PayableOrder => ({ ...toPricedOrder(row), stage: row.stage });

interface PayableRows {
  order: (PayableRow & { program_name: string; unit: string; order_rate_paise: Paise }) | null;
  paid: { method: PaymentMethod; amount_paise: Paise; settled_at: string }[];
}

/** An order that its customer pays, with the payments that count as paid. */
export interface PayableRead {
  order: (PayableOrder & { programName: string; unit: string; orderRatePaise: Paise }) | null;
  paid: (PaidAmount & { receivedAt: Date })[];
}

const toPayable = ({ order, paid }: PayableRows): PayableRead => ({
  order: order && {
    ...toPayableOrder(order),
    programName: order.program_name,
    unit: order.unit,
    orderRatePaise: order.order_rate_paise,
  },
  paid: paid.map((row) => ({
    method: row.method,
    amountPaise: row.amount_paise,
    // JSON contains the time as text.
    receivedAt: new Date(row.settled_at),
  })),
});

/**
 * Returns an order with its paid payments, the oldest first. `order` is null if it is unknown or
 * not the caller's. `paid` is not limited to the caller: use it only with an `order`.
 */
export async function readPayableOrder(db: Db, caller: CustomerOrGuest, orderid: string): Promise<PayableRead> {
  return toPayable(await db.selectNoFrom(payableSql(caller, orderid)).executeTakeFirstOrThrow());
}

/** Returns an order as `readPayableOrder` does, with the balance of the customer's wallet. */
export async function readWalletPayment(
  db: Db,
  customer: SignedInCustomer,
  orderid: string,
): Promise<PayableRead & { balancePaise: Paise }> {
  const { balance, ...rows } = await db
    .selectNoFrom([...payableSql(customer, orderid), balanceSql(customer.id).as('balance')])
    .executeTakeFirstOrThrow();
  return { ...toPayable(rows), balancePaise: balance ?? asPaise(0) };
}

export interface WalletRow {
  tid: string;
  paymentReference: string;
  amountPaise: number;
  duePaise: number;
}

/** The database constraints that reject a wallet payment, with the outcome for each. */
const CONSTRAINT_OUTCOMES = {
  wallet_never_negative: 'insufficient-balance',
  wallet_pays_only_what_is_open: 'nothing-open',
  wallet_pays_only_before_delivery: 'wrong-stage',
} as const;
type ConstraintOutcome = (typeof CONSTRAINT_OUTCOMES)[keyof typeof CONSTRAINT_OUTCOMES];

const toConstraintOutcome = (error: unknown): ConstraintOutcome | undefined =>
  (CONSTRAINT_OUTCOMES as Record<string, ConstraintOutcome>)[(error as { constraint?: string }).constraint ?? ''];

/**
 * Debits the wallet and inserts the payment and its order event in one statement. If it returns
 * anything but 'paid', it has written nothing. Call it outside a transaction, which a violated
 * constraint would abort.
 */
export async function insertWalletPayment(
  db: Db,
  debit: Movement,
  { tid, paymentReference, amountPaise, duePaise }: WalletRow,
): Promise<'paid' | 'already-paid' | ConstraintOutcome> {
  try {
    // `entry` of `movementSql` is the ledger entry. It has no row if the wallet has paid before.
    const { rows } = await sql`
      with ${movementSql(debit)}, changed as (
        insert into payments
          (tid, order_id, method, state, amount_paise, due_paise, reference, transaction_id, created_at, settled_at)
        select ${tid}, order_id, 'wallet', 'received', ${amountPaise}, ${duePaise}, ${paymentReference}, id, created_at, created_at
          from entry
        returning order_id
      ) ${orderEventSql({ kind: 'paid', reference: paymentReference, at: debit.at })}`.execute(db);
    return rows.length === 1 ? 'paid' : 'already-paid';
  } catch (error) {
    const outcome = toConstraintOutcome(error);
    if (outcome) return outcome;
    throw error;
  }
}

interface PaidPayment extends Pick<Selectable<Payments>, 'order_id' | 'amount_paise' | 'settled_at' | 'transaction_id'> {
  ship_name: string;
  weight_grams: number | null;
  items: number | null;
}

/** Returns a payment that counts as paid, with its order. Undefined for every other `tid`. */
export const findPaid = (db: Db, tid: string): Promise<PaidPayment | undefined> =>
  db
    .selectFrom('payments')
    .innerJoin(selectOrdersForPayments(db).as('paid_for'), 'paid_for.id', 'payments.order_id')
    .select(['order_id', 'amount_paise', 'settled_at', 'transaction_id'])
    .select(['ship_name', 'weight_grams', 'items'])
    .where('tid', '=', tid)
    .where(countsAsPaidSql)
    .executeTakeFirst();

const PENDING_COLUMNS = ['tid', 'order_id', 'amount_paise', 'reference', 'gateway_url', 'created_at'] as const;

export type PendingPayment = Pick<Selectable<Payments>, (typeof PENDING_COLUMNS)[number]>;

/** Returns the pending payment of this order, method, gateway and amount, if any. */
export const findPending = (
  db: Db,
  row: Pick<Insertable<Payments>, 'order_id' | 'method' | 'gateway' | 'amount_paise'>,
): Promise<PendingPayment | undefined> =>
  db
    .selectFrom('payments')
    .select(PENDING_COLUMNS)
    .where('order_id', '=', row.order_id)
    .where('method', '=', row.method)
    .where('gateway', 'is not distinct from', row.gateway ?? null)
    .where('amount_paise', '=', asPaise(row.amount_paise))
    .where('state', '=', 'pending')
    .executeTakeFirst();

type NewPayment = Insertable<Payments> & { created_at: Date };

/**
 * Returns the pending payment of this order, method, gateway and amount, or inserts one. One at a
 * gateway has an event, so that open screens of the staff show it; a repeated start has none.
 * Returns undefined if a concurrent request settled it.
 */
export async function findOrInsertPending(tx: Tx, row: NewPayment): Promise<PendingPayment | undefined> {
  const inserted = await tx
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(PENDING_COLUMNS)
    .executeTakeFirst();
  if (!inserted) return findPending(tx, row);
  if (row.method === ('gateway' satisfies PaymentMethod))
    await insertOrderEvent(tx, row.order_id, { kind: 'payment-begun', reference: row.reference, at: row.created_at });
  return inserted;
}

/**
 * Inserts a received payment and its event, which locks the order. Does not credit an overpayment:
 * the caller does.
 */
export async function insertReceived(tx: Tx, row: Insertable<Payments>, now: Date) {
  await tx.insertInto('payments').values(row).execute();
  await insertOrderEvent(tx, row.order_id, { kind: 'paid', reference: row.reference, at: now });
}

type SettledPayment = Pick<Selectable<Payments>, 'order_id' | 'amount_paise' | 'reference'>;

/**
 * Records the result of a payment with its event, and replaces its note. Returns undefined and
 * writes nothing if the payment is unknown or the table of states forbids the transition. Locks the
 * customer, the payment and the order. Does not credit an overpayment: the caller does.
 */
export async function settlePayment(
  tx: Tx,
  tid: string,
  to: Exclude<PaymentState, 'pending'>,
  transactionId: string | null,
  now: Date,
  note?: string,
): Promise<SettledPayment | undefined> {
  const order = selectOrdersForPayments(tx).where('id', '=', (eb) => eb.selectFrom('payments').select('order_id').where('tid', '=', tid));
  await lockCustomerSql(tx, sql`(select customer_id from (${order}) paid_for)`).execute();
  const payment = await tx
    .updateTable('payments')
    .set({ state: to, transaction_id: transactionId, settled_at: now, note: note ?? null })
    .where('tid', '=', tid)
    .where('state', 'in', statesBefore(to))
    .returning(['order_id', 'amount_paise', 'reference'])
    .executeTakeFirst();
  if (payment) {
    const kind = to === 'received' ? 'paid' : 'payment-failed';
    await insertOrderEvent(tx, payment.order_id, { kind, reference: payment.reference, at: now });
  }
  return payment;
}

/**
 * Returns the amount paid for an order. Call it after `settlePayment` to 'received',
 * `insertReceived` or `lockOrder` in the same transaction, which then holds the order's lock.
 */
export async function readPaidPaise(tx: Tx, orderid: string): Promise<Paise> {
  const { paise } = await tx.selectNoFrom(paidSql(sql`order_id = ${orderid}`).as('paise')).executeTakeFirstOrThrow();
  return paise;
}

interface OrderToPay extends PayableOrder {
  customerId: string;
  isUnassigned: boolean;
}

/** For the laundry only: reads the order of any customer. Returns undefined if there is none. */
export async function findOrderToPay(db: Db, orderid: string): Promise<OrderToPay | undefined> {
  const row = await db
    .selectFrom(selectOrdersForPayments(db).as('paid_for'))
    .select(['customer_id', 'is_unassigned', 'stage', 'rate_paise', 'offer_percent', 'weight_grams'])
    .where('id', '=', orderid)
    .executeTakeFirst();
  return row && { ...toPayableOrder(row), customerId: row.customer_id, isUnassigned: row.is_unassigned };
}

/** A received payment, with the reason and time of its reversal, or nulls. */
export interface ReceivedPaymentRow extends Pick<
  Selectable<Payments>,
  'tid' | 'method' | 'amount_paise' | 'reference' | 'note' | 'settled_at'
> {
  reason: string | null;
  reversed_at: Date | null;
}

interface OrderWithReceivedPayments extends PayableOrder {
  orderid: string;
  name: string;
  items: number | null;
  isUnassigned: boolean;
  /** The oldest first. */
  recorded: ReceivedPaymentRow[];
}

/**
 * For the laundry only: reads any order with its received payments, reversed ones included. Returns
 * undefined if the order does not exist.
 */
export async function findOrderWithPayments(db: Db, orderid: string): Promise<OrderWithReceivedPayments | undefined> {
  const order = await db
    .selectFrom(selectOrdersForPayments(db).as('paid_for'))
    .select(['id', 'stage', 'rate_paise', 'offer_percent', 'weight_grams', 'items', 'ship_name', 'is_unassigned'])
    .where('id', '=', orderid)
    .executeTakeFirst();
  if (!order) return undefined;
  const recorded = await db
    .selectFrom('payments')
    .leftJoin('payment_reversals', 'payment_reversals.tid', 'payments.tid')
    .select(['payments.tid', 'method', 'amount_paise', 'reference', 'note', 'settled_at', 'reason', 'reversed_at'])
    .where('order_id', '=', orderid)
    .where('state', '=', 'received')
    .orderBy('settled_at')
    .orderBy('reference')
    .execute();
  return {
    ...toPayableOrder(order),
    orderid: order.id,
    name: order.ship_name,
    items: order.items,
    isUnassigned: order.is_unassigned,
    recorded,
  };
}

interface PaymentOfReference extends Pick<
  Selectable<Payments>,
  'tid' | 'order_id' | 'method' | 'state' | 'amount_paise' | 'reported_at' | 'note'
> {
  reason: string | null;
  reversed_at: Date | null;
}

/**
 * Returns the payment with this reference in any state, with the time and reason of its reversal,
 * or nulls. Undefined for an unknown reference.
 */
export const findPaymentByReference = (db: Db, reference: string): Promise<PaymentOfReference | undefined> =>
  db
    .selectFrom('payments')
    .leftJoin('payment_reversals', 'payment_reversals.tid', 'payments.tid')
    .select(['payments.tid', 'order_id', 'method', 'state', 'amount_paise', 'reported_at', 'note', 'reason', 'reversed_at'])
    .where('reference', '=', reference)
    .executeTakeFirst();

/**
 * Reverses a payment. Returns false if it is reversed already. The caller corrects wallet and cash
 * and inserts the event.
 */
export async function insertReversal(tx: Tx, tid: string, reason: string, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('payment_reversals')
    .values({ tid, reason, reversed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('tid')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the newest payment of an order that has a gateway page, if any. */
export const findNewestOnline = (db: Db, orderid: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise', 'state', 'created_at'])
    .where('order_id', '=', orderid)
    .where('gateway_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

interface AbandonedPayments {
  activeGateway: Gateway['name'] | null;
  begunBefore: Date;
  upiBegunBefore: Date;
}

/**
 * Marks old payments as failed whose status will not arrive any more: those without a gateway page,
 * and those of a gateway that is not `activeGateway`. Writes no event. Omits a UPI payment that the
 * customer reported, which a person has to decide.
 */
export const failAbandoned = (db: Db, { activeGateway, begunBefore, upiBegunBefore }: AbandonedPayments, now: Date) =>
  db
    .updateTable('payments')
    .set({ state: 'failed', settled_at: now })
    .where('state', 'in', statesBefore('failed'))
    .where((eb) => eb.or([eb('gateway_id', 'is', null), eb('gateway', 'is distinct from', activeGateway)]))
    .where('created_at', '<', begunBefore)
    .where((eb) => eb.or([eb('method', '<>', 'upi'), eb('created_at', '<', upiBegunBefore)]))
    .where('reported_at', 'is', null)
    .execute();
