import { sql, type Expression, type ExpressionBuilder, type Insertable, type RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres';
import { asPaise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { statement, type Given, type Together } from '../../db/statement.server.ts';
import type { Payments } from '../../db/tables.generated.ts';
import { reading, type ProveReading, type SignedInCustomer } from '../sessions/authentication.server.ts';
import type { Stage } from '../orders/contract.ts';
import { paidOrders, payableOrderOf, type Orderer } from '../orders/store.server.ts';
import { balanceQuery, movementParts, movementValues, type Movement } from '../wallet/store.server.ts';
import type { PaymentMethod, PaymentState } from './contract.ts';
import { statesBefore } from './rules.ts';

const receivedFor = (db: Db, orderid: string | Expression<string>) =>
  db
    .selectFrom('payments')
    .select(['method', 'amount_paise', 'settled_at'])
    .where('order_id', '=', orderid)
    .where('state', '=', 'received' satisfies PaymentState)
    .orderBy('settled_at');

/** Everything that paying needs to know, in one statement: round trips are what a payment costs (docs/decisions/0016). */
const forPaying = (db: Db, order: ReturnType<typeof payableOrderOf>, orderid: string | Expression<string>) => ({
  order: jsonObjectFrom(order),
  received: jsonArrayFrom(receivedFor(db, orderid)),
});

type Results<Parts> = { [Part in keyof Parts]: Parts[Part] extends RawBuilder<infer Result> ? Result : never };

const asFound = ({ order, received }: Results<ReturnType<typeof forPaying>>) => ({
  order: order && { ...payable(order), programName: order.program_name, orderRatePaise: asPaise(order.order_rate_paise) },
  received: received.map((row) => ({
    method: row.method as PaymentMethod,
    amountPaise: asPaise(row.amount_paise),
    // JSON carries the time as text.
    receivedAt: new Date(String(row.settled_at)),
  })),
});

const payable = (row: { stage: string; rate_paise: number; offer_percent: number; weight_grams: number | null }) => ({
  stage: row.stage as Stage,
  ratePaise: asPaise(row.rate_paise),
  offerPercent: row.offer_percent,
  weightGrams: row.weight_grams,
});

export async function readForPaying(db: Db, orderer: Orderer, orderid: string) {
  const { order, received } = forPaying(db, payableOrderOf(db, orderer, orderid), orderid);
  return asFound(await db.selectNoFrom([order.as('order'), received.as('received')]).executeTakeFirstOrThrow());
}

const forWallet = reading((db, customer, { orderid }: Given<{ orderid: string }>) =>
  jsonBuildObject({
    ...forPaying(db, payableOrderOf(db, customer, orderid), orderid),
    balance_paise: balanceQuery(db, customer.id).$asScalar(),
  }),
);

export async function readForWallet(prove: ProveReading<SignedInCustomer>, orderid: string) {
  const { caller, found } = await prove(forWallet, () => ({ orderid }));
  return { customer: caller, ...asFound(found), balancePaise: asPaise(found.balance_paise ?? 0) };
}

export interface WalletRow {
  tid: string;
  /** What the payment is called outside. */
  paymentReference: string;
  amountPaise: number;
  duePaise: number;
}

/**
 * Debit and payment in one statement, or neither. False when the order's wallet part was taken before. The database refuses more than the wallet holds
 * ('wallet_never_negative'), more than is open ('wallet_pays_only_what_is_open'), and anything once the order is delivered ('wallet_pays_only_before_delivery').
 */
export async function insertWalletPayment(db: Db, debit: Movement, row: WalletRow): Promise<boolean> {
  const paid = await debitAndPay(db, { ...movementValues(debit), ...row });
  return paid.length === 1;
}

const debitAndPay = statement((db, given: Given<Together<ReturnType<typeof movementValues>, WalletRow>>) =>
  sql<{ tid: string }>`
    with ${movementParts(given)}
    insert into payments (tid, order_id, method, state, amount_paise, due_paise, reference, transaction_id, created_at, settled_at)
    select ${given.tid}, order_id, 'wallet', 'received', ${given.amountPaise}::bigint, ${given.duePaise}::bigint, ${given.paymentReference}, id, created_at, created_at
      from entry
    returning tid`.compile(db),
);

/** A received payment with its order. */
export const findReceived = (db: Db, tid: string) =>
  db
    .selectFrom('payments')
    .innerJoin(paidOrders(db).as('paid_for'), 'paid_for.id', 'payments.order_id')
    .select(['order_id', 'amount_paise', 'settled_at', 'transaction_id'])
    .select(['ship_name', 'rate_paise', 'offer_percent', 'weight_grams', 'items'])
    .where('tid', '=', tid)
    .where('state', '=', 'received' satisfies PaymentState)
    .executeTakeFirst();

/** A payment of this order, method, gateway and amount that was begun and not settled. */
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

/** The same, made now where there is none. */
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

/** Moves a payment along the table of states; undefined when it has no way from where it stands. */
export const moveState = (tx: Tx, tid: string, to: PaymentState, transactionId: string | null, now: Date) =>
  tx
    .updateTable('payments')
    .set({ state: to, transaction_id: transactionId, settled_at: now })
    .where('tid', '=', tid)
    .where('state', 'in', statesBefore(to))
    .returning(['order_id', 'amount_paise', 'due_paise', 'reference'])
    .executeTakeFirst();

/** What was received for an order in all. Ask in the transaction that received: it holds the order's turn. */
export async function totalReceived(tx: Tx, orderid: string): Promise<number> {
  const { paise } = await tx
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(amount_paise), 0)::bigint`.as('paise'))
    .where('order_id', '=', orderid)
    .where('state', '=', 'received' satisfies PaymentState)
    .executeTakeFirstOrThrow();
  return paise;
}

/** The order as the laundry itself sees it. */
export async function findPaidOrder(db: Db, orderid: string) {
  const row = await db
    .selectFrom(paidOrders(db).as('paid_for'))
    .select(['customer_id', 'stage', 'rate_paise', 'offer_percent', 'weight_grams'])
    .where('id', '=', orderid)
    .executeTakeFirst();
  return row && { ...payable(row), customerId: row.customer_id };
}

export const findByReference = (db: Db, gateway: string, reference: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise'])
    .where('gateway', '=', gateway)
    .where('reference', '=', reference)
    .executeTakeFirst();

/** The newest payment for which a gateway's page was opened. */
export const newestOnline = (db: Db, orderid: string) =>
  db
    .selectFrom('payments')
    .select(['tid', 'amount_paise', 'state', 'created_at'])
    .where('order_id', '=', orderid)
    .where('gateway_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** False when this event was told before. */
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

/** Pending, or begun after `since` and given up: money may still come to its page. */
const mayStillCome = (since: Date) => (of: ExpressionBuilder<{ payments: Payments }, 'payments'>) =>
  of.or([
    of('state', '=', 'pending' satisfies PaymentState),
    of.and([of('state', 'in', statesBefore('received')), of('created_at', '>', since)]),
  ]);

interface Asking {
  tid: string;
  gateway: string;
  unaskedSince: Date;
  givenUpSince: Date;
}

/** Takes the right to ask a gateway about an open payment, which was not asked about since `unaskedSince`. Of many at once one asks. */
export const claimAsking = (db: Db, { tid, gateway, unaskedSince, givenUpSince }: Asking, now: Date) =>
  db
    .updateTable('payments')
    .set({ asked_at: now })
    .where('tid', '=', tid)
    .where('gateway', '=', gateway)
    .where('gateway_id', 'is not', null)
    .where(mayStillCome(givenUpSince))
    .where((of) => of.or([of('asked_at', 'is', null), of('asked_at', '<=', unaskedSince)]))
    .returning(['gateway_id', 'amount_paise'])
    .executeTakeFirst();

/** Payments at a gateway to which money may come, the longest unasked first. */
export const openAt = (db: Db, gateway: string, givenUpSince: Date, most: number) =>
  db
    .selectFrom('payments')
    .select('tid')
    .where(mayStillCome(givenUpSince))
    .where('gateway', '=', gateway)
    .where('gateway_id', 'is not', null)
    .orderBy(sql`asked_at nulls first`)
    .limit(most)
    .execute();

/** Nobody will tell of these any more: they never got a gateway's page, lie at a gateway that is not asked now, or wait for a UPI payment that nobody saw. */
export const failForgotten = (db: Db, askedNow: string | null, createdBefore: Date, now: Date) =>
  db
    .updateTable('payments')
    .set({ state: 'failed' satisfies PaymentState, settled_at: now })
    .where('state', 'in', statesBefore('failed'))
    .where((of) => of.or([of('gateway_id', 'is', null), of('gateway', 'is distinct from', askedNow)]))
    .where('created_at', '<', createdBefore)
    .execute();

export const deleteEvents = (db: Db, before: Date) => db.deleteFrom('payment_events').where('received_at', '<', before).execute();
