import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { transaction } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { getOrder } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { getTransactions } from '../wallet/contract.ts';
import { auditLedger, creditWallet, isSound, reverseGrant } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import {
  getOrderPayments,
  getPaymentDetails,
  payWithWallet,
  walletPayment,
  type PaymentMethod,
  type PaymentState,
} from '../payments/contract.ts';
import { readOrderWithPayments } from '../payments/queries-service.server.ts';
import { recordManualPaymentOnce, reverseManualPayment, type ManualPayment } from './service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram();

/** The amount of 7.53 kg at ₹38. Half of it is ₹143.07. */
const DUE = asPaise(28_614);
const HALF = asPaise(14_307);

async function debtor(percentOff = 0) {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  if (percentOff > 0) {
    const offer = { offer_id: newId(), offer_percent: percentOff, order_rate_paise: 0 };
    await program.db.updateTable('orders').set(offer).where('id', '=', orderid).execute();
  }
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  return { ...customer, orderid };
}
type Debtor = Awaited<ReturnType<typeof debtor>>;

const receive = ({ orderid }: Pick<Debtor, 'orderid'>, paise: number, options: Partial<ManualPayment> = {}) =>
  transaction(program.db, (tx) =>
    recordManualPaymentOnce(
      tx,
      laundryCommand(),
      { orderid, method: 'cash', amountPaise: asPaise(paise), ...options },
      program.clock.now(),
    ),
  );

async function received(who: Debtor, paise: number, options: Partial<ManualPayment> = {}): Promise<string> {
  const result = await receive(who, paise, options);
  if (result.status !== 'recorded') throw new Error(result.status);
  program.clock.advance(1);
  return result.reference;
}

const reverse = (reference: string, reason = 'A wrong order') =>
  reverseManualPayment(program.db, laundryCommand(), { reference, reason }, program.clock.now());
const restOf = async ({ caller, userid, orderid }: Debtor) => (await caller.send(getOrderPayments, { userid, orderid })).data;
const balance = ({ userid }: Debtor) => readBalance(program.db, userid);
const credit = ({ userid: customerId }: Debtor, paise: number, reference = `test:${newId()}`) =>
  creditWallet(program.db, {
    customerId,
    reference,
    kind: 'compensation',
    reason: 'A test',
    amountPaise: asPaise(paise),
    at: program.clock.now(),
  });
const paymentsOf = ({ orderid }: Debtor) => program.db.selectFrom('payments').selectAll().where('order_id', '=', orderid).execute();

describe('recordManualPaymentOnce', () => {
  test('records a payment with the order as it is afterwards', async () => {
    const who = await debtor();
    expect(await receive(who, 10_000, { note: 'At the door' })).toMatchObject({
      status: 'recorded',
      overpaidPaise: 0,
      order: {
        orderid: who.orderid,
        name: 'Meera Nair',
        stage: 'queue',
        weightGrams: 7530,
        items: 12,
        finalPaise: DUE,
        unpaidPaise: DUE - 10_000,
        payments: [{ method: 'cash', amountPaise: 10_000, note: 'At the door', reversal: null, receivedAt: program.clock.now() }],
      },
    });
  });

  test('refuses an equal payment, also if it may overpay', async () => {
    const who = await debtor();
    const reference = await received(who, 10_000);
    for (const mayOverpay of [false, true]) {
      expect(await receive(who, 10_000, { mayOverpay })).toMatchObject({ status: 'already-recorded', payment: { reference } });
    }
    expect(await paymentsOf(who)).toHaveLength(1);
    expect(await balance(who)).toBe(0);
  });

  test('a note, another amount or another method is another payment', async () => {
    const who = await debtor();
    await received(who, 10_000);
    await received(who, 10_000, { note: 'The second visit' });
    expect(await receive(who, 10_000, { note: 'The second visit' })).toMatchObject({ status: 'already-recorded' });
    await received(who, 1000);
    await received(who, 1000, { method: 'upi' });
    expect(await restOf(who)).toMatchObject({ rest: DUE - 22_000, returned: 0 });
  });

  test('refuses more than is left, unless it may overpay', async () => {
    const who = await debtor();
    await received(who, 20_000);
    expect(await receive(who, DUE)).toMatchObject({ status: 'exceeds-unpaid', unpaidPaise: DUE - 20_000 });
    expect(await paymentsOf(who)).toHaveLength(1);
    expect(await receive(who, DUE, { mayOverpay: true })).toMatchObject({
      status: 'recorded',
      overpaidPaise: 20_000,
      isCredited: true,
      order: { unpaidPaise: 0 },
    });
    expect(await balance(who)).toBe(20_000);
  });

  test('refuses an unknown order and an order at pickup', async () => {
    expect(await receive({ orderid: 'NOSUCHORDER0' }, 100)).toEqual({ status: 'order-not-found' });
    const customer = await newOrderingCustomer(program);
    const { orderid } = await place(customer);
    await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
    expect(await receive({ orderid }, 100)).toMatchObject({ status: 'not-payable-yet', order: { finalPaise: DUE, unpaidPaise: null } });
  });

  test('a UPI payment that the customer began receives the note', async () => {
    const who = await debtor();
    await program.db
      .insertInto('payments')
      .values({
        tid: newId().padEnd(22, '0'),
        order_id: who.orderid,
        method: 'upi',
        state: 'pending',
        reference: newId(),
        amount_paise: DUE,
        due_paise: DUE,
        created_at: program.clock.now(),
      })
      .execute();
    await received(who, DUE, { method: 'upi', note: 'UTR 123456789012' });
    expect(await paymentsOf(who)).toMatchObject([{ state: 'received', note: 'UTR 123456789012' }]);
  });
});

test('an order due ₹0 needs no payment, reaches delivered, and credits received money as change', async () => {
  const who = await debtor(100);
  expect(await restOf(who)).toMatchObject({ rest: 0, ways: [], paid: [] });
  expect(await receive(who, 5000)).toMatchObject({ status: 'exceeds-unpaid', unpaidPaise: 0 });
  expect(await receive(who, 5000, { mayOverpay: true })).toMatchObject({ status: 'recorded', overpaidPaise: 5000 });
  expect(await balance(who)).toBe(5000);
  for (const stage of ['washing', 'delivery', 'delivered'] as const) {
    expect(await moveOrder(program.db, who.orderid, stage, program.clock.now(), { bonusTime: 'sign-up' })).toBe('done');
  }
  const { data } = await who.caller.send(getOrder, { userid: who.userid, orderid: who.orderid });
  expect(data).toMatchObject([{ washing_stage: 'delivered', total_amount: 0 }]);
});

describe('reverseManualPayment', () => {
  test('makes the amount due again, keeps the payment, and happens once', async () => {
    const who = await debtor();
    const reference = await received(who, DUE);
    expect(await reverse(reference, 'A wrong order')).toMatchObject({
      status: 'reversed',
      debitedPaise: 0,
      payment: { reference, reversal: { reason: 'A wrong order', at: program.clock.now() } },
      order: { unpaidPaise: DUE },
    });
    expect(await restOf(who)).toMatchObject({ rest: DUE, paid: [], returned: 0 });
    expect(await reverse(reference, 'Another reason')).toMatchObject({
      status: 'already-reversed',
      payment: { reversal: { reason: 'A wrong order' } },
    });
    expect(await paymentsOf(who)).toMatchObject([{ state: 'received', amount_paise: DUE }]);
  });

  test('allows the same payment to be recorded again', async () => {
    const who = await debtor();
    await reverse(await received(who, DUE));
    const again = await received(who, DUE);
    expect(await restOf(who)).toMatchObject({ rest: 0, paid: [{ method: 'cash', amount: DUE }] });
    expect(await reverse(again)).toMatchObject({ status: 'reversed' });
  });

  test('takes back the change, which the wallet shows as a debit', async () => {
    const who = await debtor();
    const reference = await received(who, 30_000, { mayOverpay: true });
    expect(await balance(who)).toBe(30_000 - DUE);
    expect(await reverse(reference)).toMatchObject({ status: 'reversed', debitedPaise: 30_000 - DUE, order: { unpaidPaise: DUE } });
    expect(await balance(who)).toBe(0);
    const { data } = await who.caller.send(getTransactions, { userid: who.userid });
    expect(data?.map(({ t_type, t_amount, t_order }) => [t_type, t_amount, t_order])).toEqual([
      ['paid', 30_000 - DUE, who.orderid],
      ['change', 30_000 - DUE, who.orderid],
    ]);
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('is refused if the customer spent the change, and possible once the wallet covers it', async () => {
    const who = await debtor();
    const reference = await received(who, 2 * DUE, { mayOverpay: true });
    const { orderid } = await place(who, { detergent: '' });
    await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    await who.caller.send(payWithWallet, { userid: who.userid, orderid, walletpayment: HALF });
    const spent = { status: 'change-spent', debitPaise: DUE, balancePaise: HALF, order: { unpaidPaise: 0 } };
    expect(await reverse(reference)).toMatchObject(spent);
    expect(await restOf(who)).toMatchObject({ rest: 0, returned: DUE });
    await credit(who, HALF - 1);
    expect(await reverse(reference)).toMatchObject({ ...spent, balancePaise: DUE - 1 });
    await credit(who, 1);
    expect(await reverse(reference)).toMatchObject({ status: 'reversed', debitedPaise: DUE });
    expect(await balance(who)).toBe(0);
  });

  test('takes back the change of a later payment, and credits again what the order still owes', async () => {
    const who = await debtor();
    const first = await received(who, 10_000);
    const later = await received(who, DUE, { method: 'upi', mayOverpay: true });
    await received(who, 1000, { mayOverpay: true });
    expect(await balance(who)).toBe(11_000);
    // Received without the first payment: ₹296.14, which is ₹10 too much. The wallet covers exactly
    // the difference.
    expect(await reverse(first)).toMatchObject({ status: 'reversed', debitedPaise: 10_000, order: { unpaidPaise: 0 } });
    expect(await balance(who)).toBe(1000);
    expect(await reverse(later)).toMatchObject({ status: 'reversed', debitedPaise: 1000, order: { unpaidPaise: DUE - 1000 } });
    expect(await balance(who)).toBe(0);
    expect(await restOf(who)).toMatchObject({ rest: DUE - 1000, returned: 0 });
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('reverses its own change first, and a covered difference is enough', async () => {
    const who = await debtor();
    const first = await received(who, DUE - 4000);
    await received(who, 10_000, { mayOverpay: true });
    expect(await balance(who)).toBe(6000);
    // ₹60 of change, ₹50 of it still owed by a payment on top.
    await received(who, DUE - 9000, { method: 'upi', mayOverpay: true });
    const { orderid } = await place(who, { detergent: '' });
    await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    await credit(who, HALF - 1000);
    await who.caller.send(payWithWallet, { userid: who.userid, orderid, walletpayment: HALF });
    expect(await balance(who)).toBe(6000 + DUE - 9000 - 1000);
    expect(await reverse(first)).toMatchObject({ status: 'reversed', debitedPaise: DUE - 4000 });
    expect(await balance(who)).toBe(0);
  });

  test('a reversed payment leaves room for a wallet payment and is not shown', async () => {
    const who = await debtor();
    await credit(who, HALF);
    const reference = await received(who, DUE);
    const [row] = await paymentsOf(who);
    const details = () => program.caller().send(getPaymentDetails, { tid: row?.tid ?? '' });
    expect(await details()).toMatchObject({ response: 'success' });
    await reverse(reference);
    expect(await details()).toMatchObject({ response: 'error', code: 'payment-pending' });
    const order = { userid: who.userid, orderid: who.orderid };
    expect(await who.caller.send(walletPayment, order)).toMatchObject({ data: [{ walletpayment: HALF, left: DUE - HALF }] });
    expect(await who.caller.send(payWithWallet, { ...order, walletpayment: HALF })).toMatchObject({ response: 'success' });
    expect(await restOf(who)).toMatchObject({ rest: DUE - HALF });
  });

  test('refuses unknown, pending, wallet and online payments', async () => {
    expect(await reverse('NOSUCHPAYMENT')).toEqual({ status: 'unknown-payment' });
    const who = await debtor();
    await credit(who, HALF);
    await who.caller.send(payWithWallet, { userid: who.userid, orderid: who.orderid, walletpayment: HALF });
    const insert = (method: PaymentMethod, state: PaymentState, reference: string) => {
      const time = program.clock.now();
      const settled = state === 'received' ? { transaction_id: reference, settled_at: time } : {};
      const gateway = method === 'gateway' ? { gateway: 'sandbox' as const } : {};
      const amounts = { amount_paise: 1000, due_paise: DUE, created_at: time };
      const row = { tid: newId().padEnd(22, '0'), order_id: who.orderid, method, state, reference, ...settled, ...gateway, ...amounts };
      return program.db.insertInto('payments').values(row).execute();
    };
    const [pending, online] = [newId(), newId()];
    await insert('upi', 'pending', pending);
    await insert('gateway', 'received', online);
    const order = await readOrderWithPayments(program.db, who.orderid);
    const wallet = order?.payments.find(({ method }) => method === 'wallet');
    expect(await reverse(pending)).toEqual({ status: 'unknown-payment' });
    expect(await reverse(online)).toEqual({ status: 'not-manual', method: 'gateway' });
    expect(await reverse(wallet?.reference ?? '')).toEqual({ status: 'not-manual', method: 'wallet' });
    expect(await restOf(who)).toMatchObject({ rest: DUE - HALF - 1000 });
  });
});

describe('the database refuses', () => {
  const insert = (tid: string, reason = 'A test') =>
    sql`insert into payment_reversals (tid, reason, reversed_at) values (${tid}, ${reason}, ${program.clock.now()})`;

  test.each<[string, (tid: string) => ReturnType<typeof sql>, RegExp]>([
    ['a second reversal', (tid) => insert(tid), /payment_reversals_pkey/],
    ['a changed reversal', () => sql`update payment_reversals set reason = 'Other'`, /reversals are kept/],
    [
      'an erased reason with another fact',
      () => sql`update payment_reversals set reason = 'erased', reversed_at = now()`,
      /reversals are kept/,
    ],
    ['a deleted reversal', () => sql`delete from payment_reversals`, /reversals are kept/],
    ['truncated reversals', () => sql`truncate payment_reversals`, /reversals are kept/],
  ])('%s', async (_what, statement, message) => {
    const who = await debtor();
    await reverse(await received(who, DUE));
    const [row] = await paymentsOf(who);
    await expect(statement(row?.tid ?? '').execute(program.db)).rejects.toThrow(message);
  });

  test('to reverse a wallet payment', async () => {
    const who = await debtor();
    await credit(who, HALF);
    await who.caller.send(payWithWallet, { userid: who.userid, orderid: who.orderid, walletpayment: HALF });
    const [row] = await paymentsOf(who);
    await expect(insert(row?.tid ?? '').execute(program.db)).rejects.toThrow(/only a received cash or UPI payment/);
  });
});

describe('reverseGrant', () => {
  const reverse = (reference: string, reason = 'A mistake') => reverseGrant(program.db, { reference, reason, at: program.clock.now() });

  test('takes a grant back once', async () => {
    const who = await debtor();
    const reference = `grant:${newId()}`;
    await credit(who, 5000, reference);
    expect(await reverse(reference)).toEqual({ status: 'reversed', amountPaise: 5000, reason: 'A mistake' });
    expect(await reverse(reference, 'Again')).toEqual({ status: 'already-reversed', at: program.clock.now(), reason: 'A mistake' });
    expect(await balance(who)).toBe(0);
  });

  test('refuses a spent grant, an unknown one, a reversal and the change of a payment', async () => {
    const who = await debtor();
    const reference = `grant:${newId()}`;
    await credit(who, 20_000, reference);
    await who.caller.send(payWithWallet, { userid: who.userid, orderid: who.orderid, walletpayment: HALF });
    expect(await reverse(reference)).toEqual({ status: 'spent', amountPaise: 20_000, balancePaise: 20_000 - HALF });
    const payment = await received(who, DUE, { mayOverpay: true });
    for (const other of ['grant:NOSUCH', `payment:${payment}:change`, `reversal:${reference}`, `order:${who.orderid}:wallet`]) {
      expect(await reverse(other)).toEqual({ status: 'unknown-credit' });
    }
    expect(await balance(who)).toBe(20_000);
  });
});
