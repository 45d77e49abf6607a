/**
 * UPI payments that customers reported as paid, until the owner has compared them with the bank.
 * docs/decisions/0077.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { getOrder } from '../orders/contract.ts';
import { cancelOrder } from '../orders/cancelling-service.server.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { getOrderPayments, getPaymentDetails, reportPaid, startPayment } from '../payments/contract.ts';
import { reconcile } from '../payments/service.server.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { getBoard } from './desk/board-contract.ts';
import { getDeskOrder, listOrders, moveBack, receive } from './desk/contract.ts';
import { confirmUpi, dismissUpi, listUpiPayments, upiError } from './desk/upi-contract.ts';

const program = useProgram();

let owner: TestStaff;
let rider: TestStaff;

beforeEach(async () => {
  [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
});

/** 10 kg at ₹38. */
const DUE = asPaise(38_000);

/** Begins a UPI payment for an order in the queue, and reports it as paid. */
async function reported(customer: OrderingCustomer) {
  const { orderid } = await place(customer);
  await weighOrder(program.db, orderid, 10_000, 10, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  const { data } = await customer.caller.send(startPayment, { userid: customer.userid, orderid, method: 'upi', amount: DUE });
  const { tid = '', url = '' } = data ?? {};
  await customer.caller.send(reportPaid, { userid: customer.userid, orderid, tid });
  return { orderid, tid, reference: /[?&]tr=([^&]+)/.exec(url)?.[1] ?? '' };
}

const orderOf = async (orderid: string) => (await rider.caller.send(getDeskOrder, { orderid })).data;
const waiting = async (orderid: string) =>
  (await owner.caller.send(listUpiPayments, { day: '2026-11-21' })).data?.begun.filter((row) => row.orderid === orderid);
const inCash = (orderid: string) => rider.caller.send(receive, { orderid, method: 'cash', amount: DUE }, newKey());
const confirm = ({ orderid, reference }: { orderid: string; reference: string }, by = owner, option = newKey()) =>
  by.caller.send(confirmUpi, { orderid, reference }, option);
const dismiss = ({ orderid, reference }: { orderid: string; reference: string }, by = owner, option = newKey()) =>
  by.caller.send(dismissUpi, { orderid, reference, reason: 'Not on the statement' }, option);

test('the staff sees an online payment that is not confirmed, until it is received or nothing is left to pay', async () => {
  const begin = async () => {
    const customer = await newOrderingCustomer(program);
    const { orderid } = await place(customer);
    await weighOrder(program.db, orderid, 10_000, 10, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    expect([(await orderOf(orderid))?.begun_online, await listed(orderid)]).toEqual([null, null]);
    const { data } = await customer.caller.send(startPayment, { userid: customer.userid, orderid, method: 'gateway', amount: DUE });
    const begun = { amount: DUE, begun_at: kolkataDateTime(program.clock.now()) };
    expect([(await orderOf(orderid))?.begun_online, await listed(orderid)]).toEqual([begun, begun]);
    return { orderid, tid: data?.tid ?? '' };
  };
  const listed = async (orderid: string) =>
    (await rider.caller.send(listOrders, { stage: 'queue' })).data?.orders.find((order) => order.orderid === orderid)?.begun_online;
  const [online, cash] = [await begin(), await begin()];
  const settled = { state: 'received', settled_at: program.clock.now(), transaction_id: 'a transaction' } as const;
  await program.db.updateTable('payments').set(settled).where('tid', '=', online.tid).execute();
  expect(await inCash(cash.orderid)).toMatchObject({ response: 'success' });
  for (const { orderid } of [online, cash]) expect([(await orderOf(orderid))?.begun_online, await listed(orderid)]).toEqual([null, null]);
});

test('a reported payment waits for the owner after the order was paid in cash, also for more than 30 days', async () => {
  const customer = await newOrderingCustomer(program);
  const payment = await reported(customer);
  const { orderid } = payment;
  const row = {
    orderid,
    amount: DUE,
    reference: payment.reference,
    begun_at: kolkataDateTime(program.clock.now()),
    reported_at: kolkataDateTime(program.clock.now()),
  };
  expect(await waiting(orderid)).toEqual([{ ...row, left_to_pay: DUE }]);
  const { data: board } = await owner.caller.send(getBoard, {});
  expect(board?.reported_upi).toBeGreaterThan(0);
  expect((await rider.caller.send(getBoard, {})).data?.reported_upi).toBeNull();
  expect((await inCash(orderid)).data).toMatchObject({ left_to_pay: 0, begun_upi: { ...row, left_to_pay: 0 } });
  expect(await waiting(orderid)).toEqual([{ ...row, left_to_pay: 0 }]);
  const { data } = await rider.caller.send(listOrders, { stage: 'queue' });
  expect(data?.orders.find((order) => order.orderid === orderid)?.reported_upi).toEqual({ ...row, left_to_pay: 0 });
  const seen = await customer.caller.send(getOrderPayments, { userid: customer.userid, orderid });
  expect(seen.data).toMatchObject({ rest: 0, upi: { tid: payment.tid, reported_at: row.reported_at }, dismissed_upi: null });
  program.clock.advance(31 * DAY_SECONDS);
  await reconcile(
    { db: program.db, payee: undefined, gateway: undefined, onFailure: expect.fail },
    program.clock.now(),
    new AbortController().signal,
  );
  owner = await newStaff(program, 'owner');
  expect(await waiting(orderid)).toEqual([{ ...row, left_to_pay: 0 }]);
});

describe('the money arrived', () => {
  test('for an order that is not paid: it is paid, once', async () => {
    const customer = await newOrderingCustomer(program);
    const payment = await reported(customer);
    const results = await Promise.all(Array.from({ length: 8 }, async () => confirm(payment)));
    expect(results.map((result) => (result.response === 'success' ? 'success' : result.code)).toSorted()).toEqual([
      'success',
      ...Array<string>(7).fill('upi-settled'),
    ]);
    expect(await orderOf(payment.orderid)).toMatchObject({
      left_to_pay: 0,
      begun_upi: null,
      payments: [{ method: 'upi', amount: DUE, received_by: owner.name }],
    });
    expect(await waiting(payment.orderid)).toEqual([]);
    expect(await dismiss(payment)).toEqual(fail(upiError('upi-settled')));
    expect(await readBalance(program.db, customer.userid)).toBe(0);
  });

  test('after cash was noted: it goes to the wallet, and the result page says so', async () => {
    const customer = await newOrderingCustomer(program);
    const payment = await reported(customer);
    await inCash(payment.orderid);
    const option = newKey();
    expect(await confirm(payment, owner, option)).toMatchObject({ response: 'success', data: { left_to_pay: 0, begun_upi: null } });
    expect(await confirm(payment, owner, option)).toMatchObject({ response: 'success' });
    expect(await readBalance(program.db, customer.userid)).toBe(DUE);
    expect(isSound(await auditLedger(program.db))).toBe(true);
    const { data } = await program.caller().send(getPaymentDetails, { tid: payment.tid });
    expect(data).toMatchObject([{ pg_amount: DUE, returned: DUE, is_paid_in_cash: true }]);
    const audit = await program.db
      .selectFrom('staff_audit')
      .select(['action', 'after'])
      .where('staff_id', '=', owner.personid)
      .where('subject_id', '=', payment.orderid)
      .execute();
    expect(audit).toEqual([{ action: 'receive-payment', after: { received_paise: 2 * DUE, credited_paise: DUE } }]);
  });

  test('while cash is noted: the customer pays once, in either order', async () => {
    const customer = await newOrderingCustomer(program);
    const payment = await reported(customer);
    await Promise.all([inCash(payment.orderid), confirm(payment)]);
    const order = await orderOf(payment.orderid);
    expect(order?.left_to_pay).toBe(0);
    const paidPaise = order?.payments.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
    expect(await readBalance(program.db, customer.userid)).toBe(paidPaise - DUE);
  });

  test('for an order that was cancelled, and for one of a guest', async () => {
    const customer = await newOrderingCustomer(program);
    const payment = await reported(customer);
    await cancelOrder(
      { db: program.db, readPaidPaise },
      laundryCommand(),
      { orderid: payment.orderid, reason: 'A double order' },
      program.clock.now(),
    );
    expect(await waiting(payment.orderid)).toMatchObject([{ left_to_pay: 0 }]);
    const count = async () => (await owner.caller.send(getBoard, {})).data?.reported_upi ?? 0;
    const before = await count();
    await confirm(payment);
    expect(await count()).toBe(before - 1);
    expect(await readBalance(program.db, customer.userid)).toBe(DUE);
    const guest = await newOrderingGuest(program);
    const unassigned = await reported(guest);
    await inCash(unassigned.orderid);
    expect(await confirm(unassigned)).toMatchObject({ response: 'success' });
    expect(await readBalance(program.db, guest.userid)).toBe(0);
    const { data } = await program.caller().send(getPaymentDetails, { tid: unassigned.tid });
    expect(data).toMatchObject([{ returned: DUE, is_held: true }]);
  });
});

test('a reported payment of an order that was moved back to its pickup is not due, but goes to no wallet', async () => {
  const customer = await newOrderingCustomer(program);
  const payment = await reported(customer);
  const { orderid } = payment;
  const { version } = (await orderOf(orderid))!;
  expect(await owner.caller.send(moveBack, { orderid, version, reason: 'Weighed wrongly' })).toMatchObject({ response: 'success' });
  expect(await orderOf(orderid)).toMatchObject({ washing_stage: 'pickup', left_to_pay: null, begun_upi: { left_to_pay: DUE } });
  expect(await waiting(orderid)).toMatchObject([{ left_to_pay: DUE }]);
  expect(await confirm(payment)).toMatchObject({ response: 'success' });
  expect(await readBalance(program.db, customer.userid)).toBe(0);
});

describe('the money did not arrive', () => {
  test('the customer reads it with the reason, once, and pays', async () => {
    const customer = await newOrderingCustomer(program);
    const { userid } = customer;
    const payment = await reported(customer);
    const { orderid, tid } = payment;
    const at = kolkataDateTime(program.clock.now());
    const results = await Promise.all(Array.from({ length: 8 }, async () => dismiss(payment)));
    expect(results.filter(({ response }) => response === 'success')).toHaveLength(1);
    const dismissed = { amount: DUE, reported_at: at, dismissed_at: at, reason: 'Not on the statement' };
    expect(await orderOf(orderid)).toMatchObject({ left_to_pay: DUE, begun_upi: null, dismissed_upi: dismissed });
    expect(await waiting(orderid)).toEqual([]);
    const { data } = await customer.caller.send(getOrderPayments, { userid, orderid });
    expect(data).toMatchObject({ rest: DUE, upi: null, dismissed_upi: { tid, ...dismissed } });
    const { history } = (await customer.caller.send(getOrder, { userid, orderid })).data?.[0] ?? {};
    expect(history?.filter(({ kind }) => kind === 'payment-dismissed')).toEqual([
      { kind: 'payment-dismissed', at, amount: DUE, reason: 'Not on the statement' },
    ]);
    const again = await customer.caller.send(startPayment, { userid, orderid, method: 'upi', amount: DUE });
    expect(again.data?.tid).not.toBe(tid);
    expect((await customer.caller.send(getOrderPayments, { userid, orderid })).data?.upi).toMatchObject({ reported_at: null });
  });

  test('is corrected when it arrives later', async () => {
    const customer = await newOrderingCustomer(program);
    const payment = await reported(customer);
    await dismiss(payment);
    expect(await confirm(payment)).toMatchObject({ response: 'success', data: { left_to_pay: 0, dismissed_upi: null } });
    const { userid } = customer;
    const { data } = await customer.caller.send(getOrderPayments, { userid, orderid: payment.orderid });
    expect(data).toMatchObject({ rest: 0, paid: [{ method: 'upi', amount: DUE }], upi: null, dismissed_upi: null });
  });
});

test('a payment of another order, an unknown one and an opened code are not settled', async () => {
  const customer = await newOrderingCustomer(program);
  const [payment, other] = [await reported(customer), await reported(await newOrderingCustomer(program))];
  const wrong = [
    { ...payment, reference: newId() },
    { ...payment, reference: other.reference },
  ];
  for (const each of wrong) {
    expect(await confirm(each)).toEqual(fail(upiError('upi-not-found')));
    expect(await dismiss(each)).toEqual(fail(upiError('upi-not-found')));
  }
  await program.db.updateTable('payments').set({ reported_at: null }).where('tid', '=', other.tid).execute();
  expect(await dismiss(other)).toEqual(fail(upiError('upi-not-found')));
  const abandoned = await reported(await newOrderingCustomer(program));
  const failed = { state: 'failed', settled_at: program.clock.now(), reported_at: null } as const;
  await program.db.updateTable('payments').set(failed).where('tid', '=', abandoned.tid).execute();
  expect(await dismiss(abandoned)).toEqual(fail(upiError('upi-not-found')));
  expect(await confirm(other)).toMatchObject({ response: 'success' });
});
