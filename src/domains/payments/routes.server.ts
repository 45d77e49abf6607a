/** The payment calls, the gateway's webhook and the page of the sandbox. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { concurrencyLimitByKey } from '../../security/concurrency-limit.server.ts';
import { addSeconds, type Clock } from '../../lib/clock.ts';
import { formatAmount } from '../../lib/money.ts';
import { english } from '../../i18n/language.tsx';
import { defineErrors } from '../../contract/errors.ts';
import { fail, respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { languageOfCookies } from '../../i18n/preferred-language.server.ts';
import type { Brand } from '../../shared/brand.ts';
import { callerKey, type Authentication } from '../sessions/authentication.server.ts';
import { orderError } from '../orders/contract.ts';
import {
  getOrderPayments,
  getPaymentDetails,
  paymentError,
  paymentMessages as messages,
  payWithWallet,
  reportPaid,
  startPayment,
  walletPayment,
} from './contract.ts';
import type { Gateway } from './provider.server.ts';
import { SANDBOX_DELAY_SECONDS, sandboxPage, sandboxPolicy } from './pages/sandbox-page.server.ts';
import { decideSandboxPayment, findSandboxPayment, SANDBOX_PATH } from './providers/sandbox.server.ts';
import { readOrderPayments, readPaymentDetails, readWalletDetails } from './queries-service.server.ts';
import { checkPayment, beginPayment, payFromWallet, handleGatewayEvent, type PaymentServiceDependencies } from './service.server.ts';
import { reportUpiPayment } from './upi-service.server.ts';

export interface PaymentDependencies extends PaymentServiceDependencies {
  clock: Clock;
  authentication: Authentication;
  /** Its e-mail address is in the message of a failed payment, its name on the sandbox page. */
  brand: Brand;
  /** Runs work that may continue after the response. */
  runInBackground(name: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void>;
}

const CHECK_TIMEOUT_MS = 1500;

/** Starts of one customer in this process. Each may wait for the gateway. */
const STARTS_OF_A_CUSTOMER = { concurrent: 4, queued: 16 };

export function paymentRoutes(registerRoute: RegisterRoute, dependencies: PaymentDependencies) {
  const { db, clock, authentication, brand, payee, gateway, runInBackground } = dependencies;

  const limitStarts = concurrencyLimitByKey(STARTS_OF_A_CUSTOMER);

  /** Checks a payment and waits at most `CHECK_TIMEOUT_MS`; the check then continues. */
  const checkBriefly = async (tid: string) => {
    const check = runInBackground('checking a payment', async (signal) => {
      await checkPayment(dependencies, tid, clock.now(), { signal });
    });
    await Promise.race([check, sleep(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
  };

  registerRoute(walletPayment, async (request) => {
    const { userid, orderid } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    const { data, error } = await readWalletDetails(db, customer, orderid);
    if (error) return fail(error);
    return succeed(data.already_paid ? messages.alreadyPaid : messages.payable, [data]);
  });

  registerRoute(payWithWallet, async (request) => {
    const { userid, orderid } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    const context = { now: clock.now(), supportEmail: brand.email };
    const { data, error } = await payFromWallet(db, customer, request.body, context);
    return error ? fail(error) : succeed(english.t(messages.paid, { amount: formatAmount(data.paidPaise), orderid }), null);
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
    const methods = [...(gateway ? (['gateway'] as const) : []), ...(payee ? (['upi'] as const) : [])];
    return respond(messages.orderPayments, await readOrderPayments(db, caller, orderid, { methods, checkBriefly }));
  });

  registerRoute(startPayment, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const started = await limitStarts(callerKey(caller), () => beginPayment(dependencies, caller, request.body, clock.now()));
    return respond(messages.started, started);
  });

  registerRoute(reportPaid, async (request) => {
    const { userid, ...payment } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const isOwn = await reportUpiPayment(db, caller, payment, clock.now());
    return isOwn ? succeed(messages.reported, null) : fail(orderError('order-not-found', { orderid: payment.orderid }));
  });
}

/** Routes outside the call contracts: the gateway's webhook, and the page of the sandbox. */
export function gatewayRoutes(app: FastifyInstance, dependencies: PaymentDependencies) {
  const { gateway } = dependencies;
  if (gateway?.readEvent) app.register(async (scope) => webhook(scope, dependencies, gateway));
  if (gateway?.name === 'sandbox') app.register(async (scope) => sandboxRoutes(scope, dependencies));
}

const MAX_EVENT_BYTES = 64 * 1024;

const webhookError = defineErrors({ 'wrong-signature': 'The signature is wrong' });

function webhook(app: FastifyInstance, dependencies: PaymentDependencies, gateway: Gateway) {
  app.removeAllContentTypeParsers();
  // The signature covers the exact bytes, so the body is not parsed here.
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Body: string }>(`/payments/webhook/${gateway.name}`, async (request, reply) => {
    const event = gateway.readEvent?.({ body: request.body, headers: request.headers });
    if (event === 'forged') return reply.code(401).send(fail(webhookError('wrong-signature')));
    // Also acknowledges irrelevant events: otherwise the gateway repeats them for a day.
    if (event) await handleGatewayEvent(dependencies, gateway.name, event, dependencies.clock.now());
    return { response: 'success', message: 'Event received', data: null };
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
          language: languageOfCookies(headers.cookie),
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
