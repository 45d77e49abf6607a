/** Payments, refunds and reports in the history that the customer reads. */
import { beforeEach, expect, test } from 'vitest';
import { newOrderingCustomer, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { transaction } from '../../db/database.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { addClaim, addReply } from '../claims/contract.ts';
import { answerClaim, settleClaim } from '../claims/service.server.ts';
import { recordManualPayment, reverseManualPayment } from '../manual-payments/service.server.ts';
import { cancelOrder as cancelOrderOf, undoCancellation } from '../orders/cancelling-service.server.ts';
import { getOrder } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { lockOrder } from '../orders/store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { getTransactions } from '../wallet/contract.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { getOrderPayments, getPaymentDetails, payWithWallet, startPayment } from './contract.ts';
import { readPaidPaise } from './store.server.ts';

const program = useProgram();
/** An order of 7.53 kg at ₹38, and its half. */
const [DUE, HALF] = [asPaise(28_614), asPaise(14_307)];

let customer: OrderingCustomer;
let orderid: string;

beforeEach(async () => {
  customer = await newOrderingCustomer(program);
  ({ orderid } = await place(customer));
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  program.clock.advance(60);
});

const seen = async () => (await customer.caller.send(getOrder, { orderid })).data![0]!;

/** Returns what happened after the order entered the queue, without the time. */
const history = async () =>
  (await seen()).history.slice(3).map(({ at, ...entry }) => {
    expect(at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    return entry;
  });

const byHand = (method: 'cash' | 'upi', amountPaise = HALF) =>
  transaction(program.db, async (tx) => {
    const order = await lockOrder(tx, laundryCommand(), orderid);
    return recordManualPayment(tx, order!, { method, amountPaise, mayOverpay: true }, program.clock.now());
  });

/** Returns the movements of the wallet for the order, the oldest first. */
const movements = async () =>
  ((await customer.caller.send(getTransactions, { userid: customer.userid })).data ?? [])
    .filter(({ t_order: order }) => order === orderid)
    .map(({ t_type: type, t_amount: amount }) => ({ type, amount }))
    .toReversed();

test('each payment is in the history with its method and the amount of the bill', async () => {
  const credit = { kind: 'promotion', amountPaise: HALF, reason: 'A test', reference: newId() } as const;
  await creditWallet(program.db, { ...credit, customerId: customer.userid, at: program.clock.now() });
  await customer.caller.send(payWithWallet, { orderid, walletpayment: HALF });
  const paidByHand = asPaise(1000);
  for (const method of ['cash', 'upi'] as const) {
    program.clock.advance(60);
    await byHand(method, paidByHand);
  }
  const rest = asPaise(DUE - HALF - 2 * paidByHand);
  const started = await customer.caller.send(startPayment, { orderid, method: 'gateway', amount: rest });
  // A payment that has only begun is none.
  expect(await history()).toHaveLength(3);
  program.clock.advance(60);
  await customer.caller.request('POST', `${started.data?.url.replace(/^\//, '')}/pay`);
  await customer.caller.send(getPaymentDetails, { tid: started.data?.tid ?? '' });
  expect(await history()).toEqual([
    { kind: 'paid', method: 'wallet', amount: HALF },
    { kind: 'paid', method: 'cash', amount: paidByHand },
    { kind: 'paid', method: 'upi', amount: paidByHand },
    { kind: 'paid', method: 'gateway', amount: rest },
  ]);
  const { data } = await customer.caller.send(getOrderPayments, { orderid });
  expect(data?.paid.map(({ method, amount }) => ({ kind: 'paid', method, amount }))).toEqual(await history());
});

test('a refund, and its part that a reversal takes back, have the amounts of the wallet', async () => {
  const noted = await byHand('cash', asPaise(DUE + 5000));
  program.clock.advance(60);
  const second = await byHand('upi', asPaise(2000));
  program.clock.advance(DAY_SECONDS);
  const reversal = { reference: 'reference' in noted ? noted.reference : '', reason: 'Another order' };
  await reverseManualPayment(program.db, laundryCommand(), reversal, program.clock.now());
  expect(second.status).toBe('recorded');
  expect(await history()).toEqual([
    { kind: 'paid', method: 'cash', amount: DUE + 5000 },
    { kind: 'refunded', amount: 5000 },
    { kind: 'paid', method: 'upi', amount: 2000 },
    { kind: 'refunded', amount: 2000 },
    {
      kind: 'payment-reversed',
      amount: DUE + 5000,
      paid_at: expect.stringMatching(/^2026-11-21 /) as string,
      reason: 'Another order',
      given_back: true,
    },
    { kind: 'refund-reversed', amount: 7000 },
  ]);
  expect(await movements()).toEqual([
    { type: 'change', amount: 5000 },
    { type: 'change', amount: 2000 },
    { type: 'paid', amount: expect.any(Number) as number },
    { type: 'paid', amount: expect.any(Number) as number },
  ]);
});

test('a cancellation, its undo and its refund are in the history, and no undone refund', async () => {
  await byHand('cash');
  program.clock.advance(60);
  const dependencies = { db: program.db, readPaidPaise };
  await cancelOrderOf(dependencies, laundryCommand(), { orderid, reason: 'The dryer is broken' }, program.clock.now());
  const paid = { kind: 'paid', method: 'cash', amount: HALF };
  const cancelled = [
    { kind: 'cancelled', reason: 'The dryer is broken' },
    { kind: 'refunded', amount: HALF },
  ];
  expect(await history()).toEqual([paid, ...cancelled]);
  program.clock.advance(30);
  await undoCancellation(dependencies, laundryCommand(), orderid, program.clock.now());
  const undone = [cancelled[0], { kind: 'cancellation-undone' }];
  expect(await history()).toEqual([paid, ...undone]);
  program.clock.advance(30);
  await cancelOrderOf(dependencies, laundryCommand(), { orderid, reason: 'The dryer is broken' }, program.clock.now());
  expect(await history()).toEqual([paid, ...undone, ...cancelled]);
});

test('a report, its answers and its compensation are in the history', async () => {
  const { userid, caller } = customer;
  const report = await caller.send(addClaim, { userid, orderid, kind: 'damaged', message: 'The blue shirt has a hole.' });
  const claimid = report.data?.claimid ?? '';
  const later = () => {
    program.clock.advance(60);
    return program.clock.now();
  };
  await answerClaim(program.db, claimid, 'Which shirt?', later());
  later();
  await caller.send(addReply, { userid, claimid, message: 'The one with buttons.' });
  await settleClaim(program.db, { id: claimid, amountPaise: asPaise(25_000), message: 'We are sorry.' }, later());
  const second = await caller.send(addClaim, { userid, orderid, kind: 'late', message: 'It was late.' });
  await settleClaim(program.db, { id: second.data?.claimid ?? '', amountPaise: asPaise(0), message: 'We are sorry.' }, later());
  expect(await history()).toEqual([
    { kind: 'reported' },
    { kind: 'answered' },
    { kind: 'report-continued' },
    { kind: 'settled', amount: 25_000 },
    { kind: 'reported' },
    { kind: 'settled' },
  ]);
  expect(await movements()).toEqual([{ type: 'compensation', amount: 25_000 }]);
});
