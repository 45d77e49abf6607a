/**
 * Payments from the wallet, by UPI, by gateway and in cash. docs/decisions/0010 and 0023.
 *
 * Lock order of every transaction: the customer, a gateway payment, its order, other payments of
 * the order, the customer's wallet (docs/architecture.md, "Locks").
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerReference } from '../wallet/reference-rules.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Paise } from '../../lib/money.ts';
import { newToken } from '../../security/tokens.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { OUTDATED, retryOutdated } from '../../contract/retry.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { links } from '../../shared/links.ts';
import { callerKey, type CustomerOrGuest, type SignedInCustomer } from '../sessions/authentication.server.ts';
import { orderError } from '../orders/contract.ts';
import { isCancelledStage } from '../orders/rules.ts';
import { creditOverpayment } from './overpayment-service.server.ts';
import { paymentError, type payWithWallet, type startPayment, type StartedPayment } from './contract.ts';
import { GatewayError, type Gateway, type GatewayEvent, type GatewayStatus } from './provider.server.ts';
import {
  abandonedTimes,
  calculateWalletPart,
  checkTimes,
  GATEWAY_INTERVAL_SECONDS,
  duePaise,
  hasUsablePage,
  pageExpiresAt,
  paidPaise,
  unpaidPaise,
  upiLink,
  type UpiPayee,
} from './rules.ts';
import {
  acquireCheck,
  acquirePageOpening,
  deleteEvents,
  findGatewayPayment,
  insertEvent,
  listOpenPayments,
  findGatewayPage,
  setGatewayPage,
} from './gateway-store.server.ts';
import {
  failAbandoned,
  insertWalletPayment,
  settlePayment,
  findOrInsertPending,
  readPayableOrder,
  readWalletPayment,
  type PayableRead,
  type PendingPayment,
} from './store.server.ts';

/** Returns 132 random bits in characters that are safe in a URL. */
export const newTid = (): string => newToken().slice(0, 22);

/**
 * Pays half of an order from the wallet, once: a repeated call returns 'already-paid'.
 * `walletpayment` is the amount that the customer saw. Returns 'wallet-payment-failed' if it is not
 * the computed one. Earlier wallet payments, balance, unpaid amount and stage can change after the
 * read, so that the constraints of the database check them again.
 */
export async function payFromWallet(
  db: Db,
  customer: SignedInCustomer,
  { orderid, walletpayment: requestedPaise }: { orderid: string; walletpayment: Paise },
  { now, supportEmail }: { now: Date; supportEmail: string },
): Promise<Outcome<{ paidPaise: Paise }, keyof typeof payWithWallet.errors>> {
  const { order, balancePaise, paid } = await readWalletPayment(db, customer, orderid);
  if (!order) return { error: orderError('order-not-found', { orderid }) };
  const part = calculateWalletPart(order, paid);
  if ('walletPaidPaise' in part) return { error: paymentError('already-paid') };
  if ('error' in part) return part;
  const { partPaise } = part;
  if (requestedPaise !== partPaise) return { error: paymentError('wallet-payment-failed', { email: supportEmail }) };
  if (balancePaise < partPaise) return { error: paymentError('insufficient-balance') };
  const debit = {
    entryId: newId(),
    customerId: customer.id,
    kind: 'paid',
    walletPaise: -partPaise,
    reason: 'Paid from the wallet',
    reference: ledgerReference('wallet-payment', { order: orderid }),
    orderId: orderid,
    at: now,
  } as const;
  const row = { tid: newTid(), paymentReference: newId(), amountPaise: partPaise, duePaise: part.duePaise };
  const result = await insertWalletPayment(db, debit, row);
  if (result === 'paid') return { data: { paidPaise: partPaise } };
  // The stage changed after the read: the order was delivered or cancelled.
  const current = result === 'wrong-stage' && (await readPayableOrder(db, customer, orderid)).order;
  return { error: current && isCancelledStage(current.stage) ? orderError('order-cancelled') : WALLET_PAYMENT_ERRORS[result] };
}

const WALLET_PAYMENT_ERRORS = {
  'already-paid': paymentError('already-paid'),
  'insufficient-balance': paymentError('insufficient-balance'),
  'nothing-open': paymentError('nothing-to-pay'),
  'wrong-stage': paymentError('order-delivered'),
} as const;

export interface PaymentServiceDependencies {
  db: Db;
  /** UPI is not offered if undefined. */
  payee: UpiPayee | undefined;
  /** Online payments are not offered if undefined. */
  gateway: Gateway | undefined;
  /** Logs an error; `operation` describes the failed operation. */
  onFailure(error: unknown, operation: string): void;
}

type StartOutcome<Data> = Outcome<Data, keyof typeof startPayment.errors>;

interface PaymentRequest {
  orderid: string;
  method: 'upi' | 'gateway';
  /** The amount that the customer saw. */
  amount: Paise;
}

/** A customer needs one start for each order, and a few more after failures of the gateway. */
const MAX_STARTS_PER_MINUTE = 30;

/**
 * Begins an online payment of the unpaid amount. A repeated request for the same amount returns the
 * same payment and, while its page accepts payments, the same page. Throws `ApiError`: rate-limited
 * for a caller that begins too many, or while another request waits for the gateway; unavailable if
 * concurrent requests settle the payment again and again.
 */
export async function beginPayment(
  dependencies: PaymentServiceDependencies,
  caller: CustomerOrGuest,
  request: PaymentRequest,
  now: Date,
): Promise<StartOutcome<StartedPayment>> {
  if (request.method === 'gateway') {
    const limit = { name: 'gateway payments of a customer', max: MAX_STARTS_PER_MINUTE, windowSeconds: 60 };
    const use = await consumeLimit(dependencies.db, { ...limit, subject: callerKey(caller), now });
    if (!use.allowed) throw new ApiError('rate-limited', protocolError('too-many-requests'), use.retryAfterSeconds);
  }
  // Each attempt begins another payment.
  return retryOutdated(() => tryToBegin(dependencies, caller, request, now));
}

/** Returns `OUTDATED` if the payment was settled or its page expired meanwhile. */
async function tryToBegin(
  dependencies: PaymentServiceDependencies,
  caller: CustomerOrGuest,
  request: PaymentRequest,
  now: Date,
): Promise<StartOutcome<StartedPayment> | typeof OUTDATED> {
  const { db } = dependencies;
  const { data: due, error } = checkAmounts(await readPayableOrder(db, caller, request.orderid), request);
  if (error) return { error };
  const recipient = recipientOf(request.method, dependencies);
  if (!recipient) return { error: paymentError('method-not-offered') };
  const gatewayName = recipient.kind === 'gateway' ? recipient.gateway.name : null;
  const payment = await transaction(db, (tx) => findOrInsertPending(tx, newPayment(request, gatewayName, due, now)));
  if (!payment) return OUTDATED;
  const started = (url: string) => ({ data: { tid: payment.tid, amount: request.amount, url } });
  if (recipient.kind === 'upi') return started(upiLink(recipient.payee, toPay(payment)));
  const page = await findOrOpenPage(dependencies, recipient.gateway, payment, now);
  if (page === OUTDATED) return page;
  return page.error ? { error: page.error } : started(page.data);
}

type Recipient = { kind: 'upi'; payee: UpiPayee } | { kind: 'gateway'; gateway: Gateway };

/** Returns undefined if the method is not offered. */
function recipientOf(
  method: PaymentRequest['method'],
  { payee, gateway }: Pick<PaymentServiceDependencies, 'payee' | 'gateway'>,
): Recipient | undefined {
  if (method === 'upi') return payee && { kind: 'upi', payee };
  return gateway && { kind: 'gateway', gateway };
}

/** Returns the amount due, or an error if the requested amount is not the unpaid amount. */
function checkAmounts({ order, paid }: PayableRead, { orderid, amount }: PaymentRequest): StartOutcome<Paise> {
  if (!order) return { error: orderError('order-not-found', { orderid }) };
  if (isCancelledStage(order.stage)) return { error: orderError('order-cancelled') };
  const due = duePaise(order);
  if (due === null) return { error: paymentError('not-payable-yet') };
  const unpaid = unpaidPaise(order, paidPaise(paid));
  if (unpaid === 0) return { error: paymentError('nothing-to-pay') };
  if (amount !== unpaid) return { error: paymentError('rest-changed') };
  return { data: due };
}

const newPayment = ({ orderid, method, amount }: PaymentRequest, gateway: Gateway['name'] | null, due: Paise, now: Date) => ({
  tid: newTid(),
  order_id: orderid,
  method,
  gateway,
  state: 'pending' as const,
  amount_paise: amount,
  due_paise: due,
  reference: newId(),
  created_at: now,
});

const toPay = ({ reference, order_id, amount_paise }: PendingPayment) => ({
  reference,
  orderid: order_id,
  amountPaise: amount_paise,
});

/**
 * Returns the payment's page at the gateway, `OUTDATED` if the payment is no longer pending, or an
 * error if the gateway fails. May settle the payment, or fail one whose page expires. Throws
 * `ApiError` (rate-limited) if another request called the gateway for it within
 * `GATEWAY_INTERVAL_SECONDS` and its result is needed.
 */
async function findOrOpenPage(
  dependencies: PaymentServiceDependencies,
  gateway: Gateway,
  payment: PendingPayment,
  now: Date,
): Promise<StartOutcome<string> | typeof OUTDATED> {
  const { db, onFailure } = dependencies;
  const { tid, gateway_url, created_at } = payment;
  const isUsable = hasUsablePage(created_at, now);
  try {
    if (gateway_url) {
      // The existing page may have failed since the last check. A new payment then begins.
      const isChecked = await checkPayment(dependencies, tid, now);
      // A page is never replaced before this request has checked it.
      if (!isChecked && !isUsable) return await waitForOther(db, tid, { isUsable });
    } else if (!(await acquirePageOpening(db, tid, addSeconds(now, -GATEWAY_INTERVAL_SECONDS), now))) {
      return await waitForOther(db, tid, { isUsable });
    }
    // The page has expired or expires soon. The check above has settled any payment on it.
    if (!isUsable) await transaction(db, (tx) => settlePayment(tx, tid, 'failed', null, now));
    if ((await findGatewayPage(db, tid))?.state !== 'pending') return OUTDATED;
    return { data: gateway_url ?? (await openPage(db, gateway, payment)) };
  } catch (error) {
    // Other errors, for example a lost database connection, become a 503.
    if (!(error instanceof GatewayError)) throw error;
    onFailure(error, 'opening a payment page');
    return { error: paymentError('gateway-failed') };
  }
}

const WAIT_FOR_OTHER_MS = 1500;
const WAIT_STEP_MS = 100;

/**
 * Waits until another request has opened the page of a payment or settled it. Returns `OUTDATED` if
 * it was settled. Throws `ApiError` (rate-limited) after `WAIT_FOR_OTHER_MS`.
 */
async function waitForOther(db: Db, tid: string, { isUsable }: { isUsable: boolean }): Promise<{ data: string } | typeof OUTDATED> {
  for (let waitedMs = 0; waitedMs <= WAIT_FOR_OTHER_MS; waitedMs += WAIT_STEP_MS) {
    const page = await findGatewayPage(db, tid);
    if (page?.state !== 'pending') return OUTDATED;
    if (page.gateway_url && isUsable) return { data: page.gateway_url };
    await sleep(WAIT_STEP_MS);
  }
  throw new ApiError('rate-limited', protocolError('too-many-requests'), GATEWAY_INTERVAL_SECONDS);
}

/** Opens a page at the gateway, stores it, and returns its URL. Throws `GatewayError`. */
async function openPage(db: Db, gateway: Gateway, payment: PendingPayment): Promise<string> {
  const { tid, created_at } = payment;
  const requested = toPay(payment);
  const returnPath = links.paymentResult(tid, requested.amountPaise);
  const { id, url } = await gateway.open({ ...requested, endsAt: pageExpiresAt(created_at), returnPath });
  await setGatewayPage(db, tid, id, url);
  return url;
}

/** The payment as it was sent to a gateway. */
interface RequestedPayment {
  gateway: Gateway['name'];
  tid: string;
  amountPaise: number;
}

/** Every other result than 'applied' leaves the payment in its state. */
type SettleResult =
  /** Also if there was nothing to change: no such payment, or the table of states forbids it. */
  | 'applied'
  /** The gateway reports another amount than was requested. */
  | 'wrong-amount'
  /** Money was received for a payment that the program does not know. */
  | 'unknown-payment'
  /** The same event, or the wrong amount of the same transaction, was recorded before. */
  | 'recorded-before';

/**
 * Applies the status that a gateway reports, as far as the table of payment states allows, and
 * credits an overpayment to the wallet. Webhook, redirect and reconciliation use this function; no
 * other code accepts a gateway's status.
 */
async function settle(tx: Tx, { gateway, tid, amountPaise }: RequestedPayment, status: GatewayStatus, now: Date): Promise<SettleResult> {
  if (status.state === 'pending') return 'applied';
  if (status.state === 'failed') {
    await settlePayment(tx, tid, 'failed', null, now);
    return 'applied';
  }
  if (status.amountPaise !== amountPaise) {
    const event = { gateway, event_id: `amount:${status.transactionId}`.slice(0, 100), event: 'another amount', tid };
    return (await insertEvent(tx, event, now)) ? 'wrong-amount' : 'recorded-before';
  }
  const received = await settlePayment(tx, tid, 'received', status.transactionId, now);
  if (received) await creditOverpayment(tx, { orderid: received.order_id, ...received }, now);
  return 'applied';
}

/** Returns an error without amounts and ids: the row in payment_events identifies the payment. */
const wrongAmountError = (): Error =>
  new Error("A gateway reports another amount than was requested, see 'another amount' in payment_events");

const unknownPaymentError = (): Error =>
  new Error("A gateway reports that an unknown payment was received, see 'unknown payment' in payment_events");

/**
 * Settles the payment of a webhook event once for each event. Events may arrive in any order.
 * Stores the event of an unknown payment and changes nothing. Passes another amount than was
 * requested, and money received for an unknown payment, to `onFailure`.
 */
export async function handleGatewayEvent(
  { db, onFailure }: PaymentServiceDependencies,
  gateway: Gateway['name'],
  gatewayEvent: GatewayEvent,
  now: Date,
): Promise<void> {
  const { eventId, event, reference, status } = gatewayEvent;
  const result = await transaction(db, async (tx): Promise<SettleResult> => {
    const payment = await findGatewayPayment(tx, gateway, reference);
    const isUnknownMoney = !payment && status.state === 'received';
    const name = isUnknownMoney ? 'unknown payment' : event.slice(0, 100);
    const isNew = await insertEvent(tx, { gateway, event_id: eventId, event: name, tid: payment?.tid ?? null }, now);
    if (!isNew) return 'recorded-before';
    if (!payment) return isUnknownMoney ? 'unknown-payment' : 'applied';
    return settle(tx, { gateway, tid: payment.tid, amountPaise: payment.amount_paise }, status, now);
  });
  if (result === 'wrong-amount') onFailure(wrongAmountError(), 'settling a payment');
  if (result === 'unknown-payment') onFailure(unknownPaymentError(), 'settling a payment');
}

/**
 * Fetches the status of an open payment from its gateway and settles it. Returns false and does
 * nothing if the payment is not open, or was checked within `GATEWAY_INTERVAL_SECONDS`. The
 * redirect from the gateway also uses this, because its URL is not trusted. Throws `GatewayError`.
 */
export async function checkPayment(
  { db, gateway, onFailure }: PaymentServiceDependencies,
  tid: string,
  now: Date,
  { signal }: { signal?: AbortSignal } = {},
): Promise<boolean> {
  if (!gateway) return false;
  const acquired = await acquireCheck(db, { tid, gateway: gateway.name, ...checkTimes(now) }, now);
  if (!acquired?.gateway_id) return false;
  const status = await gateway.fetchStatus(acquired.gateway_id, signal);
  const requested = { gateway: gateway.name, tid, amountPaise: acquired.amount_paise };
  const result = await transaction(db, (tx) => settle(tx, requested, status, now));
  if (result === 'wrong-amount') onFailure(wrongAmountError(), 'settling a payment');
  return true;
}

const MAX_CHECKS_PER_RUN = 200;
const EVENT_RETENTION_SECONDS = 90 * DAY_SECONDS;

/**
 * Checks up to `MAX_CHECKS_PER_RUN` payments that are open at the gateway, marks abandoned ones as
 * failed and deletes old events. Passes errors of the gateway to `onFailure`. `signal` aborts a
 * run, which lasts as long as all timeouts of an unresponsive gateway.
 */
export async function reconcile(dependencies: PaymentServiceDependencies, now: Date, signal: AbortSignal): Promise<void> {
  const { db, gateway, onFailure } = dependencies;
  const open = gateway ? await listOpenPayments(db, gateway.name, checkTimes(now).failedSince, MAX_CHECKS_PER_RUN) : [];
  for (const { tid } of open) {
    await checkPayment(dependencies, tid, now, { signal }).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error, 'checking a payment');
    });
    if (signal.aborted) return;
  }
  await failAbandoned(db, { activeGateway: gateway?.name ?? null, ...abandonedTimes(now) }, now);
  await deleteEvents(db, addSeconds(now, -EVENT_RETENTION_SECONDS));
}
