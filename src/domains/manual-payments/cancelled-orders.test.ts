/** The money of cancelled orders, however it was paid. docs/decisions/0047. */
import { describe, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { blockBefore } from '../../../test/support/blocked-statements.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { getOrder, orderError, UNDO_SECONDS } from '../orders/contract.ts';
import { cancelOrder, undoCancellation } from '../orders/cancelling-service.server.ts';
import * as orders from '../orders/service.server.ts';
import { getOrderPayments, getPaymentDetails, payWithWallet, startPayment } from '../payments/contract.ts';
import { decideSandboxPayment } from '../payments/providers/sandbox.server.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { auditLedger, creditWallet, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { readOrderWithPayments } from '../payments/queries-service.server.ts';
import { recordManualPaymentOnce, reverseManualPayment } from './service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram();

/** An order of 7.53 kg at ₹38. */
const DUE = asPaise(28_614);
const HALF = asPaise(14_307);
const CREDIT = asPaise(20_000);

async function debtor(newPerson: (at: typeof program) => Promise<OrderingCustomer> = newOrderingCustomer) {
  const person = await newPerson(program);
  const { orderid } = await place(person);
  await orders.weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await orders.moveOrder(program.db, orderid, 'queue', program.clock.now());
  return { ...person, orderid };
}
type Debtor = Awaited<ReturnType<typeof debtor>>;

const laundry = {
  get db() {
    return program.db;
  },
  readPaidPaise,
};
const cancel = ({ orderid }: Debtor) => cancelOrder(laundry, laundryCommand(), { orderid }, program.clock.now());
const undo = ({ orderid }: Debtor) => undoCancellation(laundry, laundryCommand(), orderid, program.clock.now());
const stageOf = async ({ caller, orderid }: Debtor) => (await caller.send(getOrder, { orderid })).data?.[0]?.washing_stage;
const walletOf = ({ userid }: Debtor) => readBalance(program.db, userid);
const paymentsOf = async ({ caller, orderid }: Debtor) => (await caller.send(getOrderPayments, { orderid })).data;
const receive = (who: Debtor, amountPaise = DUE, mayOverpay = false) =>
  transaction(program.db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid: who.orderid, method: 'cash', amountPaise, mayOverpay }, program.clock.now()),
  );
const credit = ({ userid }: Debtor, amountPaise = CREDIT) =>
  creditWallet(program.db, {
    customerId: userid,
    kind: 'promotion',
    amountPaise,
    reason: 'A test',
    reference: `test:${userid}`,
    at: program.clock.now(),
  });
const payHalf = ({ caller, orderid }: Debtor) => caller.send(payWithWallet, { orderid, walletpayment: HALF });
const expectSound = async () => expect(isSound(await auditLedger(program.db))).toBe(true);

describe('a cancellation refunds', () => {
  test('what was paid from the wallet and in cash, once', async () => {
    const who = await debtor();
    await credit(who);
    await payHalf(who);
    await receive(who, HALF);
    expect(await walletOf(who)).toBe(CREDIT - HALF);
    for (let round = 0; round < 2; round += 1) {
      expect(await cancel(who)).toEqual({ status: 'cancelled', paidPaise: DUE, isCredited: true, undoSeconds: UNDO_SECONDS });
      expect(await walletOf(who)).toBe(CREDIT + HALF);
    }
    expect(await paymentsOf(who)).toMatchObject({
      rest: 0,
      returned: DUE,
      ways: [],
      online: null,
      upi: null,
      paid: [{ amount: HALF }, { amount: HALF }],
    });
    await expectSound();
  });

  test('no change that was credited before', async () => {
    const who = await debtor();
    await receive(who, asPaise(DUE + 5000), true);
    expect(await walletOf(who)).toBe(5000);
    await cancel(who);
    expect(await walletOf(who)).toBe(DUE + 5000);
    expect(await undo(who)).toEqual({ status: 'active', stage: 'queue' });
    expect(await walletOf(who)).toBe(5000);
    await expectSound();
  });

  test('a guest only once an account claims the order', async () => {
    const who = await debtor(newOrderingGuest);
    await receive(who);
    expect(await cancel(who)).toMatchObject({ paidPaise: DUE });
    expect(await walletOf(who)).toBe(0);
  });

  test('a payment that arrives at the gateway after it', async () => {
    const who = await debtor();
    const { data } = await who.caller.send(startPayment, { orderid: who.orderid, method: 'gateway', amount: DUE });
    expect(await cancel(who)).toMatchObject({ paidPaise: 0 });
    await decideSandboxPayment(program.db, data?.url.split('/').at(-1) ?? '', 'paid', program.clock.now());
    expect((await program.caller().send(getPaymentDetails, { tid: data?.tid ?? '' })).data).toMatchObject([
      { pg_amount: DUE, is_cancelled: true, is_paid_in_cash: false, is_held: false, returned: DUE },
    ]);
    expect(await walletOf(who)).toBe(DUE);
    expect(await undo(who)).toEqual({ status: 'active', stage: 'queue' });
    expect(await walletOf(who)).toBe(0);
    expect(await readOrderWithPayments(program.db, who.orderid)).toMatchObject({ stage: 'queue', unpaidPaise: 0 });
    await expectSound();
  });

  test('or of an order that was paid in cash meanwhile, as its result page shows', async () => {
    const who = await debtor();
    const { data } = await who.caller.send(startPayment, { orderid: who.orderid, method: 'gateway', amount: DUE });
    await receive(who, asPaise(DUE));
    await decideSandboxPayment(program.db, data?.url.split('/').at(-1) ?? '', 'paid', program.clock.now());
    expect((await program.caller().send(getPaymentDetails, { tid: data?.tid ?? '' })).data).toMatchObject([
      { pg_amount: DUE, is_cancelled: false, is_paid_in_cash: true, is_held: false, returned: DUE },
    ]);
    expect(await walletOf(who)).toBe(DUE);
  });

  test('also if the laundry notes it after the cancellation, and back from the wallet if it is handed back', async () => {
    const who = await debtor();
    await cancel(who);
    expect(await receive(who)).toMatchObject({ status: 'exceeds-unpaid', unpaidPaise: 0 });
    const received = await receive(who, DUE, true);
    expect(received).toMatchObject({ status: 'recorded', overpaidPaise: DUE });
    expect(await walletOf(who)).toBe(DUE);
    const reference = received.status === 'recorded' ? received.reference : '';
    const reversed = await reverseManualPayment(program.db, laundryCommand(), { reference, reason: 'Handed back' }, program.clock.now());
    expect(reversed).toMatchObject({ status: 'reversed', debitedPaise: DUE });
    expect(await walletOf(who)).toBe(0);
    await expectSound();
  });
});

describe('an undo', () => {
  test('takes the refund back, and a second cancellation returns it again', async () => {
    const who = await debtor();
    await receive(who);
    for (let round = 0; round < 2; round += 1) {
      await cancel(who);
      expect(await walletOf(who)).toBe(DUE);
      expect(await undo(who)).toEqual({ status: 'active', stage: 'queue' });
      expect(await walletOf(who)).toBe(0);
    }
    expect(await readOrderWithPayments(program.db, who.orderid)).toMatchObject({ stage: 'queue', unpaidPaise: 0 });
    await expectSound();
  });

  test('is refused if the refund is spent, and writes nothing', async () => {
    const who = await debtor();
    await receive(who);
    await cancel(who);
    const { orderid } = await place(who, { detergent: '' });
    await orders.weighOrder(program.db, orderid, 7530, 12, program.clock.now());
    await orders.moveOrder(program.db, orderid, 'queue', program.clock.now());
    await payHalf({ ...who, orderid });
    expect(await undo(who)).toEqual({ status: 'spent', debitPaise: DUE, balancePaise: DUE - HALF });
    expect(await stageOf(who)).toBe('cancelled');
    expect(await walletOf(who)).toBe(DUE - HALF);
    await expectSound();
  });

  test('is refused after a minute', async () => {
    const who = await debtor();
    await receive(who);
    await cancel(who);
    program.clock.advance(UNDO_SECONDS);
    expect(await undo(who)).toEqual({ status: 'expired' });
    expect(await walletOf(who)).toBe(DUE);
  });
});

test('a cancelled order is not paid', async () => {
  const who = await debtor();
  await credit(who);
  await cancel(who);
  const cancelled = fail(orderError('order-cancelled'));
  expect(await payHalf(who)).toEqual(cancelled);
  for (const method of ['gateway', 'upi'] as const) {
    expect(await who.caller.send(startPayment, { orderid: who.orderid, method, amount: DUE })).toEqual(cancelled);
  }
  expect(await walletOf(who)).toBe(CREDIT);
});

test('an order that is cancelled during a wallet payment keeps the money in the wallet', async () => {
  const who = await debtor();
  await credit(who);
  const hold = await blockBefore(program, 'insert', 'payments');
  const paying = payHalf(who);
  await hold.reached();
  expect(await cancel(who)).toMatchObject({ status: 'cancelled', paidPaise: 0 });
  await hold.release();
  expect(await paying).toEqual(fail(orderError('order-cancelled')));
  expect(await walletOf(who)).toBe(CREDIT);
});
