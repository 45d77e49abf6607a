/** The deletion of an account whose number had another owner before. docs/decisions/0039. */
import { expect, test } from 'vitest';
import { signUpCustomer, verifyMobile } from '../../../test/support/customer.ts';
import { moveOutForDelivery, newOrderingGuest, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { transaction } from '../../db/database.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { addClaim } from '../claims/contract.ts';
import { settleClaim } from '../claims/service.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { moveOrder } from '../orders/service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { exportCustomer } from './service.server.ts';
import { checkDeletion, deleteAccount, privacyError } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });

/** A guest with an overpaid order, an order under way and an open report about each of them. */
async function newFormerOwner() {
  const guest = await newOrderingGuest(program);
  const orderids: string[] = [];
  for (const isDelivered of [true, false]) {
    const { orderid } = await place(guest, {}, { idempotencyKey: newId() });
    await moveOutForDelivery(program, orderid);
    const cash = { orderid, method: 'cash', amountPaise: asPaise(19_600), mayOverpay: true } as const;
    await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
    if (isDelivered) await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
    const { response } = await guest.caller.send(addClaim, { orderid, kind: 'missing', message: 'The red sari is missing' });
    expect(response).toBe('success');
    orderids.push(orderid);
  }
  return { ...guest, orderids };
}

async function stored(orderids: readonly string[]) {
  const { db } = program;
  const orders = db.selectFrom('orders').select(['id', 'ship_name', 'ship_mobile', 'ship_address1', 'guest_session_hash', 'stage']);
  const claims = db.selectFrom('claims').innerJoin('claim_messages', 'claim_id', 'claims.id').select(['order_id', 'message', 'status']);
  return {
    orders: await orders.where('id', 'in', orderids).orderBy('id').execute(),
    claims: await claims.where('order_id', 'in', orderids).orderBy('order_id').execute(),
    events: await db.selectFrom('order_events').selectAll().where('order_id', 'in', orderids).orderBy('id').execute(),
  };
}

const customersOf = async (orderids: readonly string[]) => ({
  orders: await program.db.selectFrom('orders').select('customer_id').distinct().where('id', 'in', orderids).execute(),
  claims: await program.db.selectFrom('claims').select('customer_id').distinct().where('order_id', 'in', orderids).execute(),
});

test('a deletion neither shows nor changes the older guest orders of an earlier owner of the number', async () => {
  const { mobile, orderids } = await newFormerOwner();
  program.clock.advance(200 * DAY_SECONDS);
  const before = await stored(orderids);
  expect(before.claims).toHaveLength(2);

  for (let cycle = 0; cycle < 2; cycle += 1) {
    const { caller, userid } = await signUpCustomer(program, { mobile });
    expect((await caller.send(checkDeletion, { userid })).data).toEqual({ obstacles: [], loss: 0 });
    program.clock.advance(31);
    await verifyMobile(program, caller, mobile, 'deletion');
    expect(await caller.send(deleteAccount, { userid })).toMatchObject({ response: 'success' });
    program.clock.advance(31);

    expect(await stored(orderids)).toEqual(before);
    // They belong to a guest with the number, whose orders a terminal command can still erase.
    const { id } = await program.db.selectFrom('customers').select('id').where('mobile', '=', mobile).executeTakeFirstOrThrow();
    expect(id).not.toBe(userid);
    expect(await customersOf(orderids)).toEqual({ orders: [{ customer_id: id }], claims: [{ customer_id: id }] });
    expect((await exportCustomer(program.db, { id }, program.clock.now()))?.hiddenOrders).toBe(2);
  }
});

test('a deletion covers the guest orders of the last 60 days', async () => {
  const { mobile } = await newFormerOwner();
  program.clock.advance(31);
  const { caller, userid } = await signUpCustomer(program, { mobile });
  const { data } = await caller.send(checkDeletion, { userid });
  expect(data?.obstacles.map(({ kind }) => kind)).toEqual(['orders-open', 'reports-open']);
});

test('without a code, a check shows neither reports nor money of guest orders, which the deletion covers', async () => {
  const { mobile, userid, orderids } = await newFormerOwner();
  const caller = await newSession(program, userid, 'customer');
  const check = async () => (await caller.send(checkDeletion, { userid })).data;
  const remove = (givesUpPaise: number) => caller.send(deleteAccount, { userid, gives_up: asPaise(givesUpPaise) });
  const open = { kind: 'orders-open', orderids: [], guest_orders: 1 };
  expect(await check()).toEqual({ obstacles: [open], loss: 0 });
  // Another browser and another purpose prove nothing to this one.
  await verifyMobile(program, program.caller(), mobile, 'deletion');
  program.clock.advance(31);
  await verifyMobile(program, caller, mobile, 'export');
  program.clock.advance(31);
  expect(await check()).toEqual({ obstacles: [open], loss: 0 });

  await verifyMobile(program, caller, mobile, 'deletion');
  const reported = { kind: 'reports-open', orderids: [], guest_orders: 2 };
  expect(await check()).toEqual({ obstacles: [open, reported], loss: 24_000 });
  await moveOrder(program.db, orderids[1]!, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  const claims = await program.db.selectFrom('claims').select('id').where('order_id', 'in', orderids).execute();
  const settled = { message: 'Settled', amountPaise: asPaise(0) };
  for (const { id } of claims) await settleClaim(program.db, { id, ...settled }, program.clock.now());
  expect(await remove(0)).toMatchObject(privacyError('wallet-not-empty', { amount: '240' }));
  expect(await check()).toEqual({ obstacles: [], loss: 24_000 });
  expect(await remove(24_000)).toMatchObject({ response: 'success' });
});
