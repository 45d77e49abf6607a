/** The clothes of cancelled orders. docs/decisions/0071. */
import { beforeEach, expect, test } from 'vitest';
import { kolkataDateTime } from '../../lib/dates.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { fail } from '../../contract/route.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { newOrderWithStaff, readDeskOrder, readOwnOrder, targetOf, wrongHandOverCode } from '../../../test/support/desk-order.ts';
import { home, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaffSession, type TestStaff } from '../../../test/support/staff.ts';
import { listOpenOrderIds } from '../orders/personal-data-store.server.ts';
import { listOpenOrders } from '../orders/store.server.ts';
import { getBoard } from './desk/board-contract.ts';
import { attempt, cancelDeskOrder, deskError, listOrders, MAX_WRONG_CODES, move, moveBack, weigh } from './desk/contract.ts';
import { assign } from './desk/riders-contract.ts';

const program = useProgram();

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
let customer: OrderingCustomer;
let orderid: string;

beforeEach(async () => {
  ({ owner, operator, rider, customer, orderid } = await newOrderWithStaff(program));
});

const read = (who = owner) => readDeskOrder(who, orderid);
const target = () => targetOf(owner, orderid);
const seenByCustomer = () => readOwnOrder(customer, orderid);
const moved = async (stage: string, who: TestStaff, more: { code?: string; reason?: string; bags?: number } = {}) =>
  who.caller.send(move, { ...(await target()), stage, ...more });
const cancelled = async () => owner.caller.send(cancelDeskOrder, { ...(await target()), reason: 'The dryer is broken' });

/** As the staff does it: in the queue, back to the pickup, cancelled. */
async function cancelCollected() {
  await operator.caller.send(weigh, { ...(await target()), weight: 7530, items: 20, bags: 2 });
  await moved('queue', operator);
  await owner.caller.send(moveBack, { ...(await target()), reason: 'Not for us' });
  expect((await cancelled()).response).toBe('success');
}

/** Whether each of these people has the order on the board, and in the list of the round. */
async function isListed(people: readonly TestStaff[]) {
  const has = (orders: readonly { orderid: string }[] = []) => orders.some((row) => row.orderid === orderid);
  return Promise.all(
    people.map(async ({ caller }) => [
      has((await caller.send(getBoard, {})).data?.columns.cancelled.orders),
      has((await caller.send(listOrders, { stage: 'cancelled', to_return: true })).data?.orders),
    ]),
  );
}
const ON_LISTS = [true, true];
const ON_NO_LIST = [false, false];

test('stay on the lists of the staff and on the page of the customer until they are returned with the code', async () => {
  await cancelCollected();
  expect(await isListed([owner, operator, rider])).toEqual([ON_LISTS, ON_LISTS, ON_LISTS]);
  expect((await listOpenOrders(program.db)).map(({ id }) => id)).toContain(orderid);
  expect(await listOpenOrderIds(program.db, customer.userid)).toEqual([orderid]);
  const before = await seenByCustomer();
  expect(before).toMatchObject({ washing_stage: 'cancelled', to_return: true, returned_date: null, total_items: 20, bags: 2 });
  expect(before.hand_over_code).toMatch(/^\d{4}$/);
  expect(await read(rider)).toMatchObject({ to_return: true, mobile: home.mobile, left_to_pay: 0 });

  expect(await moved('returned', rider)).toEqual(fail(deskError('code-required')));
  const wrong = wrongHandOverCode(before.hand_over_code);
  expect(await moved('returned', rider, { code: wrong })).toEqual(fail(deskError('wrong-hand-over-code', { left: MAX_WRONG_CODES - 1 })));
  expect(await moved('delivered', owner, { reason: 'By mistake' })).toEqual(fail(deskError('wrong-stage')));

  const returned = await moved('returned', rider, { code: before.hand_over_code ?? '', bags: 2 });
  expect(returned.data).toMatchObject({ washing_stage: 'cancelled', to_return: false, undo_seconds: 60, mobile: null });
  const { after } = await program.db
    .selectFrom('staff_audit')
    .select('after')
    .where('subject_id', '=', orderid)
    .where('action', '=', 'move-order')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(after).toEqual({ returned: true, counted_bags: 2 });
  expect(returned.data?.history.at(-1)).toMatchObject({ kind: 'returned', bags: 2, by: { name: rider.name } });
  expect(await seenByCustomer()).toMatchObject({ to_return: false, returned_date: '2026-11-21 10:30:00', hand_over_code: null });
  expect(await isListed([owner, operator, rider])).toEqual([ON_NO_LIST, ON_NO_LIST, ON_NO_LIST]);
  expect(await listOpenOrderIds(program.db, customer.userid)).toEqual([]);
  expect(await moved('returned', owner, { reason: 'Twice' })).toEqual(fail(deskError('wrong-stage')));
});

test('have a rider and failed visits, and are seen by riders on every later day', async () => {
  await cancelCollected();
  await operator.caller.send(assign, { ...(await target()), rider: rider.personid });
  program.clock.advance(5 * DAY_SECONDS);
  rider = { ...rider, caller: await newStaffSession(program, rider.personid) };
  owner = { ...owner, caller: await newStaffSession(program, owner.personid) };
  expect(await isListed([rider])).toEqual([ON_LISTS]);
  await rider.caller.send(attempt, { ...(await target()), why: 'nobody-home' });
  expect((await seenByCustomer()).attempt).toMatchObject({ why: 'nobody-home' });
  const { data } = await rider.caller.send(listOrders, { stage: 'cancelled', to_return: true });
  expect(data?.orders.find((row) => row.orderid === orderid)).toMatchObject({
    rider: { personid: rider.personid },
    attempt: { why: 'nobody-home' },
    mobile: home.mobile,
  });
  await moved('returned', rider, { code: (await seenByCustomer()).hand_over_code ?? '' });
  expect((await seenByCustomer()).attempt).toBeNull();
});

test('are returned without the code by owner and operator only, with a reason', async () => {
  await cancelCollected();
  expect(await moved('returned', rider, { reason: 'Forgotten' })).toEqual(fail(deskError('code-required')));
  const returned = await moved('returned', operator, { reason: 'The customer came to the shop' });
  expect(returned.data).toMatchObject({ to_return: false, notes: [] });
  const at = kolkataDateTime(program.clock.now());
  const shown = { kind: 'returned-without-code', at, reason: 'The customer came to the shop' };
  expect((await seenByCustomer()).history.at(-1)).toEqual(shown);
  // Undone within a minute, it is no news. A correction is.
  await operator.caller.send(moveBack, await target());
  expect((await seenByCustomer()).history.map(({ kind }) => kind)).not.toContain('returned-without-code');
  await moved('returned', rider, { code: (await seenByCustomer()).hand_over_code ?? '' });
  expect((await seenByCustomer()).history.at(-1)).toEqual({ kind: 'returned', at });
  await operator.caller.send(moveBack, { ...(await target()), reason: 'Another order' });
  expect((await seenByCustomer()).history.slice(-2)).toEqual([
    { kind: 'returned', at },
    { kind: 'return-undone', at, reason: 'Another order' },
  ]);
});

test('are there again if a return is undone: within a minute by its person, then by the laundry with a reason', async () => {
  await cancelCollected();
  const returned = async () => moved('returned', rider, { code: (await seenByCustomer()).hand_over_code ?? '' });
  await returned();
  expect((await rider.caller.send(moveBack, await target())).data).toMatchObject({ to_return: true, washing_stage: 'cancelled' });
  await returned();
  program.clock.advance(61);
  await expect(rider.caller.send(moveBack, await target())).rejects.toThrow(CallRefused);
  expect(await operator.caller.send(moveBack, await target())).toEqual(fail(deskError('reason-required')));
  expect((await operator.caller.send(moveBack, { ...(await target()), reason: 'Another order' })).response).toBe('success');
  expect(await isListed([operator])).toEqual([ON_LISTS]);
  expect(await seenByCustomer()).toMatchObject({ to_return: true, returned_date: null });
  // The order itself stays cancelled.
  expect(await owner.caller.send(moveBack, { ...(await target()), reason: 'Active again' })).toEqual(fail(deskError('wrong-stage')));
});

test('are returned with another code each time that a return is undone', async () => {
  await cancelCollected();
  const codes = new Set<string | null>();
  for (let back = 0; back < 4; back += 1) {
    const { hand_over_code: code } = await seenByCustomer();
    codes.add(code);
    expect(await moved('returned', rider, { code: code ?? '' })).toMatchObject({ response: 'success' });
    await operator.caller.send(moveBack, { ...(await target()), reason: 'Another order' });
  }
  // Two codes are equal once in ten thousand.
  expect(codes.size).toBeGreaterThan(2);
});

test('are not to be returned if they were never collected, or if the cancellation was undone', async () => {
  await cancelled();
  expect(await isListed([owner])).toEqual([ON_NO_LIST]);
  expect(await seenByCustomer()).toMatchObject({ to_return: false, hand_over_code: null });
  expect(await moved('returned', owner, { reason: 'Nothing' })).toEqual(fail(deskError('wrong-stage')));
  expect(await owner.caller.send(attempt, { ...(await target()), why: 'other' })).toEqual(fail(deskError('wrong-stage')));
  ({ orderid } = await place(customer));
  await cancelCollected();
  await owner.caller.send(moveBack, await target());
  expect(await isListed([owner])).toEqual([ON_NO_LIST]);
  expect(await read()).toMatchObject({ washing_stage: 'pickup', to_return: false });
});
