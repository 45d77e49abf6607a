/** Razorpay over real HTTP: webhook, redirect and reconciliation (docs/security.md, M8). */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../contract/route.server.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { newToken } from '../../security/tokens.server.ts';
import { transaction } from '../../db/database.server.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { createRandom, newSeed } from '../../../test/support/random.ts';
import { eventOf, RAZORPAY_KEY, startRazorpay, type SignedEvent, type StandInLink } from '../../../test/support/razorpay-stand-in.ts';
import { size } from '../../../test/support/size.ts';
import { SERVICE_FAILURES, SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { getOrderPayments, getPaymentDetails, paymentError, paymentMessages as messages, reportPaid, startPayment } from './contract.ts';
import { razorpay } from './providers/razorpay.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { reconcile } from './service.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const WEBHOOK = 'payments/webhook/razorpay';
const service = await startRazorpay();
const program = useProgram(service.settings, { timeouts: SHORT_TIMEOUTS });
beforeEach(() => service.behave());

const REST = asPaise(28_614);

/** One payment calls the gateway once in this time, also after a failure. */
const INTERVAL_SECONDS = 2;
const byHand = (payment: Parameters<typeof recordManualPaymentOnce>[2]) =>
  transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, program.clock.now()));

async function debtor() {
  const person = await newOrderingCustomer(program);
  const { orderid } = await place(person);
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  return { ...person, orderid };
}
type Debtor = Awaited<ReturnType<typeof debtor>>;

const start = ({ caller, userid, orderid }: Debtor, amount = REST, method: 'gateway' | 'upi' = 'gateway') =>
  caller.send(startPayment, { userid, orderid, method, amount });
const payments = ({ orderid }: Debtor) =>
  program.db.selectFrom('payments').selectAll().where('order_id', '=', orderid).orderBy('created_at').execute();
const stateOf = async (who: Debtor) => (await payments(who)).map(({ state }) => state);
const result = (tid: string) => program.caller().send(getPaymentDetails, { tid });
const deliver = ({ body, headers }: SignedEvent) => program.caller().post(WEBHOOK, body, headers);

async function started(who: Debtor): Promise<{ tid: string; link: StandInLink }> {
  const { data } = await start(who);
  if (!data) throw new Error('the payment did not start');
  const [row] = await payments(who);
  return { tid: data.tid, link: service.linkOf(row?.reference ?? '') };
}

const QUIET = { payee: undefined, onFailure: () => {} };
const reconciled = (signal = new AbortController().signal) =>
  reconcile({ ...QUIET, db: program.db, gateway: gatewayOf() }, program.clock.now(), signal);
const gatewayOf = () =>
  razorpay({
    keyId: RAZORPAY_KEY.id,
    keySecret: RAZORPAY_KEY.secret,
    webhookSecret: RAZORPAY_KEY.webhook,
    url: service.url,
    publicUrl: 'http://laundry.example',
    timeoutMs: 2500,
  });

test('repeated requests start one payment of the exact unpaid amount', async () => {
  const who = await debtor();
  const responses = await Promise.all([start(who), start(who), start(who)]);
  const tids = new Set(responses.map(({ data }) => data?.tid));
  expect(tids.size).toBe(1);
  const again = await start(who);
  const [row] = await payments(who);
  const link = service.linkOf(row?.reference ?? '');
  expect(again).toEqual({ response: 'success', message: messages.started, data: { tid: row?.tid, amount: REST, url: link.short_url } });
  expect(link).toMatchObject({ amount: REST, expire_by: program.clock.now().getTime() / 1000 + DAY_SECONDS });
  expect(link).toMatchObject({ callback_url: `http://laundry.example/pay/${row?.tid}/286.14` });
  expect(await stateOf(who)).toEqual(['pending']);
  expect(service.links.filter(({ reference_id }) => reference_id === row?.reference)).toHaveLength(1);
});

test.each([REST - 1, REST + 1, 0, -REST, 14_307])('an amount other than the unpaid one (%i paise) starts no payment', async (paise) => {
  const who = await debtor();
  for (const method of ['gateway', 'upi'] as const) {
    expect(await start(who, asPaise(paise), method)).toEqual(fail(paymentError('rest-changed')));
  }
  expect(await payments(who)).toEqual([]);
});

describe('while Razorpay', () => {
  test.each(SERVICE_FAILURES)('$name: the payment fails to open, and the next try creates one link', async ({ reply }) => {
    const who = await debtor();
    service.behave([reply]);
    expect(await start(who)).toEqual(fail(paymentError('gateway-failed')));
    service.behave();
    program.clock.advance(INTERVAL_SECONDS);
    const { link } = await started(who);
    expect(service.links.filter(({ reference_id }) => reference_id === link.reference_id)).toHaveLength(1);
    expect(await stateOf(who)).toEqual(['pending']);
  });

  test.each(SERVICE_FAILURES)('$name after it has created the link: the next try finds that link', async ({ reply }) => {
    const who = await debtor();
    service.behave([reply], { working: true });
    expect((await start(who)).response).toBe('error');
    service.behave();
    program.clock.advance(INTERVAL_SECONDS);
    const { link } = await started(who);
    expect(service.links.filter(({ reference_id }) => reference_id === link.reference_id)).toHaveLength(1);
  });

  test.each(SERVICE_FAILURES)('$name during a check: the payment stays pending until a check succeeds', async ({ reply }) => {
    const who = await debtor();
    const { tid, link } = await started(who);
    service.pay(link);
    service.behave([reply]);
    expect(await result(tid)).toMatchObject({ response: 'error', message: 'Payment pending' });
    expect(await stateOf(who)).toEqual(['pending']);
    service.behave();
    program.clock.advance(6);
    expect(await result(tid)).toMatchObject({ response: 'success', data: [{ pg_amount: REST }] });
  });
});

test('after the redirect the gateway is checked, at most once in two seconds', async () => {
  const who = await debtor();
  const { tid, link } = await started(who);
  const checkCount = () => service.requests.filter(({ path }) => path.includes(link.id)).length;
  const before = checkCount();
  await Promise.all(Array.from({ length: 20 }, () => result(tid)));
  expect(checkCount() - before).toBe(1);
  service.pay(link);
  program.clock.advance(1);
  expect((await result(tid)).response).toBe('error');
  program.clock.advance(1);
  expect(await result(tid)).toMatchObject({
    message: 'Payment received',
    data: [{ pg_amount: REST, total_amount: REST, pg_transactionid: link.payments?.[0]?.payment_id }],
  });
  const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid });
  expect(data).toMatchObject({ rest: 0, ways: [], paid: [{ method: 'gateway', amount: REST }] });
});

test('repeated starts of a payment check its page at most once in two seconds', async () => {
  const who = await debtor();
  const { link } = await started(who);
  const checkCount = () => service.requests.filter(({ path }) => path.includes(link.id)).length;
  const before = checkCount();
  const responses = await Promise.all(Array.from({ length: 10 }, () => start(who)));
  expect(new Set(responses.map(({ data }) => data?.url))).toEqual(new Set([link.short_url]));
  expect(checkCount() - before).toBe(1);
  program.clock.advance(2);
  await start(who);
  expect(checkCount() - before).toBe(2);
});

test('a check of a clock that was ahead does not delay the next one after it was set back', async () => {
  const who = await debtor();
  const { tid, link } = await started(who);
  program.clock.advance(3600);
  await result(tid);
  program.clock.advance(-3600);
  service.pay(link);
  expect(await result(tid)).toMatchObject({ message: 'Payment received' });
});

test('reconciliation receives a paid link and fails an expired one', async () => {
  const [paid, lapsed] = [await debtor(), await debtor()];
  service.pay((await started(paid)).link);
  service.end((await started(lapsed)).link, 'expired');
  program.clock.advance(3600);
  await reconciled();
  expect(await stateOf(paid)).toEqual(['received']);
  expect(await stateOf(lapsed)).toEqual(['failed']);
  const { data } = await start(lapsed);
  expect(data?.amount).toBe(REST);
  expect(await stateOf(lapsed)).toEqual(['failed', 'pending']);
});

test('an aborted reconciliation ends at once and leaves the payments as they are', async () => {
  const people = [await debtor(), await debtor()];
  for (const who of people) await started(who);
  program.clock.advance(3600);
  service.behave(['hang']);
  const before = service.requests.length;
  const stopping = new AbortController();
  const reconciling = reconciled(stopping.signal);
  while (service.requests.length === before) await sleep(5);
  const aborted = performance.now();
  stopping.abort();
  await reconciling;
  // One timeout of the gateway alone takes 2.5 s.
  expect(performance.now() - aborted).toBeLessThan(1000);
  expect(service.requests.length - before).toBe(1);
  expect([await stateOf(people[0]!), await stateOf(people[1]!)]).toEqual([['pending'], ['pending']]);
});

test('a connection to the database that is lost while a payment begins is 503, and the next try returns the same payment', async () => {
  const who = await debtor();
  const client = new pg.Client(program.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`
    create function lose_connection() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid());
      return new;
    end $$;
    create trigger lost before update of gateway_url on payments for each row execute function lose_connection()`);
  const lost = start(who);
  await expect(lost).rejects.toMatchObject({ status: 503, message: 'We are busy right now, please try again in a moment' });
  await client.query('drop function lose_connection() cascade');
  // The pool may still hold the lost connection for a moment.
  while ((await program.caller().get('readyz')).statusCode !== 200) await sleep(5);
  program.clock.advance(INTERVAL_SECONDS);
  const { link } = await started(who);
  expect(service.links.filter(({ reference_id }) => reference_id === link.reference_id)).toHaveLength(1);
  expect(await stateOf(who)).toEqual(['pending']);
});

test('a page is reused while it leaves enough time to pay, and replaced after a check', async () => {
  const who = await debtor();
  const first = await started(who);
  program.clock.advance(DAY_SECONDS - 1800);
  expect((await start(who)).data?.url).toBe(first.link.short_url);
  // The check of the last start was within the two seconds between requests to the gateway.
  program.clock.advance(INTERVAL_SECONDS);
  const { data } = await start(who);
  expect(data?.tid).not.toBe(first.tid);
  expect(await stateOf(who)).toEqual(['failed', 'pending']);
  const [, second] = await payments(who);
  expect(service.linkOf(second?.reference ?? '')).toMatchObject({
    short_url: data?.url,
    expire_by: program.clock.now().getTime() / 1000 + DAY_SECONDS,
  });
  expect((await start(who)).data).toEqual(data);

  // Both pages were paid without an event: reconciliation receives both and credits the
  // overpayment.
  service.pay(first.link);
  service.pay(service.linkOf(second?.reference ?? ''));
  program.clock.advance(3600);
  await reconciled();
  expect(await stateOf(who)).toEqual(['received', 'received']);
  expect(await readBalance(program.db, who.userid)).toBe(REST);
});

test('a page with an unreported payment is not replaced', async () => {
  const who = await debtor();
  service.pay((await started(who)).link);
  program.clock.advance(DAY_SECONDS);
  // The first check fails. The next one waits two seconds, not five.
  service.behave([SERVICE_FAILURES[2]!.reply]);
  expect(await start(who)).toMatchObject(paymentError('gateway-failed'));
  service.behave();
  program.clock.advance(INTERVAL_SECONDS);
  expect(await start(who)).toEqual(fail(paymentError('nothing-to-pay')));
  expect(await stateOf(who)).toEqual(['received']);
});

test('no page is returned while the status of an old page is unknown', async () => {
  const who = await debtor();
  await started(who);
  program.clock.advance(DAY_SECONDS);
  service.behave([SERVICE_FAILURES[2]!.reply]);
  expect(await start(who)).toEqual(fail(paymentError('gateway-failed')));
  // Within the two seconds between requests, another start learns nothing and fails nothing.
  await expect(start(who)).rejects.toMatchObject(TOO_MANY);
  expect(await stateOf(who)).toEqual(['pending']);
  program.clock.advance(INTERVAL_SECONDS);
  expect(await start(who)).toEqual(fail(paymentError('gateway-failed')));
  expect(await stateOf(who)).toEqual(['pending']);
});

const TOO_MANY = { status: 429, message: 'Too many requests at once, please try again in a moment' };

test.each([
  ['whose page was never opened', 0, 2],
  ['whose page expires soon', DAY_SECONDS, 1],
])('twenty starts of a payment %s, while the gateway refuses all requests, call it once', async (_which, ageSeconds, requests) => {
  const who = await debtor();
  if (ageSeconds > 0) await started(who);
  program.clock.advance(ageSeconds);
  service.behave([{ status: 429, json: { error: { code: 'BAD_REQUEST_ERROR' } } }]);
  const before = service.requests.length;
  const starts = await Promise.allSettled(Array.from({ length: 20 }, () => start(who)));
  expect(starts.filter(({ status }) => status === 'fulfilled')).toMatchObject([{ value: fail(paymentError('gateway-failed')) }]);
  for (const { reason } of starts.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]) {
    expect(reason).toMatchObject(TOO_MANY);
  }
  // To open a page takes two requests if the first fails: the page may exist.
  expect(service.requests.length - before).toBe(requests);
  expect(await stateOf(who)).toEqual(['pending']);
});

test('concurrent starts replace a page that expires soon once', async () => {
  const who = await debtor();
  const first = await started(who);
  program.clock.advance(DAY_SECONDS);
  const before = service.requests.length;
  const starts = await Promise.all(Array.from({ length: 10 }, () => start(who)));
  const [, second] = await payments(who);
  expect(new Set(starts.map(({ data }) => data?.tid))).toEqual(new Set([second?.tid]));
  expect(second?.tid).not.toBe(first.tid);
  expect(await stateOf(who)).toEqual(['failed', 'pending']);
  // A check of the old page, the new page, and at most one check of it.
  expect(service.requests.length - before).toBeLessThanOrEqual(3);
});

test('a customer begins at most thirty payments in a minute, of all orders', async () => {
  const who = await debtor();
  for (let count = 0; count < 30; count += 1) await start(who);
  const before = service.requests.length;
  await expect(start(who)).rejects.toMatchObject(TOO_MANY);
  expect(service.requests.length).toBe(before);
  program.clock.advance(60);
  expect(await start(who)).toMatchObject({ response: 'success' });
});

test('a link created late expires with its payment, and an expired payment without a link is replaced', async () => {
  const who = await debtor();
  const down = async (customer: Debtor) => {
    service.behave([SERVICE_FAILURES[2]!.reply]);
    expect(await start(customer)).toMatchObject(paymentError('gateway-failed'));
    service.behave();
  };
  await down(who);
  const [begun] = await payments(who);
  program.clock.advance(DAY_SECONDS / 2);
  await start(who);
  expect(service.linkOf(begun?.reference ?? '').expire_by).toBe(begun!.created_at.getTime() / 1000 + DAY_SECONDS);

  const late = await debtor();
  await down(late);
  program.clock.advance(DAY_SECONDS);
  const { data } = await start(late);
  expect((await payments(late)).map(({ tid, state }) => [tid === data?.tid, state])).toEqual([
    [false, 'failed'],
    [true, 'pending'],
  ]);
});

const online = async ({ caller, userid, orderid }: Debtor) => (await caller.send(getOrderPayments, { userid, orderid })).data?.online;

test('an order shows its online payment while it is pending or failed, and not once it is received', async () => {
  const who = await debtor();
  expect(await online(who)).toBeNull();
  const { tid, link } = await started(who);
  const begun = { tid, amount: REST, begun_on: kolkataDateTime(program.clock.now()) };
  expect(await online(who)).toEqual({ ...begun, state: 'pending' });
  service.end(link, 'cancelled');
  program.clock.advance(6);
  expect(await online(who)).toEqual({ ...begun, state: 'failed' });
  const again = await start(who);
  const [, second] = await payments(who);
  expect(second?.tid).toBe(again.data?.tid);
  service.pay(service.linkOf(second?.reference ?? ''));
  program.clock.advance(6);
  const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid });
  expect(data).toMatchObject({ rest: 0, returned: 0, online: null, paid: [{ method: 'gateway', amount: REST }] });
});

test('an overpayment by two payment methods is credited to the wallet', async () => {
  const who = await debtor();
  const { link } = await started(who);
  await byHand({ orderid: who.orderid, method: 'cash', amountPaise: REST });
  service.pay(link);
  await deliver(eventOf(link));
  await deliver(eventOf(link));
  expect(await stateOf(who)).toEqual(['received', 'received']);
  expect(await readBalance(program.db, who.userid)).toBe(REST);
  const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid });
  expect(data).toMatchObject({ rest: 0, returned: REST });
  expect(isSound(await auditLedger(program.db))).toBe(true);
});

test('recording a UPI payment receives the payment that the customer began', async () => {
  const who = await debtor();
  const { data } = await start(who, REST, 'upi');
  const begunUpi = async () => (await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid })).data?.upi;
  const begun = { tid: data?.tid, amount: REST, begun_on: kolkataDateTime(program.clock.now()) };
  expect(await begunUpi()).toEqual({ ...begun, reported_at: null });
  // The customer reports it once.
  const at = kolkataDateTime(program.clock.now());
  const report = (caller: Debtor['caller']) => caller.send(reportPaid, { orderid: who.orderid, tid: data?.tid ?? '' });
  expect(await report((await debtor()).caller)).toMatchObject({ code: 'order-not-found' });
  expect(await report(who.caller)).toMatchObject({ response: 'success' });
  program.clock.advance(60);
  expect(await report(who.caller)).toMatchObject({ response: 'success' });
  expect(await begunUpi()).toEqual({ ...begun, reported_at: at });
  const events = program.db.selectFrom('order_events').select('at').where('order_id', '=', who.orderid);
  expect(await events.where('kind', '=', 'payment-reported').execute()).toHaveLength(1);
  expect(await byHand({ orderid: who.orderid, method: 'upi', amountPaise: REST })).toMatchObject({ status: 'recorded' });
  expect(await begunUpi()).toBeNull();
  expect((await payments(who)).map(({ tid, state }) => [tid, state])).toEqual([[data?.tid, 'received']]);
  expect((await result(data?.tid ?? '')).data).toMatchObject([{ orderid: who.orderid, total_amount: REST }]);
});

test('a wrong amount settles nothing, and is recorded and logged once', async () => {
  const who = await debtor();
  const { link, tid } = await started(who);
  service.pay(link, REST - 100);
  const event = eventOf(link);
  const reports = () => program.log.filter((line) => line.includes('reports another amount')).length;
  expect((await deliver(event)).statusCode).toBe(200);
  expect((await deliver(event)).statusCode).toBe(200);
  expect((await deliver(eventOf(link))).statusCode).toBe(200);
  program.clock.advance(6);
  expect((await result(tid)).response).toBe('error');
  expect(await stateOf(who)).toEqual(['pending']);
  const events = await program.db.selectFrom('payment_events').select('event_id').where('tid', '=', tid).execute();
  expect(events.map(({ event_id }) => event_id)).toContain(event.headers['x-razorpay-event-id']);
  expect(reports()).toBe(1);
});

test('a payment of a former gateway is not sent to the current one, by a customer or an event', async () => {
  const who = await debtor();
  const row = { tid: newToken().slice(0, 22), order_id: who.orderid, reference: newId(), created_at: program.clock.now() };
  const page = { gateway: 'sandbox', gateway_id: `sbx_${row.tid}`, gateway_url: '/payments/sandbox/elsewhere' } as const;
  const before = { ...row, ...page, method: 'gateway', state: 'pending', amount_paise: REST, due_paise: REST } as const;
  await program.db.insertInto('payments').values(before).execute();
  const { data } = await start(who);
  const own = (await payments(who)).find(({ gateway }) => gateway === 'razorpay');
  expect(data).toEqual({ tid: own?.tid, amount: REST, url: service.linkOf(own?.reference ?? '').short_url });

  const link = { ...service.linkOf(own?.reference ?? ''), reference_id: row.reference };
  service.pay(link);
  expect((await deliver(eventOf(link))).statusCode).toBe(200);
  expect(await stateOf(who)).toEqual(['pending', 'pending']);

  // It is not checked at the current gateway, and fails after a week.
  const checkCount = () => service.requests.filter(({ path }) => path.includes(page.gateway_id)).length;
  expect(await result(row.tid)).toMatchObject({ response: 'error', ...paymentError('payment-pending') });
  await reconciled();
  await reconcile({ ...QUIET, db: program.db, gateway: undefined }, program.clock.now(), new AbortController().signal);
  expect(checkCount()).toBe(0);
  expect((await payments(who)).map(({ state }) => state)).toEqual(['pending', 'pending']);
  program.clock.advance(8 * DAY_SECONDS);
  await reconciled();
  expect(checkCount()).toBe(0);
  expect((await payments(who)).find(({ tid }) => tid === row.tid)?.state).toBe('failed');
});

test.each(['transaction_id', 'note', 'settled_at', 'gateway', 'gateway_id', 'gateway_url', 'asked_at'])(
  'the database rejects a change of %s of a received payment',
  async (column) => {
    const who = await debtor();
    const { link, tid } = await started(who);
    service.pay(link);
    await deliver(eventOf(link));
    const other: Record<string, unknown> = { settled_at: new Date(0), asked_at: new Date(0), gateway: 'sandbox' };
    const change = sql`update payments set ${sql.ref(column)} = ${other[column] ?? 'another'} where tid = ${tid}`;
    await expect(change.execute(program.db)).rejects.toThrow('a received payment keeps its facts');
  },
);

describe('an event', () => {
  const forgeries: [string, (event: SignedEvent, link: StandInLink) => SignedEvent][] = [
    ['without a signature', ({ body }) => ({ body, headers: { 'x-razorpay-event-id': 'evt_1' } })],
    ['with an empty one', ({ body, headers }) => ({ body, headers: { ...headers, 'x-razorpay-signature': '' } })],
    ['signed with another secret', (_event, link) => eventOf(link, { secret: 'guessed' })],
    ['whose body was changed', ({ body, headers }) => ({ body: body.replace('"paid"', '"paid" '), headers })],
    ['with the signature of another event', ({ body }, link) => ({ body, headers: eventOf({ ...link, amount: 1 }).headers })],
    [
      'with its signature in capitals',
      ({ body, headers }) => ({ body, headers: { ...headers, 'x-razorpay-signature': headers['x-razorpay-signature']!.toUpperCase() } }),
    ],
  ];
  test.each(forgeries)('%s is refused, and nothing is written', async (_what, forge) => {
    const who = await debtor();
    const { link } = await started(who);
    const paid = {
      ...link,
      status: 'paid',
      amount_paid: REST,
      payments: [{ payment_id: 'pay_forged', amount: REST, status: 'captured' }],
    } as const;
    const response = await deliver(forge(eventOf({ ...paid, payments: [...paid.payments] }), { ...paid, payments: [...paid.payments] }));
    expect(response.statusCode).toBe(401);
    expect(await stateOf(who)).toEqual(['pending']);
    const events = await program.db
      .selectFrom('payment_events')
      .innerJoin('payments', 'payments.tid', 'payment_events.tid')
      .select('event_id')
      .where('order_id', '=', who.orderid)
      .execute();
    expect(events).toEqual([]);
  });

  test('of another reference or another kind is acknowledged and changes nothing', async () => {
    const who = await debtor();
    const { link } = await started(who);
    const foreign = {
      ...link,
      reference_id: 'of another shop',
      status: 'paid',
      amount_paid: REST,
      payments: [{ payment_id: 'pay_x', amount: REST, status: 'captured' }],
    } as const;
    expect((await deliver(eventOf({ ...foreign, payments: [...foreign.payments] }))).statusCode).toBe(200);
    expect((await deliver(eventOf(link, { event: 'payment_link.partially_paid' }))).statusCode).toBe(200);
    expect(await stateOf(who)).toEqual(['pending']);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded'])('with the content type %s is rejected', async (type) => {
    const who = await debtor();
    const { link } = await started(who);
    const { body, headers } = eventOf(link);
    expect((await program.caller().post(WEBHOOK, body, { ...headers, 'content-type': type })).statusCode).toBe(415);
  });
});

const seed = newSeed();
const LINKS = size({ small: 20, full: 300 });

test(
  `M8: ${LINKS} links, repeated, shuffled, late and forged events have one effect for each payment (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const random = createRandom(seed);
    const people: Debtor[] = [];
    // In groups of ten, because the limit of concurrent sign-ups is not tested here.
    while (people.length < LINKS) people.push(...(await Promise.all(Array.from({ length: Math.min(10, LINKS - people.length) }, debtor))));
    const expected = new Map<string, 'received' | 'failed' | 'pending'>();
    const deliveries: { event: SignedEvent; isForged: boolean }[] = [];
    for (const who of people) {
      const { link } = await started(who);
      const outcome = random.pick(['received', 'failed', 'pending', 'late'] as const);
      const genuine: SignedEvent[] = [];
      if (outcome === 'failed' || outcome === 'late') {
        service.end(link, 'expired');
        genuine.push(eventOf(link));
      }
      if (outcome === 'received' || outcome === 'late') {
        service.pay(link);
        genuine.push(eventOf(link));
        // The same event with another id, as after a change of the webhook's settings.
        if (random.oneIn(3)) genuine.push(eventOf(link));
      }
      expected.set(who.orderid, outcome === 'late' ? 'received' : outcome);
      for (const event of genuine) for (let copy = 0; copy < 3; copy += 1) deliveries.push({ event, isForged: false });
      const forged = {
        ...link,
        status: 'paid',
        amount_paid: link.amount,
        payments: [{ payment_id: 'pay_forged', amount: link.amount, status: 'captured' }],
      } satisfies StandInLink;
      if (random.oneIn(2)) deliveries.push({ event: eventOf(forged, { secret: 'guessed' }), isForged: true });
    }
    for (let index = deliveries.length - 1; index > 0; index -= 1) {
      const other = random.below(index + 1);
      [deliveries[index], deliveries[other]] = [deliveries[other]!, deliveries[index]!];
    }
    const settledAt = new Map<string, string>();
    while (deliveries.length > 0) {
      const batch = deliveries.splice(0, 8);
      const responses = await Promise.all(batch.map(({ event }) => deliver(event)));
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(batch.map(({ isForged }) => (isForged ? 401 : 200)));
      program.clock.advance(60);
      for (const row of await program.db
        .selectFrom('payments')
        .select(['tid', 'state', 'settled_at'])
        .where('state', '=', 'received')
        .execute()) {
        const first = settledAt.get(row.tid) ?? String(row.settled_at);
        settledAt.set(row.tid, first);
        expect(String(row.settled_at), 'a received payment is never touched again').toBe(first);
      }
    }
    for (const who of people) {
      const rows = await payments(who);
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ state: expected.get(who.orderid), amount_paise: REST });
      expect(rows[0]?.transaction_id).not.toBe('pay_forged');
      // Repeated events are no second payment, so that nothing is credited.
      expect(await readBalance(program.db, who.userid)).toBe(0);
    }
  },
);

test('thirty concurrent deliveries of one event have one effect', async () => {
  const who = await debtor();
  const { link } = await started(who);
  service.pay(link);
  const event = eventOf(link);
  const responses = await Promise.all(Array.from({ length: 30 }, () => deliver(event)));
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await stateOf(who)).toEqual(['received']);
});

test('a new request checks the open payment first: it returns no cancelled page and accepts no second payment', async () => {
  const who = await debtor();
  const { link } = await started(who);
  service.end(link, 'cancelled');
  const next = await start(who);
  expect(next).toMatchObject({ response: 'success' });
  expect(next.data?.url).not.toBe(link.short_url);
  expect((await stateOf(who)).toSorted()).toEqual(['failed', 'pending']);
  const open = (await payments(who)).find(({ state }) => state === 'pending');
  service.pay(service.linkOf(open?.reference ?? ''));
  expect(await start(who)).toMatchObject({ response: 'error', ...paymentError('nothing-to-pay') });
});
