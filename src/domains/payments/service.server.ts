/** Payments: from the wallet, by UPI, by gateway and in cash. docs/decisions/0010 and 0023. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { newToken } from '../../security/tokens.server.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { links } from '../../browser/links.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { orderError } from '../orders/contract.ts';
import type { Orderer } from '../orders/store.server.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { paymentError, type payWithWallet, type startPayment, type StartedPayment } from './contract.ts';
import { GatewayError, type Gateway, type GatewayEvent, type GatewayStatus } from './provider.server.ts';
import { checkTimes, duePaise, hasUsablePage, pageExpiresAt, restPaise, upiLink, walletPartOf, type UpiPayee } from './rules.ts';
import {
  claimCheck,
  deleteEvents,
  failAbandoned,
  findByReference,
  findPending,
  findPaidOrder,
  insertEvent,
  insertReceived,
  insertWalletPayment,
  moveState,
  openPayments,
  pendingPayment,
  readForPaying,
  readForWallet,
  setGatewayPage,
  totalReceived,
} from './store.server.ts';

/** 132 random bits that an address can carry. */
const newTid = () => newToken().slice(0, 22);

export type WalletOutcome = { paidPaise: Paise } | { refusal: ErrorMessage<keyof typeof payWithWallet.errors> };

/**
 * Pays half of an order from the wallet, once. `walletpayment` is the amount that the customer saw:
 * it is compared and never used. The database checks again, in the statement that pays, what can
 * change in between: an earlier wallet payment, the balance, what is open and the stage.
 */
export async function payFromWallet(
  db: Db,
  customer: SignedInCustomer,
  { orderid, walletpayment: asked }: { orderid: string; walletpayment: Paise },
  { now, supportEmail }: { now: Date; supportEmail: string },
): Promise<WalletOutcome> {
  const { order, balancePaise, received } = await readForWallet(db, customer, orderid);
  if (!order) return { refusal: orderError('order-not-found', { orderid }) };
  const part = walletPartOf(order, received);
  if ('paidPaise' in part) return { refusal: paymentError('already-paid') };
  if ('refusal' in part) return part;
  const { partPaise } = part;
  if (asked !== partPaise) return { refusal: paymentError('wallet-payment-failed', { email: supportEmail }) };
  if (balancePaise < partPaise) return { refusal: paymentError('insufficient-balance') };
  const debit = {
    entryId: newId(),
    customerId: customer.id,
    kind: 'paid',
    walletPaise: 0 - partPaise,
    reason: 'Paid from the wallet',
    reference: `order:${orderid}:wallet`,
    orderId: orderid,
    at: now,
  } as const;
  const row = { tid: newTid(), paymentReference: newId(), amountPaise: partPaise, duePaise: part.duePaise };
  const outcome = await insertWalletPayment(db, debit, row);
  return outcome === 'paid' ? { paidPaise: partPaise } : { refusal: WALLET_REFUSALS[outcome] };
}

const WALLET_REFUSALS = {
  'already-paid': paymentError('already-paid'),
  'insufficient-balance': paymentError('insufficient-balance'),
  'nothing-open': paymentError('nothing-to-pay'),
  'wrong-stage': paymentError('order-delivered'),
} as const;

/** A payment method whose part is undefined is not offered. */
export interface PayingParts {
  db: Db;
  payee: UpiPayee | undefined;
  gateway: Gateway | undefined;
  onFailure(error: unknown, what: string): void;
}

type Started = { started: StartedPayment } | { refusal: ErrorMessage<keyof typeof startPayment.errors> };

interface Wanted {
  orderid: string;
  method: 'upi' | 'gateway';
  /** The amount that the customer saw. */
  amount: Paise;
}

/**
 * Begins an online payment of the rest. A repeated request for the same rest returns the same
 * payment and, as long as it accepts payments, the same page.
 */
export async function beginPayment(parts: PayingParts, orderer: Orderer, wanted: Wanted, now: Date): Promise<Started> {
  const { db, payee, gateway, onFailure } = parts;
  const { orderid, method, amount: asked } = wanted;
  const { order, received } = await readForPaying(db, orderer, orderid);
  if (!order) return { refusal: orderError('order-not-found', { orderid }) };
  const due = duePaise(order);
  if (due === null) return { refusal: paymentError('not-payable-yet') };
  const rest = restPaise(due, received);
  if (rest === 0) return { refusal: paymentError('nothing-to-pay') };
  if (asked !== rest) return { refusal: paymentError('rest-changed') };
  const paymentMethod = method === 'upi' ? payee : gateway;
  if (!paymentMethod) return { refusal: paymentError('method-not-offered') };
  const facts = { order_id: orderid, method, state: 'pending', amount_paise: rest, due_paise: due, created_at: now };
  const gatewayName = 'open' in paymentMethod ? paymentMethod.name : null;
  const payment = await pendingPayment(db, { ...facts, tid: newTid(), reference: newId(), gateway: gatewayName });
  // There was one, and it was settled before it could be read.
  if (!payment) return { refusal: paymentError('rest-changed') };
  const { tid, reference, created_at, gateway_url } = payment;
  const started = (url: string): Started => ({ started: { tid, amount: rest, url } });
  if (!('open' in paymentMethod)) return started(upiLink(paymentMethod, { amountPaise: rest, reference, orderid }));
  try {
    // The existing page may have failed since the last check. Then a new payment begins.
    if (gateway_url) await checkPayment(parts, tid, now, { everySeconds: 0 });
    // The page has expired or soon will. The check above has received a payment made there.
    if (!hasUsablePage(created_at, now)) await transaction(db, (tx) => moveState(tx, tid, 'failed', null, now));
    const open = await findPending(db, { ...facts, gateway: gatewayName });
    if (open?.tid !== tid) return await beginPayment(parts, orderer, wanted, now);
    if (gateway_url) return started(gateway_url);
    const toPay = { reference, amountPaise: rest, orderid, endsAt: pageExpiresAt(created_at), returnPath: links.paymentResult(tid, rest) };
    const page = await paymentMethod.open(toPay);
    await setGatewayPage(db, tid, page.id, page.url);
    return started(page.url);
  } catch (error) {
    // A lost database, for example, becomes a 503.
    if (!(error instanceof GatewayError)) throw error;
    onFailure(error, 'opening a payment page');
    return { refusal: paymentError('gateway-failed') };
  }
}

interface Asked {
  gateway: string;
  tid: string;
  amountPaise: number;
}

/**
 * 'wrong-amount' is returned once for each transaction of the gateway, however often the gateway
 * reports it.
 */
type Settlement = 'settled' | 'unchanged' | 'wrong-amount';

/**
 * Applies the status that a gateway reports, along the table of payment states. Webhook, redirect
 * and reconciliation all use this function: no other code accepts a gateway's status.
 */
async function settle(tx: Tx, { gateway, tid, amountPaise }: Asked, status: GatewayStatus, now: Date): Promise<Settlement> {
  if (status.state === 'pending') return 'unchanged';
  if (status.state === 'failed') return (await moveState(tx, tid, 'failed', null, now)) ? 'settled' : 'unchanged';
  if (status.amountPaise !== amountPaise) {
    const event = { gateway, event_id: `amount:${status.transactionId}`.slice(0, 100), event: 'another amount', tid };
    return (await insertEvent(tx, event, now)) ? 'wrong-amount' : 'unchanged';
  }
  const moved = await moveState(tx, tid, 'received', status.transactionId, now);
  if (!moved) return 'unchanged';
  await giveChange(tx, { orderid: moved.order_id, duePaise: moved.due_paise, ...moved }, now);
  return 'settled';
}

/**
 * The log holds no amounts and no payment ids; the row in payment_events identifies the payment.
 */
function reportSettlement(settlement: Settlement, onFailure: PayingParts['onFailure']) {
  if (settlement !== 'wrong-amount') return;
  onFailure(new Error("A gateway reports another amount than was asked for, see 'another amount' in payment_events"), 'settling a payment');
}

interface ReceivedPayment {
  orderid: string;
  duePaise: number;
  amount_paise: number;
  reference: string;
}

/**
 * Credits an overpayment to the customer's wallet. Two payments of one order can be open at once,
 * and money that was paid is received.
 */
async function giveChange(tx: Tx, { orderid, duePaise: due, amount_paise, reference }: ReceivedPayment, now: Date) {
  const excess = Math.min((await totalReceived(tx, orderid)) - due, amount_paise);
  if (excess <= 0) return;
  const order = await findPaidOrder(tx, orderid);
  invariant(order, 'a payment has an order');
  await creditWallet(tx, {
    customerId: order.customerId,
    kind: 'change',
    amountPaise: asPaise(excess),
    reason: `Paid too much for order ${orderid}`,
    reference: `payment:${reference}:change`,
    orderId: orderid,
    at: now,
  });
}

/** Settles the payment of a webhook event, once for each event. Events may arrive in any order. */
export async function takeEvent({ db, onFailure }: PayingParts, gateway: string, gatewayEvent: GatewayEvent, now: Date) {
  const { eventId, event, reference, status } = gatewayEvent;
  const settlement = await transaction(db, async (tx): Promise<Settlement> => {
    const payment = await findByReference(tx, gateway, reference);
    const isNew = await insertEvent(tx, { gateway, event_id: eventId, event: event.slice(0, 100), tid: payment?.tid ?? null }, now);
    if (!isNew || !payment) return 'unchanged';
    return settle(tx, { gateway, tid: payment.tid, amountPaise: payment.amount_paise }, status, now);
  });
  reportSettlement(settlement, onFailure);
}

interface CheckOptions {
  /** Skips a payment that was checked within this time. */
  everySeconds?: number;
  signal?: AbortSignal;
}

/**
 * Fetches the status of an open payment from its gateway and settles it. The redirect back and the
 * reconciliation both use this: nothing in the address of a redirect is trusted. Throws
 * `GatewayError`.
 */
export async function checkPayment({ db, gateway, onFailure }: PayingParts, tid: string, now: Date, options: CheckOptions = {}) {
  if (!gateway) return;
  const claimed = await claimCheck(db, { tid, gateway: gateway.name, ...checkTimes(now, options.everySeconds) }, now);
  if (!claimed?.gateway_id) return;
  const status = await gateway.fetchStatus(claimed.gateway_id, options.signal);
  const asked = { gateway: gateway.name, tid, amountPaise: claimed.amount_paise };
  reportSettlement(await transaction(db, (tx) => settle(tx, asked, status, now)), onFailure);
}

const MAX_CHECKS_PER_RUN = 200;
const ABANDONED_AFTER_SECONDS = 7 * DAY_SECONDS;
const EVENTS_KEPT_SECONDS = 90 * DAY_SECONDS;

/**
 * Checks the payments that are open at the gateway and fails the abandoned ones. With an
 * unresponsive gateway a run takes as long as all its timeouts, so that it ends early once `signal`
 * is aborted.
 */
export async function reconcile(parts: PayingParts, now: Date, signal: AbortSignal) {
  const { db, gateway, onFailure } = parts;
  const open = gateway ? await openPayments(db, gateway.name, checkTimes(now).failedSince, MAX_CHECKS_PER_RUN) : [];
  for (const { tid } of open) {
    await checkPayment(parts, tid, now, { signal }).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error, 'checking a payment');
    });
    if (signal.aborted) return;
  }
  await failAbandoned(db, gateway?.name ?? null, addSeconds(now, -ABANDONED_AFTER_SECONDS), now);
  await deleteEvents(db, addSeconds(now, -EVENTS_KEPT_SECONDS));
}

export type ReceivedByHand = 'received' | 'unknown-order' | 'not-weighed';

/**
 * Records cash, or a UPI payment that arrived on the laundry's account. If the customer began a UPI
 * payment of this amount, that one is received.
 */
export async function receiveByHand(
  tx: Tx,
  payment: { orderid: string; method: 'cash' | 'upi'; amountPaise: Paise },
  now: Date,
): Promise<ReceivedByHand> {
  const { orderid, method, amountPaise } = payment;
  const order = await findPaidOrder(tx, orderid);
  if (!order) return 'unknown-order';
  const due = duePaise(order);
  if (due === null) return 'not-weighed';
  const reference = newId();
  const begun = await findPending(tx, { order_id: orderid, method, amount_paise: amountPaise });
  const moved = begun && (await moveState(tx, begun.tid, 'received', reference, now));
  if (moved) {
    await giveChange(tx, { orderid, duePaise: moved.due_paise, ...moved }, now);
    return 'received';
  }
  const facts = { tid: newTid(), order_id: orderid, method, amount_paise: amountPaise, due_paise: due, reference, created_at: now };
  await insertReceived(tx, { ...facts, state: 'received', transaction_id: reference, settled_at: now });
  await giveChange(tx, { orderid, duePaise: due, amount_paise: amountPaise, reference }, now);
  return 'received';
}
