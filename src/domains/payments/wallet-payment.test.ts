import { describe, expect, test } from 'vitest';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { fail } from '../../contract/route.server.ts';
import { auditLedger, isSound, creditWallet } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { setEarlierStage } from '../orders/changing-store.server.ts';
import { cancelOrder } from '../orders/cancelling-service.server.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { getOrders, orderError, PROGRESS_STAGES, STAGES, type Stage } from '../orders/contract.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { blockBefore } from '../../../test/support/blocked-statements.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import {
  getPaymentDetails,
  getOrderPayments,
  NO_RESULT_CODES,
  paymentError,
  paymentMessages as messages,
  payWithWallet,
  walletPayment,
} from './contract.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { weighOrderAndAdjustCredit } from './weighing-service.server.ts';
import { insertWalletPayment, readPaidPaise } from './store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram();
const email = 'support@dhulai.example';

/** A customer with ₹200 and an order of 7.53 kg at ₹38: ₹286.14; half is ₹143.07. */
async function payer({ stage = 'queue', rupees = 200 }: { stage?: Stage; rupees?: number } = {}) {
  const person = await newOrderingCustomer(program);
  const { orderid } = await place(person);
  if (stage !== 'pickup') await moveTo(orderid, stage);
  if (rupees > 0) {
    const at = program.clock.now();
    const credit = { kind: 'promotion', reason: 'A test', reference: `test:${person.userid}`, at } as const;
    await creditWallet(program.db, { ...credit, customerId: person.userid, amountPaise: asPaise(rupees * 100) });
  }
  return { ...person, orderid };
}
type Payer = Awaited<ReturnType<typeof payer>>;

async function moveTo(orderid: string, stage: Stage) {
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  if (stage === 'cancelled')
    return void (await cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), { orderid }, program.clock.now()));
  for (const row of PROGRESS_STAGES.slice(1, PROGRESS_STAGES.findIndex((row) => row.stage === stage) + 1)) {
    await moveOrder(program.db, orderid, row.stage, program.clock.now(), { bonusTime: 'sign-up' });
  }
}

const HALF = asPaise(14_307);
const byHand = (payment: Parameters<typeof recordManualPaymentOnce>[2]) =>
  transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, program.clock.now()));
const pay = ({ caller, userid }: Payer, orderid: string, walletpayment = HALF) =>
  caller.send(payWithWallet, { userid, orderid, walletpayment, walletbalance: 56.93 });
const readPayment = ({ caller, userid }: Payer, orderid: string) => caller.send(walletPayment, { userid, orderid });

const debits = ({ userid }: Payer) =>
  program.db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(['amount_paise'])
    .where('customer_id', '=', userid)
    .execute();

test('pays half of the order once', async () => {
  const who = await payer();
  expect(await readPayment(who, who.orderid)).toMatchObject({
    message: messages.payable,
    data: [
      {
        program_name: 'Wash',
        order_rate: 3800,
        unit: 'kg',
        offer_rate: 0,
        total_amount: 28_614,
        total_weight: 7530,
        wallet: 20_000,
        walletpayment: HALF,
        left: HALF,
      },
    ],
  });
  expect(await pay(who, who.orderid)).toEqual({
    response: 'success',
    message: `Paid ₹143.07 for order ${who.orderid} with wallet`,
    data: null,
  });
  expect(await pay(who, who.orderid)).toMatchObject({ response: 'error', code: 'already-paid', message: 'Already Paid' });
  expect(await readPayment(who, who.orderid)).toMatchObject({
    response: 'success',
    message: 'Already Paid',
    data: [{ wallet: 5693, walletpayment: HALF, already_paid: true }],
  });
  expect(await readBalance(program.db, who.userid)).toBe(5693);
  expect(await debits(who)).toEqual([{ amount_paise: HALF }]);
  expect(isSound(await auditLedger(program.db))).toBe(true);
});

test.each<[Stage, ErrorMessage]>([
  ['pickup', paymentError('not-payable-yet')],
  ['delivered', paymentError('order-delivered')],
  ['cancelled', orderError('order-cancelled')],
])('rejects a payment in stage %s', async (stage, error) => {
  const who = await payer({ stage });
  expect(await readPayment(who, who.orderid)).toEqual(fail(error));
  expect(await pay(who, who.orderid)).toEqual(fail(error));
  expect(await debits(who)).toEqual([]);
});

test('rejects the payment of an order that is delivered before the debit', async () => {
  const who = await payer({ stage: 'delivery' });
  const hold = await blockBefore(program, 'insert', 'payments');
  const paying = pay(who, who.orderid);
  await hold.reached();
  await moveOrder(program.db, who.orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  await hold.release();
  expect(await paying).toEqual(fail(paymentError('order-delivered')));
  expect(await debits(who)).toEqual([]);
  expect(await readBalance(program.db, who.userid)).toBe(20_000);
});

test('rejects the payment of a weighed order in stage pickup, because the weight can change', async () => {
  const who = await payer({ stage: 'pickup' });
  await weighOrder(program.db, who.orderid, 7530, 12, program.clock.now());
  expect(await pay(who, who.orderid)).toMatchObject({ ...paymentError('not-payable-yet') });
});

test('a correction below the wallet payment returns the excess, and the wallet pays the order no second time', async () => {
  const who = await payer();
  const { orderid } = who;
  await pay(who, orderid);
  const now = program.clock.now();
  await transaction(program.db, (tx) => setEarlierStage(tx, orderid, { to: 'pickup', reason: 'The scale was wrong' }, now));
  // 2.5 kg cost ₹95, of which half is ₹47.50.
  const weighing = { orderid, weightGrams: 2500, items: 12, reason: 'The scale was wrong' };
  expect(await weighOrderAndAdjustCredit(program.db, laundryCommand(), weighing, now)).toEqual({ status: 'done' });
  await moveOrder(program.db, orderid, 'queue', now, { bonusTime: 'sign-up' });
  expect(await readBalance(program.db, who.userid)).toBe(20_000 - 9500);
  expect(await pay(who, orderid, asPaise(4750))).toEqual(fail(paymentError('already-paid')));
  const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid });
  expect(data).toMatchObject({ rest: 0, wallet: null, paid: [{ method: 'wallet', amount: HALF }], returned: HALF - 9500, ways: [] });
  expect(await readBalance(program.db, who.userid)).toBe(20_000 - 9500);
  expect(await debits(who)).toEqual([{ amount_paise: HALF }]);
});

test('a wallet payment stays readable after delivery', async () => {
  const who = await payer({ stage: 'delivery' });
  await pay(who, who.orderid);
  await moveOrder(program.db, who.orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  expect(await readPayment(who, who.orderid)).toMatchObject({ message: 'Already Paid', data: [{ walletpayment: HALF }] });
});

test('rejects a payment that exceeds the balance', async () => {
  const who = await payer({ rupees: 143 });
  expect(await pay(who, who.orderid)).toEqual(fail(paymentError('insufficient-balance')));
  expect(await readBalance(program.db, who.userid)).toBe(14_300);
  expect(await debits(who)).toEqual([]);
});

test('rejects a payment if less than half is unpaid', async () => {
  const who = await payer();
  await byHand({ orderid: who.orderid, method: 'cash', amountPaise: asPaise(14_308) });
  expect(await pay(who, who.orderid)).toMatchObject({ response: 'error', ...paymentError('nothing-to-pay') });
  expect(await readBalance(program.db, who.userid)).toBe(20_000);
});

test('cash received earlier reduces the amount left after the wallet payment', async () => {
  const who = await payer();
  await byHand({ orderid: who.orderid, method: 'cash', amountPaise: asPaise(10_000) });
  expect(await readPayment(who, who.orderid)).toMatchObject({ data: [{ total_amount: 28_614, walletpayment: HALF, left: 4307 }] });
  await pay(who, who.orderid);
  expect(await readPayment(who, who.orderid)).toMatchObject({ message: 'Already Paid', data: [{ walletpayment: HALF, left: 4307 }] });
  const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid });
  expect(data?.rest).toBe(4307);
  const orders = await who.caller.send(getOrders, { userid: who.userid });
  expect(orders.data?.map(({ amount_paid }) => amount_paid)).toEqual([10_000 + HALF]);
});

test('ignores the balance of the request', async () => {
  const who = await payer();
  const response = await who.caller.send(payWithWallet, {
    userid: who.userid,
    orderid: who.orderid,
    walletpayment: HALF,
    walletbalance: -1e9,
  });
  expect(response.response).toBe('success');
});

describe('M5: a forged or stale amount writes nothing', () => {
  const FORGED: readonly number[] = [-143.07, 0, -0, 0.01, 143.06, 143.08, 286.14];
  const INEXACT: readonly unknown[] = [143.070_001, 143.075, 1e15, 9_007_199_254_740_992, 1e308];
  const OTHER_TYPES: readonly unknown[] = ['143.07', 'NaN', '', null, [143.07], [], {}, { value: 143.07 }, true];

  test.each([
    ...FORGED.map((value) => [value, 200, paymentError('wallet-payment-failed', { email })] as const),
    ...[...INEXACT, ...OTHER_TYPES].map((value) => [value, 400, { message: expect.any(String) as string }] as const),
  ])('rejects the walletpayment %j', async (walletpayment, status, failure) => {
    const who = await payer();
    const { statusCode, body } = await who.caller.post(payWithWallet.path, { userid: who.userid, orderid: who.orderid, walletpayment });
    expect(statusCode).toBe(status);
    expect(JSON.parse(body)).toMatchObject({ ...failure, response: 'error', data: null });
    expect(await debits(who)).toEqual([]);
    expect(await readBalance(program.db, who.userid)).toBe(20_000);
  });

  test.each(['NaN', 'Infinity', '-Infinity', '1e999', '0x10'])('walletpayment %s, which is no JSON or no number', async (text) => {
    const who = await payer();
    const { statusCode } = await who.caller.post(payWithWallet.path, `{"orderid":"${who.orderid}","walletpayment":${text}}`);
    expect(statusCode).toBe(400);
    expect(await debits(who)).toEqual([]);
  });

  test("another customer's order and an unknown one get the same response", async () => {
    const [who, other] = [await payer(), await payer()];
    for (const orderid of [other.orderid, 'NOSUCHORDER0']) {
      const notFound = {
        response: 'error',
        message: `No order found with order number ${orderid}`,
        code: 'order-not-found',
        params: { orderid },
        data: null,
      };
      expect(await pay(who, orderid)).toEqual(notFound);
      expect(await readPayment(who, orderid)).toEqual(notFound);
    }
    expect([...(await debits(who)), ...(await debits(other))]).toEqual([]);
  });

  test('rejects the half of another order of the customer', async () => {
    const who = await payer();
    const { orderid } = await place(who, { detergent: '' });
    await weighOrder(program.db, orderid, 2000, 3, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    expect(await pay(who, orderid)).toMatchObject({ ...paymentError('wallet-payment-failed', { email }) });
    expect(await pay(who, who.orderid, asPaise(3800))).toMatchObject({ ...paymentError('wallet-payment-failed', { email }) });
    expect(await debits(who)).toEqual([]);
  });

  test('a guest has no wallet', async () => {
    const who = await payer();
    const guest = await newSession(program, who.userid, 'guest');
    await expect(guest.send(payWithWallet, { orderid: who.orderid, walletpayment: HALF })).rejects.toThrow(CallRefused);
    expect(await debits(who)).toEqual([]);
  });
});

test('a tid grants access to its payment only; unknown tids get one and the same response', async () => {
  const who = await payer();
  await pay(who, who.orderid);
  const { tid } = await program.db.selectFrom('payments').select('tid').where('order_id', '=', who.orderid).executeTakeFirstOrThrow();
  const stranger = program.caller();
  const response = await stranger.post(getPaymentDetails.path, { tid });
  expect(response.json()).toEqual({
    response: 'success',
    message: 'Payment received',
    data: [
      {
        total_amount: 286.14,
        name: 'Meera Nair',
        orderid: who.orderid,
        total_items: 12,
        total_weight: 7.53,
        pg_date: '2026-11-21 10:30:00',
        pg_transactionid: expect.any(String) as string,
        pg_amount: 143.07,
        is_cancelled: false,
        is_paid_in_cash: false,
        is_held: false,
        returned: 0,
      },
    ],
  });
  for (const secret of [who.userid, who.mobile, '9876501234', 'Tower B']) expect(response.body).not.toContain(secret);
  const others = [tid.toLowerCase(), tid.slice(1), `${tid}A`, '../..', "' or 1=1 --", who.orderid];
  const bodies = await Promise.all(others.map(async (tid) => (await stranger.post(getPaymentDetails.path, { tid })).body));
  expect(new Set(bodies)).toEqual(
    new Set([JSON.stringify({ response: 'error', message: 'Payment pending', code: 'payment-pending', params: {}, data: null })]),
  );
});

test('an overpayment in cash is credited to the wallet once', async () => {
  const who = await payer({ stage: 'delivery' });
  await pay(who, who.orderid);
  await byHand({ orderid: who.orderid, method: 'cash', amountPaise: asPaise(15_000), mayOverpay: true });
  expect(await readBalance(program.db, who.userid)).toBe(5693 + 693);
  const { data } = await who.caller.send(getOrderPayments, { userid: who.userid, orderid: who.orderid });
  expect(data).toMatchObject({
    rest: 0,
    ways: [],
    paid: [
      { method: 'wallet', amount: HALF },
      { method: 'cash', amount: 15_000 },
    ],
  });
  expect(isSound(await auditLedger(program.db))).toBe(true);
});

test('the payments of an order state what the wallet would pay', async () => {
  const who = await payer({ rupees: 0 });
  const { userid, orderid, caller } = who;
  const payments = async () => (await caller.send(getOrderPayments, { userid, orderid })).data;
  const credit = (amountPaise: number) =>
    creditWallet(program.db, {
      customerId: userid,
      kind: 'promotion',
      amountPaise: asPaise(amountPaise),
      reason: 'A test',
      reference: `test:${newId()}`,
      at: program.clock.now(),
    });
  expect(await payments()).toMatchObject({ rest: 2 * HALF, wallet: null, ways: ['gateway', 'upi'] });
  await credit(HALF - 1);
  expect(await payments()).toMatchObject({ wallet: { balance: HALF - 1, pays: HALF, covered: false } });
  await credit(1);
  expect(await payments()).toMatchObject({ wallet: { balance: HALF, pays: HALF, covered: true } });
  await credit(100);
  expect(await payments()).toMatchObject({ wallet: { balance: HALF + 100, pays: HALF, covered: true } });
  await pay(who, orderid);
  expect(await payments()).toMatchObject({ rest: HALF, wallet: null, paid: [{ method: 'wallet', amount: HALF }] });
});

test('the payments of an order before its weighing have no amount and no part of the wallet', async () => {
  const { userid, orderid, caller } = await payer({ stage: 'pickup' });
  const { data } = await caller.send(getOrderPayments, { userid, orderid });
  expect(data).toMatchObject({ rest: null, wallet: null, paid: [], returned: 0, ways: [] });
});

test('the payments of an unknown order are refused with its number', async () => {
  const { userid, caller } = await payer({ rupees: 0 });
  expect(await caller.send(getOrderPayments, { userid, orderid: 'UNKNOWN' })).toEqual(
    fail(orderError('order-not-found', { orderid: 'UNKNOWN' })),
  );
});

test('the first path segment of a call is no code of a result page', async () => {
  const { paths } = (await program.caller().get('openapi.json')).json() as { paths: Record<string, object> };
  const folders = Object.keys(paths).map((path) => path.split('/')[1] ?? '');
  expect(folders.filter((folder) => !NO_RESULT_CODES.includes(folder))).toEqual([]);
});

test.each(STAGES)(
  'in stage $stage the database allows a wallet payment as the table of stages does',
  async ({ stage, walletPayment: allowed }) => {
    const { userid, orderid } = await payer({ stage });
    const at = program.clock.now();
    const debit = { kind: 'paid', walletPaise: -HALF, reason: 'A test', customerId: userid, orderId: orderid, at } as const;
    const references = { entryId: newId(), reference: `order:${orderid}:wallet` };
    const payment = { tid: newId().padEnd(22, '0').slice(0, 22), paymentReference: newId(), amountPaise: HALF, duePaise: 2 * HALF };
    const outcome = await insertWalletPayment(program.db, { ...debit, ...references }, payment);
    expect(outcome).toBe(allowed ? 'paid' : 'wrong-stage');
  },
);
