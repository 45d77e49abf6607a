/**
 * Customers who order and pay through nginx, and count what they did. Each has an own network
 * address, as nginx limits the requests of an address.
 */
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { parseJson } from '../../src/lib/parse-json.ts';
import type { Db } from '../../src/db/database.server.ts';
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { sendWithRetries } from '../../src/domains/orders/pages/placing/send-with-retries.ts';
import { ConnectionLost } from '../../src/contract/call-failures.ts';
import type { OrderRequest } from '../../src/domains/orders/contract.ts';
import { payWithWallet, walletPayment } from '../../src/domains/payments/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { callerFrom, type Caller } from '../../test/support/caller.ts';
import { home, washInManesar } from '../../test/support/ordering.ts';
import { insertSession, randomMobile } from '../../test/support/seed-customers.ts';
import { SERVER_NAME } from '../nginx-configuration.ts';

export const CREDIT_PAISE = asPaise(100_000_000);
const REQUEST_TIMEOUT_MS = 30_000;
const PAYMENT_TIMEOUT_MS = 60_000;
/** A person who reads 'please try again in a moment'. */
const AGAIN_MS = 1000;
const PAUSE_MS = 150;
/** Every third order and payment is sent twice at once: a double tap, or a second tab. */
const RACE_EVERY = 3;

/** The counts of a phase. */
export class Counts {
  sent = 0;
  acknowledged = 0;
  paymentsSent = 0;
  paymentsAcknowledged = 0;
  raced = 0;
  /** Responses 503 with Retry-After. */
  busy = 0;
  /** Every other response that is not a success, with its number. */
  readonly failures = new Map<string, number>();
  longestMs = 0;

  fail(what: string) {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }
}

interface PayableOrder {
  orderid: string;
  halfPaise: number;
}

export class Customer {
  readonly userid: string;
  /** The orders that were acknowledged, one for each key. */
  readonly placed: string[] = [];
  /** The orders that the operator has not weighed yet. */
  readonly unweighed: string[] = [];
  /** Weighed orders that the wallet can pay for. */
  readonly payable: PayableOrder[] = [];
  paidPaise = 0;
  counts = new Counts();
  readonly #caller: Caller;
  /** The same person before the log-in. */
  readonly #visitor: Caller;
  readonly #order: OrderRequest;
  #rounds = 0;

  private constructor(userid: string, caller: Caller, visitor: Caller, order: OrderRequest) {
    this.userid = userid;
    this.#caller = caller;
    this.#visitor = visitor;
    this.#order = order;
  }

  /** Creates a customer with an address, a session and money. */
  static async create(db: Db, number: number, server: { port: number; certificate: Buffer }): Promise<Customer> {
    const userid = newId();
    const now = systemClock.now();
    const row = { id: userid, mobile: randomMobile(), name: 'Rehearsal', password_hash: 'no password fits this', created_at: now };
    await db.insertInto('customers').values(row).execute();
    await creditWallet(db, {
      customerId: userid,
      kind: 'promotion',
      amountPaise: CREDIT_PAISE,
      reason: 'Rehearsal',
      reference: `rehearsal:${userid}`,
      at: now,
    });
    const cookies = new Map([['__Host-session', await insertSession({ db, clock: systemClock }, userid, 'customer')]]);
    const onResponse = { called: (_path: string, _status: number, _retryAfter: string | undefined) => {} };
    const callerWith = (jar: Map<string, string>) =>
      nginxCaller(`127.1.0.${number + 1}`, server, jar, (...response) => onResponse.called(...response));
    const caller = callerWith(cookies);
    const { data } = await caller.send(addAddress, { ...home, userid });
    const customer = new Customer(userid, caller, callerWith(new Map()), { ...washInManesar, userid, addressid: data?.addressid });
    onResponse.called = (path, status, retryAfter) => {
      if (status === 503 && retryAfter !== undefined) customer.counts.busy += 1;
      else if (status !== 200) customer.counts.fail(`${path}: ${status === 0 ? 'no response' : status}`);
    };
    return customer;
  }

  /** Places orders, and pays for those that can be paid, until the signal aborts. */
  async work(stopping: AbortSignal) {
    while (!stopping.aborted) {
      // Without a session, reads come from the replica. A failed response is counted.
      await this.#visitor.send(programsAndReviews, {}).catch(() => {});
      const copies = (this.#rounds += 1) % RACE_EVERY === 0 ? 2 : 1;
      if (copies > 1) this.counts.raced += 1;
      await this.#timed(() => this.#place(copies));
      const order = this.payable.pop();
      if (order) await this.#timed(() => this.#pay(order, copies));
      await sleep(PAUSE_MS);
    }
  }

  async #timed(action: () => Promise<void>) {
    const startedAt = performance.now();
    await action();
    this.counts.longestMs = Math.max(this.counts.longestMs, performance.now() - startedAt);
  }

  /** Sends an order as the site does, in copies with one key. */
  async #place(copies: number) {
    const key = newId();
    this.counts.sent += 1;
    const attempts = Array.from({ length: copies }, () => sendWithRetries(this.#caller.send, this.#order, key));
    const ids = new Set<string>();
    for (const attempt of await Promise.allSettled(attempts)) {
      if (attempt.status === 'rejected') this.counts.fail(`an order was given up: ${String(attempt.reason)}`);
      else if (attempt.value.response === 'success') ids.add(attempt.value.data.orderid);
      else this.counts.fail(`an order was refused: ${attempt.value.code}`);
    }
    const [orderid] = ids;
    if (ids.size > 1) this.counts.fail('one key placed several orders');
    if (orderid === undefined) return;
    this.counts.acknowledged += 1;
    this.placed.push(orderid);
    this.unweighed.push(orderid);
  }

  /** Pays as the page does, which reads the payment after an unknown result. */
  async #pay({ orderid, halfPaise }: PayableOrder, copies: number) {
    const { userid, counts } = this;
    counts.paymentsSent += 1;
    const body = { userid, orderid, walletpayment: asPaise(halfPaise) };
    const isPaid = async () => {
      const attempts = Array.from({ length: copies }, () => this.#caller.send(payWithWallet, body));
      for (const attempt of await Promise.allSettled(attempts)) {
        if (attempt.status === 'rejected') continue;
        if (attempt.value.response === 'success' || attempt.value.code === 'already-paid') return true;
        counts.fail(`a payment was refused: ${attempt.value.code}`);
      }
      const seen = await this.#caller.send(walletPayment, { userid, orderid }).catch(() => undefined);
      return seen?.response === 'success' && seen.data.some((payment) => payment.already_paid);
    };
    const deadline = performance.now() + PAYMENT_TIMEOUT_MS;
    while (!(await isPaid())) {
      if (performance.now() > deadline) return counts.fail('a payment was given up');
      await sleep(AGAIN_MS);
    }
    counts.paymentsAcknowledged += 1;
    this.paidPaise += halfPaise;
  }
}

/**
 * A caller with a network address of this machine. `onResponse` receives status 0 for a lost
 * response.
 */
function nginxCaller(
  localAddress: string,
  { port, certificate }: { port: number; certificate: Buffer },
  cookies: Map<string, string>,
  onResponse: (path: string, status: number, retryAfter: string | undefined) => void,
): Caller {
  const agent = new https.Agent({ keepAlive: true, localAddress, ca: certificate, servername: SERVER_NAME });
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const origin = { host: SERVER_NAME, origin: `https://${SERVER_NAME}`, 'sec-fetch-site': 'same-origin' };

  const request: Caller['request'] = (method, path, payload, headers = {}) =>
    new Promise<LightMyRequestResponse>((resolve, reject) => {
      const lost = (error: Error) => {
        onResponse(path, 0, undefined);
        reject(new ConnectionLost('Failed to fetch', { cause: error }));
      };
      const options = { host: '127.0.0.1', port, path: `/${path}`, method, agent, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
      const sent = https.request(
        { ...options, headers: { ...origin, cookie, 'content-type': 'application/json', ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', lost);
          response.on('end', () => {
            const body = Buffer.concat(chunks).toString();
            const statusCode = response.statusCode ?? 0;
            onResponse(path, statusCode, response.headers['retry-after']);
            resolve({ statusCode, body, headers: response.headers, json: () => parseJson(body) } as unknown as LightMyRequestResponse);
          });
        },
      );
      sent.on('error', lost).end(payload);
    });
  return callerFrom(request, cookies);
}
