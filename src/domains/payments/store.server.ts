import { sql, type ExpressionBuilder, type Insertable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { asPaise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Payments } from '../../db/tables.generated.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { Stage } from '../orders/contract.ts';
import { paidOrders, payableOrderSql, type Orderer } from '../orders/store.server.ts';
import { balanceSql, movementSql, type Movement } from '../wallet/store.server.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';
import { statesBefore } from './rules.ts';

/** An order and what was received for it. `order` is null if it is not the orderer's. */
const payableSql = (orderer: Orderer, orderid: string) =>
  [
    jsonObjectFrom(payableOrderSql(orderer, orderid)).as('order'),
    jsonArrayFrom(sql<{ method: string; amount_paise: number; settled_at: string }>`(
      select method, amount_paise, settled_at from payments
       where order_id = ${orderid} and state = 'received' order by settled_at)`).as('received'),
  ] as const;

interface PayableRow {
  stage: string;
  rate_paise: number;
  offer_percent: number;
  weight_grams: number | null;
}

const payableOrder = (row: PayableRow) => ({
  stage: row.stage as Stage,
  ratePaise: asPaise(row.rate_paise),
  offerPercent: row.offer_percent,
  weightGrams: row.weight_grams,
});

interface PayableRows {
  order: (PayableRow & { program_name: string; order_rate_paise: number }) | null;
  received: { method: string; amount_paise: number; settled_at: string }[];
}

const payable = ({ order, received }: PayableRows) => ({
  order: order && { ...payableOrder(order), programName: order.program_name, orderRatePaise: asPaise(order.order_rate_paise) },
  received: received.map((row) => ({
    method: row.method as PaymentMethod,
    amountPaise: asPaise(row.amount_paise),
    // JSON carries the time as text.
    receivedAt: new Date(row.settled_at),
  })),
});

export async function readForPaying(db: Db, orderer: Orderer, orderid: string) {
  return payable(await db.selectNoFrom(payableSql(orderer, orderid)).executeTakeFirstOrThrow());
}

/** The same with the balance of the customer's wallet. */
export async function readForWallet(db: Db, customer: SignedInCustomer, orderid: string) {
  const { balance, ...rows } = await db
    .selectNoFrom([...payableSql(customer, orderid), balanceSql(customer.id).as('balance')])
    .executeTakeFirstOrThrow();
  return { ...payable(rows), balancePaise: asPaise(balance ?? 0) };
}

export interface WalletRow {
  tid: string;
  paymentReference: string;
  amountPaise: number;
  duePaise: number;
}

/** The constraints that can refuse a wallet payment, checked when it is written. */
const REFUSING_CONSTRAINTS = {
  wallet_never_negative: 'insufficient-balance',
  wallet_pays_only_what_is_open: 'nothing-open',
  wallet_pays_only_before_delivery: 'wrong-stage',
} as const;
type Refusal = (typeof REFUSING_CONSTRAINTS)[keyof typeof REFUSING_CONSTRAINTS];

const refusalOf = (error: unknown): Refusal | undefined =>
  (REFUSING_CONSTRAINTS as Record<string, Refusal>)[(error as { constraint?: string }).constraint ?? ''];

/** Debits the wallet and records the payment in one statement, or writes nothing. */
export async function insertWalletPayment(
  db: Db,
  debit: Movement,
  { tid, paymentReference, amountPaise, duePaise }: WalletRow,
): Promise<'paid' | 'already-paid' | Refusal> {
  try {
    const { rows } = await sql`
      with ${movementSql(debit)}
      insert into payments
        (tid, order_id, method, state, amount_paise, due_paise, reference, transaction_id, created_at, settled_at)
      select ${tid}, order_id, 'wallet', 'received', ${amountPaise}, ${duePaise}, ${paymentReference}, id, created_at, created_at
        from entry
      returning tid`.execute(db);
    return rows.length === 1 ? 'paid' : 'already-paid';
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    throw error;
  }
}

/** Returns a received payment with its order. */
export const findReceived = (db: Db, tid: string) =>
  db
    .selectFrom('payments')
    .innerJoin(paidOrders(db).as('paid_for'), 'paid_for.id', 'payments.order_id')
    .select(['order_id', 'amount_paise', 'settled_at', 'transaction_id'])
    .select(['ship_name', 'rate_paise', 'offer_percent', 'weight_grams', 'items'])
    .where('tid', '=', tid)
    .where('state', '=', 'received' satisfies PaymentState)
    .executeTakeFirst();

/** Returns the pending payment of this order, method, gateway and amount. */
export const findPending = (db: Db, row: Pick<Insertable<Payments>, 'order_id' | 'method' | 'gateway' | 'amount_paise'>) =>
  db
    .selectFrom('payments')
    .select(['tid', 'reference', 'gateway_url', 'created_at'])
    .where('order_id', '=', row.order_id)
    .where('method', '=', row.method)
    .where('gateway', 'is not distinct from', row.gateway ?? null)
    .where('amount_paise', '=', row.amount_paise)
    .where('state', '=', 'pending' satisfies PaymentState)
    .executeTakeFirst();

/** The same, inserted if there is none. Undefined if it was settled in between. */
export async function pendingPayment(db: Db, row: Insertable<Payments>) {
  const made = await db
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['tid', 'reference', 'gateway_url', 'created_at'])
    .executeTakeFirst();
  return made ?? findPending(db, row);
}

export const insertReceived = (tx: Tx, row: Insertable<Payments>) => tx.insertInto('payments').values(row).execute();

export const setGatewayPage = (db: Db, tid: string, gateway_id: string, gateway_url: string) =>
  db
    .updateTable('payments')
    .set({ gateway_id, gateway_url })
    .where('tid', '=', tid)
    .where('state', '=', 'pending' satisfies PaymentState)
    .where('gateway_id', 'is', null)
    .execute();

/** Moves a payment to a state. Returns undefined if the table of states does not allow it. */
export const moveState = (tx: Tx, tid: string, to: PaymentState, transactionId: string | null, now: Date) =>
  tx
    .updateTable('payments')
    .set({ state: to, transaction_id: transactionId, settled_at: now })
    .where('tid', '=', tid)
    .where('state', 'in', statesBefore(to))
    .returning(['order_id', 'amount_paise', 'due_paise', 'reference'])
    .executeTakeFirst();

/**
 * Returns the sum received for an order. The transaction must have received a payment: it then
 * holds the order's lock.
 */
export async function totalReceived(tx: Tx, orderid: string): Promise<number> {
  const { paise } = await tx
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(amount_paise), 0)::bigint`.as('paise'))
    .where('order_id', '=', orderid)
    .where('state', '=', 'received' satisfies PaymentState)
    .executeTakeFirstOrThrow();
  return paise;
}

/** For the laundry itself: it can read every order. */
export async function findPaidOrder(db: Db, orderid: string) {
  const row = await db
    .selectFrom(paidOrders(db).as('paid_for'))
    .select(['customer_id', 'stage', 'rate_paise', 'offer_percent', 'weight_grams'])
    .where('id', '=', orderid)
    .executeTakeFirst();
  return row && { ...payableOrder(row), customerId: row.customer_id };
}

export const findByReference = (db: Db, gateway: string, reference: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise'])
    .where('gateway', '=', gateway)
    .where('reference', '=', reference)
    .executeTakeFirst();

/** Returns the newest payment that has a gateway page. */
export const newestOnline = (db: Db, orderid: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise', 'state', 'created_at'])
    .where('order_id', '=', orderid)
    .where('gateway_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Returns false if this event was recorded before. */
export async function insertEvent(
  tx: Tx,
  event: { gateway: string; event_id: string; event: string; tid: string | null },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('payment_events')
    .values({ ...event, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Pending, or failed and begun after `since`: its page may still receive money. */
const mayStillCome = (since: Date) => (of: ExpressionBuilder<{ payments: Payments }, 'payments'>) =>
  of.or([
    of('state', '=', 'pending' satisfies PaymentState),
    of.and([of('state', 'in', statesBefore('received')), of('created_at', '>', since)]),
  ]);

interface PaymentCheck {
  tid: string;
  gateway: string;
  uncheckedSince: Date;
  failedSince: Date;
}

/**
 * Claims an open payment that was not checked since `uncheckedSince`. Of concurrent claims one
 * succeeds; the others return undefined.
 */
export const claimCheck = (db: Db, { tid, gateway, uncheckedSince, failedSince }: PaymentCheck, now: Date) =>
  db
    .updateTable('payments')
    .set({ asked_at: now })
    .where('tid', '=', tid)
    .where('gateway', '=', gateway)
    .where('gateway_id', 'is not', null)
    .where(mayStillCome(failedSince))
    .where((of) => of.or([of('asked_at', 'is', null), of('asked_at', '<=', uncheckedSince)]))
    .returning(['gateway_id', 'amount_paise'])
    .executeTakeFirst();

/** Returns payments at a gateway that may still receive money, the longest unchecked first. */
export const openPayments = (db: Db, gateway: string, failedSince: Date, max: number) =>
  db
    .selectFrom('payments')
    .select('tid')
    .where(mayStillCome(failedSince))
    .where('gateway', '=', gateway)
    .where('gateway_id', 'is not', null)
    .orderBy(sql`asked_at nulls first`)
    .limit(max)
    .execute();

/**
 * Fails old payments whose status will not arrive any more: those without a gateway page, and those
 * of a gateway that is not `activeGateway`.
 */
export const failAbandoned = (db: Db, activeGateway: string | null, createdBefore: Date, now: Date) =>
  db
    .updateTable('payments')
    .set({ state: 'failed' satisfies PaymentState, settled_at: now })
    .where('state', 'in', statesBefore('failed'))
    .where((of) => of.or([of('gateway_id', 'is', null), of('gateway', 'is distinct from', activeGateway)]))
    .where('created_at', '<', createdBefore)
    .execute();

export const deleteEvents = (db: Db, before: Date) => db.deleteFrom('payment_events').where('received_at', '<', before).execute();
