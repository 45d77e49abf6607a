/** The payment calls, the gateway's webhook and the page of the sandbox. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { addSeconds, type Clock } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, formatAmount, type Paise } from '../../lib/money.ts';
import { english } from '../../i18n/language.tsx';
import { defineErrors } from '../../contract/errors.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { languageOf } from '../../i18n/preferred-language.server.ts';
import type { Brand } from '../../shared/brand.ts';
import type { Db } from '../../db/database.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { orderError } from '../orders/contract.ts';
import { calculateAmounts, isCancelledStage } from '../orders/rules.ts';
import {
  getOrderPayments,
  getPaymentDetails,
  paymentError,
  paymentMessages as messages,
  payWithWallet,
  reportPaid,
  startPayment,
  walletPayment,
  type OrderPayments,
  type PaymentDetails,
  type PaymentMethod,
} from './contract.ts';
import { SANDBOX_DELAY_SECONDS, sandboxPage, sandboxPolicy } from './pages/sandbox-page.server.ts';
import { decideSandboxPayment, findSandboxPayment, SANDBOX_PATH } from './providers/sandbox.server.ts';
import { overpaidPaise, duePaise, owedPaise, restPaise, calculateWalletPart } from './rules.ts';
import { checkPayment, beginPayment, payFromWallet, handleGatewayEvent, type PaymentServiceDependencies } from './service.server.ts';
import { findOrderAccount, findReceived, newestOnline, readPayableOrder, readWalletPayment } from './store.server.ts';
import { reportUpiPayment } from './upi-service.server.ts';
import { findBegunUpi, findDismissedUpi } from './upi-store.server.ts';

export interface PaymentDependencies extends PaymentServiceDependencies {
  clock: Clock;
  authentication: Authentication;
  /** Its e-mail address is in the message of a failed payment, its name on the sandbox page. */
  brand: Brand;
  /** Runs work that may continue after the response. */
  runInBackground(name: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void>;
}

const CHECK_TIMEOUT_MS = 1500;

export function paymentRoutes(registerRoute: RegisterRoute, dependencies: PaymentDependencies) {
  const { db, clock, authentication, brand, payee, gateway, runInBackground } = dependencies;

  /** Checks a payment and waits at most `CHECK_TIMEOUT_MS`; the check then continues. */
  const checkBriefly = async (tid: string) => {
    const check = runInBackground('checking a payment', (signal) => checkPayment(dependencies, tid, clock.now(), { signal }));
    await Promise.race([check, sleep(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
  };

  registerRoute(walletPayment, async (request) => {
    const { userid, orderid } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    const { order, balancePaise, received } = await readWalletPayment(db, customer, orderid);
    if (!order) return fail(orderError('order-not-found', { orderid }));
    const part = calculateWalletPart(order, received);
    if ('error' in part) return fail(part.error);
    const amounts = calculateAmounts(order);
    invariant(amounts && order.weightGrams !== null, 'an order that can be paid has been weighed');
    const isPaid = 'paidPaise' in part;
    const rest = restPaise(amounts.final, received);
    const details = {
      program_name: order.programName,
      order_rate: order.orderRatePaise,
      offer_rate: order.offerPercent,
      total_amount: amounts.final,
      total_weight: order.weightGrams,
      wallet: balancePaise,
      walletpayment: isPaid ? part.paidPaise : part.partPaise,
      left: isPaid ? rest : asPaise(rest - part.partPaise),
      already_paid: isPaid,
    };
    return succeed(isPaid ? messages.alreadyPaid : messages.payable, [details]);
  });

  registerRoute(payWithWallet, async (request) => {
    const { userid, orderid } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    const context = { now: clock.now(), supportEmail: brand.email };
    const result = await payFromWallet(db, customer, request.body, context);
    return 'error' in result
      ? fail(result.error)
      : succeed(english.t(messages.paid, { amount: formatAmount(result.paidPaise), orderid }), null);
  });

  registerRoute(getPaymentDetails, async (request) => {
    const { tid } = request.body;
    const received = await readPaymentDetails(db, tid);
    if (received) return succeed(messages.received, [received]);
    // The gateway redirects to a page that makes this call. It repeats the call if this check is
    // too slow.
    await checkBriefly(tid);
    const settled = await readPaymentDetails(db, tid);
    return settled ? succeed(messages.received, [settled]) : fail(paymentError('payment-pending'));
  });

  registerRoute(getOrderPayments, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const readPayable = () => (caller.kind === 'customer' ? readWalletPayment(db, caller, orderid) : readPayableOrder(db, caller, orderid));
    const read = async () => ({ balancePaise: asPaise(0), ...(await readPayable()), online: await newestOnline(db, orderid) });
    let payments = await read();
    const { order } = payments;
    if (!order) return fail(orderError('order-not-found', { orderid }));
    if (payments.online?.state === 'pending') {
      await checkBriefly(payments.online.tid);
      payments = await read();
    }
    const due = duePaise(order);
    const rest = due === null ? null : restPaise(due, payments.received);
    const walletPart = calculateWalletPart(order, payments.received);
    return succeed(messages.orderPayments, {
      rest,
      paid: payments.received.map((row) => ({ method: row.method, amount: row.amountPaise, paid_on: kolkataDateTime(row.receivedAt) })),
      returned: due === null ? asPaise(0) : overpaidPaise(due, payments.received),
      ways: rest ? [...(gateway ? (['gateway'] as const) : []), ...(payee ? (['upi'] as const) : [])] : [],
      wallet:
        'partPaise' in walletPart && payments.balancePaise > 0
          ? {
              balance: payments.balancePaise,
              pays: walletPart.partPaise,
              covered: payments.balancePaise >= walletPart.partPaise,
            }
          : null,
      online: rest ? toUnfinishedPayment(payments.online) : null,
      upi: toBegunUpi(await findBegunUpi(db, orderid), rest),
      dismissed_upi: toDismissedUpi(await findDismissedUpi(db, orderid)),
    });
  });

  registerRoute(startPayment, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const result = await beginPayment(dependencies, caller, request.body, clock.now());
    return 'error' in result ? fail(result.error) : succeed(messages.started, result.started);
  });

  registerRoute(reportPaid, async (request) => {
    const { userid, ...payment } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const isOwn = await reportUpiPayment(db, caller, payment, clock.now());
    return isOwn ? succeed(messages.reported, null) : fail(orderError('order-not-found', { orderid: payment.orderid }));
  });
}

/** Returns the online payment if it is pending or failed, otherwise null. */
function toUnfinishedPayment(online: Awaited<ReturnType<typeof newestOnline>>): OrderPayments['online'] {
  if (online?.state !== 'pending' && online?.state !== 'failed') return null;
  return { tid: online.tid, state: online.state, amount: asPaise(online.amount_paise), begun_on: kolkataDateTime(online.created_at) };
}

/** A code that was only opened matters while an amount is left. */
const toBegunUpi = (begun: Awaited<ReturnType<typeof findBegunUpi>>, rest: Paise | null): OrderPayments['upi'] =>
  begun && (rest || begun.reported_at)
    ? {
        tid: begun.tid,
        amount: asPaise(begun.amount_paise),
        begun_on: kolkataDateTime(begun.created_at),
        reported_at: begun.reported_at && kolkataDateTime(begun.reported_at),
      }
    : null;

const toDismissedUpi = (row: Awaited<ReturnType<typeof findDismissedUpi>>): OrderPayments['dismissed_upi'] =>
  row?.reported_at && row.settled_at
    ? {
        tid: row.tid,
        amount: asPaise(row.amount_paise),
        reported_at: kolkataDateTime(row.reported_at),
        dismissed_at: kolkataDateTime(row.settled_at),
        reason: row.note ?? '',
      }
    : null;

/** Returns undefined if the payment is unknown, not received or reversed. */
async function readPaymentDetails(db: Db, tid: string): Promise<PaymentDetails | undefined> {
  const row = await findReceived(db, tid);
  const account = row && (await findOrderAccount(db, row.order_id));
  if (!account) return undefined;
  const amounts = calculateAmounts(account);
  const counted = account.recorded
    .filter(({ reversed_at: reversedAt }) => reversedAt === null)
    .map(({ method, amount_paise: paise }) => ({ method: method as PaymentMethod, amountPaise: asPaise(paise) }));
  invariant(amounts && row.settled_at && row.transaction_id, 'a received payment has a weighed order, a time and a transaction');
  return {
    total_amount: amounts.final,
    name: row.ship_name,
    orderid: row.order_id,
    total_items: row.items,
    total_weight: row.weight_grams,
    pg_date: kolkataDateTime(row.settled_at),
    pg_transactionid: row.transaction_id,
    pg_amount: asPaise(row.amount_paise),
    is_cancelled: isCancelledStage(account.stage),
    is_paid_in_cash: counted.some(({ method }) => method === 'cash'),
    returned: overpaidPaise(owedPaise(account) ?? amounts.final, counted),
    is_held: account.isHeld,
  };
}

/** Routes outside the call contracts: the gateway's webhook, and the page of the sandbox. */
export function gatewayRoutes(app: FastifyInstance, dependencies: PaymentDependencies) {
  if (dependencies.gateway?.readEvent) app.register(async (scope) => webhook(scope, dependencies));
  if (dependencies.gateway?.name === 'sandbox') app.register(async (scope) => sandboxRoutes(scope, dependencies));
}

const MAX_EVENT_BYTES = 64 * 1024;

const webhookError = defineErrors({ 'wrong-signature': 'The signature is wrong' });

function webhook(app: FastifyInstance, dependencies: PaymentDependencies) {
  const { clock, gateway } = dependencies;
  app.removeAllContentTypeParsers();
  // The signature covers the exact bytes, so the body is not parsed here.
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Body: string }>(`/payments/webhook/${gateway?.name}`, async (request, reply) => {
    const event = gateway?.readEvent?.({ body: request.body, headers: request.headers });
    if (event === 'forged') return reply.code(401).send(fail(webhookError('wrong-signature')));
    // Also acknowledges irrelevant events: otherwise the gateway repeats them for a day.
    if (event) await handleGatewayEvent(dependencies, gateway?.name ?? '', event, clock.now());
    return { response: 'success', message: 'Taken', data: null };
  });
}

function sandboxRoutes(app: FastifyInstance, { db, clock, brand }: PaymentDependencies) {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) =>
    done(null),
  );
  const path = `${SANDBOX_PATH}/:id`;
  type SandboxRequest = { Params: { id: string; choice?: string } };

  app.get<SandboxRequest>(path, async ({ params, headers }, reply) => {
    const payment = await findSandboxPayment(db, params.id);
    if (!payment) return reply.code(404).type('text/plain; charset=utf-8').send('There is nothing to pay here');
    if (payment.outcome !== 'open') return reply.redirect(payment.return_path, 303);
    return reply
      .headers({ 'content-security-policy': sandboxPolicy, 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(
        sandboxPage({
          brand,
          language: languageOf(headers.cookie),
          path: `${SANDBOX_PATH}/${payment.id}`,
          amountPaise: payment.amount_paise,
        }),
      );
  });

  app.post<SandboxRequest>(`${path}/:choice`, async ({ params: { id, choice } }, reply) => {
    const payment = await findSandboxPayment(db, id);
    if (!payment) return reply.code(404).type('text/plain; charset=utf-8').send('There is nothing to pay here');
    const now = clock.now();
    if (choice === 'pay') await decideSandboxPayment(db, id, 'paid', now);
    if (choice === 'delay') await decideSandboxPayment(db, id, 'paid', addSeconds(now, SANDBOX_DELAY_SECONDS));
    if (choice === 'fail') await decideSandboxPayment(db, id, 'failed', null);
    return reply.redirect(payment.return_path, 303);
  });
}
