/**
 * The records, log lines and credits of the service for the statuses of a gateway, for UPI, and for
 * payments recorded by hand.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram, type TestProgram } from '../../../test/support/program.ts';
import { eventOf, RAZORPAY_KEY, startRazorpay } from '../../../test/support/razorpay-stand-in.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { listUpiPayments } from '../order-desk/desk/upi-contract.ts';
import { orderError } from '../orders/contract.ts';
import { cancelOrder } from '../orders/cancelling-service.server.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { createAuthentication } from '../sessions/authentication.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { getOrderPayments, getPaymentDetails, paymentError, startPayment } from './contract.ts';
import { razorpay } from './providers/razorpay.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { readOrderPayments } from './queries-service.server.ts';
import { handleGatewayEvent, reconcile, type PaymentServiceDependencies } from './service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const service = await startRazorpay();
const program = useProgram(service.settings, { timeouts: SHORT_TIMEOUTS });
const programWithoutGateway = useProgram({ PAYMENT_GATEWAY: 'off' });
beforeEach(() => service.behave());

/** An order of 7.53 kg at ₹38. */
const DUE = asPaise(28_614);

async function customerWithOrder(at: TestProgram = program) {
  const person = await newOrderingCustomer(at);
  const { orderid } = await place(person);
  return { ...person, orderid };
}
type Debtor = Awaited<ReturnType<typeof customerWithOrder>>;

async function debtor(at: TestProgram = program): Promise<Debtor> {
  const person = await customerWithOrder(at);
  await weighOrder(at.db, person.orderid, 7530, 12, at.clock.now());
  await moveOrder(at.db, person.orderid, 'queue', at.clock.now());
  return person;
}

const start = ({ caller, userid, orderid }: Debtor, method: 'gateway' | 'upi' = 'gateway', amount = DUE) =>
  caller.send(startPayment, { userid, orderid, method, amount });
const payments = ({ orderid }: Debtor) =>
  program.db.selectFrom('payments').selectAll().where('order_id', '=', orderid).orderBy('created_at').orderBy('settled_at').execute();
const statesOf = async (who: Debtor) => (await payments(who)).map(({ state }) => state);
const byHand = (payment: Parameters<typeof recordManualPaymentOnce>[2]) =>
  transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, program.clock.now()));
const result = (tid: string) => program.caller().send(getPaymentDetails, { tid });

/** Begins a payment at the gateway and returns its row and its link. */
async function begun(who: Debtor) {
  await start(who);
  const [row = expect.fail('the payment did not start')] = await payments(who);
  return { row, link: service.linkOf(row.reference) };
}

/** The messages of the errors that the program has logged. */
const loggedErrors = () =>
  program.log
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { message: string } })
    .filter(({ level }) => level >= 50)
    .map(({ msg, err }) => [msg, err?.message]);
beforeEach(() => void (program.log.length = 0));

/** The dependencies of the service with a list of the failures that it reports. */
function serviceDependencies(): PaymentServiceDependencies & { failures: [string, string][] } {
  const { id: keyId, secret: keySecret, webhook: webhookSecret } = RAZORPAY_KEY;
  const addresses = { url: service.url, publicUrl: 'http://laundry.example' };
  const failures: [string, string][] = [];
  return {
    db: program.db,
    payee: undefined,
    gateway: razorpay({ keyId, keySecret, webhookSecret, ...addresses, timeoutMs: SHORT_TIMEOUTS.gatewayMs }),
    onFailure: (error, operation) => void failures.push([operation, (error as Error).message]),
    failures,
  };
}

const notAborted = () => new AbortController().signal;

describe('a payment begins', () => {
  test('by UPI with a link of the exact amount, and the same link when it is repeated', async () => {
    const who = await debtor();
    const { data } = await start(who, 'upi');
    const [row] = await payments(who);
    expect(row).toMatchObject({ method: 'upi', gateway: null, gateway_id: null, state: 'pending', amount_paise: DUE, due_paise: DUE });
    const url = `upi://pay?pa=laundry@example&pn=Dhulai%20Laundry%20Services&tr=${row?.reference}&tn=Order%20${who.orderid}&am=286.14&cu=INR`;
    expect(data).toEqual({ tid: row?.tid, amount: DUE, url });
    program.clock.advance(2 * DAY_SECONDS);
    expect((await start(who, 'upi')).data).toEqual(data);
    expect(await payments(who)).toHaveLength(1);
  });

  test('not for an unknown order, for another customer, or before the order can be paid', async () => {
    const [who, other] = [await customerWithOrder(), await debtor()];
    for (const orderid of ['NOSUCHORDER0', other.orderid]) {
      expect(await start({ ...who, orderid })).toEqual(fail(orderError('order-not-found', { orderid })));
    }
    expect(await start(who)).toEqual(fail(paymentError('not-payable-yet')));
    expect([...(await payments(who)), ...(await payments(other))]).toEqual([]);
  });

  test('again if a concurrent request settles the pending payment before it is read', async () => {
    const who = await debtor();
    const { data: first } = await start(who, 'upi');
    await sql`
      create function settle_first() returns trigger language plpgsql as $$ begin
        update payments set state = 'failed', settled_at = now() where tid = '${sql.raw(first?.tid ?? '')}' and state = 'pending';
        return null;
      end $$`.execute(program.db);
    onTestFinished(async () => void (await sql`drop function settle_first() cascade`.execute(program.db)));
    await sql`create trigger settled after insert on payments for each statement execute function settle_first()`.execute(program.db);
    program.clock.advance(1);
    const { data: second } = await start(who, 'upi');
    expect(await payments(who)).toMatchObject([
      { tid: first?.tid, state: 'failed' },
      { tid: second?.tid, state: 'pending' },
    ]);
  });

  test('at a gateway that fails: the failure is logged with its operation', async () => {
    const who = await debtor();
    service.behave([{ status: 500, json: {} }]);
    expect(await start(who)).toEqual(fail(paymentError('gateway-failed')));
    expect(loggedErrors()).toEqual([['opening a payment page failed', expect.stringContaining('A request to Razorpay failed')]]);
  });
});

describe('without a gateway', () => {
  test('a payment at a gateway is refused, and a UPI payment begins', async () => {
    const who = await debtor(programWithoutGateway);
    expect(await start(who)).toEqual(fail(paymentError('method-not-offered')));
    const { data } = await start(who, 'upi');
    expect(data?.url).toMatch(/^upi:/);
    expect(await programWithoutGateway.caller().send(getPaymentDetails, { tid: data?.tid ?? '' })).toEqual(
      fail(paymentError('payment-pending')),
    );
    expect(programWithoutGateway.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });
});

describe('an event', () => {
  const pay = (event: Partial<Parameters<typeof handleGatewayEvent>[2]>, dependencies = serviceDependencies()) =>
    handleGatewayEvent(
      dependencies,
      'razorpay',
      { eventId: 'evt', event: 'payment_link.paid', reference: '', status: { state: 'pending' }, ...event },
      program.clock.now(),
    );
  const events = (prefix: string) =>
    program.db.selectFrom('payment_events').selectAll().where('event_id', 'like', `${prefix}%`).orderBy('event').execute();

  test('of an unfinished payment is stored and changes nothing', async () => {
    const who = await debtor();
    const { row, link } = await begun(who);
    const { body, headers } = eventOf(link, { eventId: 'unfinished' });
    expect((await program.caller().post('payments/webhook/razorpay', body, headers)).statusCode).toBe(200);
    expect(await events('unfinished')).toMatchObject([{ event: 'payment_link.created', tid: row.tid, received_at: program.clock.now() }]);
    expect(await program.db.selectFrom('payment_events').select('event_id').where('tid', '=', row.tid).execute()).toHaveLength(1);
    expect(await statesOf(who)).toEqual(['pending']);
    expect(loggedErrors()).toEqual([]);
  });

  test('of an unknown payment is stored without one', async () => {
    const dependencies = serviceDependencies();
    await pay({ eventId: 'unknown', reference: 'of another shop', status: { state: 'failed' } }, dependencies);
    expect(await events('unknown')).toMatchObject([{ gateway: 'razorpay', tid: null }]);
    expect(dependencies.failures).toEqual([]);
  });

  test('of money received for an unknown payment is stored and logged once', async () => {
    const dependencies = serviceDependencies();
    const status = { state: 'received', transactionId: 'pay_2', amountPaise: DUE } as const;
    for (let times = 2; times > 0; times -= 1) await pay({ eventId: 'stray', reference: 'no such page', status }, dependencies);
    expect(await events('stray')).toMatchObject([{ event: 'unknown payment', gateway: 'razorpay', tid: null }]);
    expect(dependencies.failures).toEqual([
      ['settling a payment', "A gateway reports that an unknown payment was received, see 'unknown payment' in payment_events"],
    ]);
  });

  test('with a long name is stored with the first 100 characters', async () => {
    await pay({ eventId: 'long', event: `payment.${'x'.repeat(200)}` });
    expect(await events('long')).toMatchObject([{ event: `payment.${'x'.repeat(92)}` }]);
  });

  test('of a failed payment fails it once', async () => {
    const who = await debtor();
    const { row } = await begun(who);
    const dependencies = serviceDependencies();
    const failed = { reference: row.reference, status: { state: 'failed' } } as const;
    await pay({ eventId: 'failed-1', ...failed }, dependencies);
    const settled = await payments(who);
    expect(settled).toMatchObject([{ state: 'failed', settled_at: program.clock.now(), transaction_id: null }]);
    program.clock.advance(60);
    await pay({ eventId: 'failed-2', ...failed }, dependencies);
    expect(await payments(who)).toEqual(settled);
    expect(dependencies.failures).toEqual([]);
  });

  test('of a received payment changes nothing more', async () => {
    const who = await debtor();
    const { row } = await begun(who);
    const dependencies = serviceDependencies();
    const received = { state: 'received', transactionId: 'pay_1', amountPaise: DUE } as const;
    await pay({ eventId: 'received-1', reference: row.reference, status: received }, dependencies);
    const settled = await payments(who);
    expect(settled).toMatchObject([{ state: 'received', settled_at: program.clock.now(), transaction_id: 'pay_1' }]);
    program.clock.advance(60);
    await pay({ eventId: 'received-2', reference: row.reference, status: received }, dependencies);
    await pay({ eventId: 'received-3', reference: row.reference, status: { state: 'failed' } }, dependencies);
    expect(await payments(who)).toEqual(settled);
    expect(await readBalance(program.db, who.userid)).toBe(0);
    expect(dependencies.failures).toEqual([]);
  });

  test('with another amount is stored for its transaction, and logged', async () => {
    const who = await debtor();
    const { row } = await begun(who);
    const dependencies = serviceDependencies();
    const transactionId = `pay_${'x'.repeat(200)}`;
    for (const [eventId, amountPaise] of Object.entries({ less: DUE - 1, more: DUE + 1 })) {
      await pay(
        { eventId: `amount-${eventId}`, reference: row.reference, status: { state: 'received', transactionId, amountPaise } },
        dependencies,
      );
    }
    expect(await events('amount:pay_xx')).toMatchObject([
      { event_id: `amount:pay_${'x'.repeat(89)}`, event: 'another amount', tid: row.tid, gateway: 'razorpay' },
    ]);
    expect(await statesOf(who)).toEqual(['pending']);
    expect(dependencies.failures).toEqual([
      ['settling a payment', "A gateway reports another amount than was requested, see 'another amount' in payment_events"],
    ]);
  });
});

describe('an overpayment', () => {
  const cash = (orderid: string, amountPaise: number) =>
    byHand({ orderid, method: 'cash', amountPaise: asPaise(amountPaise), mayOverpay: true });

  test('is credited as change with a reference to the payment', async () => {
    const who = await debtor();
    await cash(who.orderid, DUE + 1000);
    expect(await readBalance(program.db, who.userid)).toBe(1000);
    const [row] = await payments(who);
    expect(await program.db.selectFrom('ledger_entries').selectAll().where('order_id', '=', who.orderid).execute()).toMatchObject([
      {
        kind: 'change',
        reason: `Paid too much for order ${who.orderid}`,
        reference: `payment:${row?.reference}:change`,
        created_at: program.clock.now(),
      },
    ]);
  });

  test('is credited with each payment, and no payment is credited with more than its amount', async () => {
    const who = await debtor();
    await cash(who.orderid, DUE);
    expect(await readBalance(program.db, who.userid)).toBe(0);
    await cash(who.orderid, 1000);
    expect(await readBalance(program.db, who.userid)).toBe(1000);
    await cash(who.orderid, 500);
    expect(await readBalance(program.db, who.userid)).toBe(1500);
  });

  test('by a UPI payment that the customer began is credited', async () => {
    const who = await debtor();
    await start(who, 'upi');
    await cash(who.orderid, DUE - 600);
    expect(await byHand({ orderid: who.orderid, method: 'upi', amountPaise: DUE, mayOverpay: true })).toMatchObject({ status: 'recorded' });
    expect(await statesOf(who)).toEqual(['received', 'received']);
    expect(await readBalance(program.db, who.userid)).toBe(DUE - 600);
  });
});

describe('a payment recorded by hand', () => {
  test('is received with the time and a transaction', async () => {
    const who = await debtor();
    expect(await byHand({ orderid: who.orderid, method: 'upi', amountPaise: asPaise(10_000) })).toMatchObject({ status: 'recorded' });
    const at = program.clock.now();
    const [row, ...others] = await payments(who);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      tid: expect.stringMatching(/^[\w-]{22}$/),
      method: 'upi',
      gateway: null,
      state: 'received',
      amount_paise: 10_000,
      due_paise: DUE,
      transaction_id: row?.reference,
      created_at: at,
      settled_at: at,
    });
    const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid });
    expect(data).toMatchObject({ rest: DUE - 10_000, returned: 0, paid: [{ method: 'upi', amount: 10_000 }] });
  });

  test.each<['cash' | 'upi', number]>([
    ['cash', DUE],
    ['upi', DUE - 1],
  ])('by %s of %i paise leaves a UPI payment of another method or amount pending', async (method, amountPaise) => {
    const who = await debtor();
    await start(who, 'upi');
    program.clock.advance(1);
    await byHand({ orderid: who.orderid, method, amountPaise: asPaise(amountPaise) });
    expect(await statesOf(who)).toEqual(['pending', 'received']);
  });

  test('is refused for an unknown order and for an order that was not weighed', async () => {
    const who = await customerWithOrder();
    expect(await byHand({ orderid: 'NOSUCHORDER0', method: 'cash', amountPaise: DUE })).toEqual({ status: 'order-not-found' });
    expect(await byHand({ orderid: who.orderid, method: 'cash', amountPaise: DUE })).toMatchObject({ status: 'not-payable-yet' });
    expect(await payments(who)).toEqual([]);
  });
});

describe('a check', () => {
  test('within two seconds of another one logs no error', async () => {
    const { row } = await begun(await debtor());
    const before = service.requests.length;
    await result(row.tid);
    await result(row.tid);
    await result('unknown');
    await expect.poll(() => service.requests.length - before).toBe(1);
    expect(loggedErrors()).toEqual([]);
  });

  test('that finds another amount settles nothing and logs it', async () => {
    const who = await debtor();
    const { row, link } = await begun(who);
    service.pay(link, DUE - 100);
    expect(await result(row.tid)).toEqual(fail(paymentError('payment-pending')));
    expect(await statesOf(who)).toEqual(['pending']);
    await expect.poll(loggedErrors).toEqual([['settling a payment failed', expect.stringContaining('reports another amount')]]);
  });
});

describe('reconciliation', () => {
  // Only the payments of the test are open.
  beforeEach(async () => {
    const now = program.clock.now();
    await program.db.updateTable('payments').set({ state: 'failed', settled_at: now }).where('state', '=', 'pending').execute();
    program.clock.advance(3 * DAY_SECONDS);
  });

  test('continues after a payment that cannot be checked, and reports it', async () => {
    const [unknown, paid] = [await debtor(), await debtor()];
    const { row, link } = await begun(paid);
    // The payment that was never checked comes first.
    await result(row.tid);
    const lost = await begun(unknown);
    service.links.splice(service.links.indexOf(lost.link), 1);
    service.pay(link);
    program.clock.advance(3600);
    const dependencies = serviceDependencies();
    await reconcile(dependencies, program.clock.now(), notAborted());
    expect(dependencies.failures).toEqual([['checking a payment', 'A request to Razorpay failed']]);
    expect([await statesOf(unknown), await statesOf(paid)]).toEqual([['pending'], ['received']]);
  });

  test('that is aborted reports nothing, checks no other payment and fails no old one', async () => {
    const old = await debtor();
    await start(old, 'upi');
    program.clock.advance(31 * DAY_SECONDS);
    const people = [await debtor(), await debtor()];
    for (const who of people) await begun(who);
    service.behave(['hang']);
    const before = service.requests.length;
    const [dependencies, stopping] = [serviceDependencies(), new AbortController()];
    const reconciling = reconcile(dependencies, program.clock.now(), stopping.signal);
    while (service.requests.length === before) await sleep(5);
    stopping.abort();
    await reconciling;
    expect(dependencies.failures).toEqual([]);
    const checked = [...(await payments(people[0]!)), ...(await payments(people[1]!))].filter(({ asked_at }) => asked_at !== null);
    expect(checked).toHaveLength(1);
    expect(await statesOf(old)).toEqual(['pending']);
  });

  test.each([
    ['with a gateway leaves an open page of it', serviceDependencies, 'pending'],
    [
      'without a gateway fails the page of a former one after seven days',
      () => ({ ...serviceDependencies(), gateway: undefined }),
      'failed',
    ],
  ])('decides about the page of an old payment: %s', async (_what, dependencies, state) => {
    const page = await debtor();
    await begun(page);
    program.clock.advance(7 * DAY_SECONDS);
    await reconcile(dependencies(), program.clock.now(), notAborted());
    expect(await statesOf(page)).toEqual(['pending']);
    program.clock.advance(1);
    await reconcile(dependencies(), program.clock.now(), notAborted());
    expect(await statesOf(page)).toEqual([state]);
  });

  test('fails a UPI payment after thirty days, as long as the owner sees it', async () => {
    const upi = await debtor();
    await start(upi, 'upi');
    const listed = async (seconds: number) => {
      program.clock.advance(seconds);
      await reconcile(serviceDependencies(), program.clock.now(), notAborted());
      const { data } = await (await newStaff(program, 'owner')).caller.send(listUpiPayments, { day: '2026-11-22' });
      return data?.begun.filter(({ orderid }) => orderid === upi.orderid).length;
    };
    expect(await listed(30 * DAY_SECONDS)).toBe(1);
    expect(await statesOf(upi)).toEqual(['pending']);
    expect(await listed(1)).toBe(0);
    expect(await payments(upi)).toMatchObject([{ state: 'failed', settled_at: program.clock.now() }]);
  });

  test('deletes an event after 90 days', async () => {
    const event = { eventId: 'old', event: 'payment_link.paid', reference: 'of another shop', status: { state: 'pending' } } as const;
    await handleGatewayEvent(serviceDependencies(), 'razorpay', event, program.clock.now());
    const eventExists = async () => {
      await reconcile(serviceDependencies(), program.clock.now(), notAborted());
      return (await program.db.selectFrom('payment_events').select('event_id').where('event_id', '=', 'old').execute()).length === 1;
    };
    program.clock.advance(90 * DAY_SECONDS);
    expect(await eventExists()).toBe(true);
    program.clock.advance(1);
    expect(await eventExists()).toBe(false);
  });
});

test('an order that changes during the check of its payment has its later amounts', async () => {
  const who = await debtor();
  await begun(who);
  const { db, clock } = program;
  const client = { network: '127.0.0.1', isLoopback: true, cookies: Object.fromEntries(who.caller.cookies), log: console };
  const caller = await createAuthentication({ db, clock, https: false }).requireCustomerOrGuest(client, who.userid);
  const dependencies = { db, readPaidPaise: async () => asPaise(0) };
  const checkBriefly = async () => {
    const cancelled = await cancelOrder(dependencies, laundryCommand(), { orderid: who.orderid }, clock.now());
    expect(cancelled).toMatchObject({ status: 'cancelled' });
  };
  const { data } = await readOrderPayments(db, caller, who.orderid, { methods: ['gateway'], checkBriefly });
  expect(data).toMatchObject({ rest: 0, ways: [], online: null });
});
