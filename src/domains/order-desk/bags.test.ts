/** Bags that do not match stay a task until the difference is explained. docs/decisions/0117. */
import { beforeEach, expect, test } from 'vitest';
import { newOrderWithStaff, readDeskOrder, readOwnOrder, targetOf } from '../../../test/support/desk-order.ts';
import type { OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { countBags, explainBags } from './desk/bags-contract.ts';
import { getBoard } from './desk/board-contract.ts';
import { cancelDeskOrder, listOrders, move, moveBack, receive, weigh } from './desk/contract.ts';

const program = useProgram();

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
let customer: OrderingCustomer;
let orderid: string;

beforeEach(async () => {
  ({ owner, operator, rider, customer, orderid } = await newOrderWithStaff(program));
});

const read = (who: TestStaff = owner) => readDeskOrder(who, orderid);
const target = () => targetOf(owner, orderid);
const moved = async (stage: string, more: { reason?: string; bags?: number } = {}) =>
  operator.caller.send(move, { ...(await target()), stage, ...more });
const counted = async (bags: number, who: TestStaff = operator) => who.caller.send(countBags, { ...(await target()), bags });
const explained = async (note: string, who: TestStaff = operator) => who.caller.send(explainBags, { ...(await target()), note });
const board = async (who: TestStaff = operator) => (await who.caller.send(getBoard, {})).data!;
/** Returns true if the order is among those of every stage whose bags differ. */
const isTask = async (who: TestStaff = operator) => (await board(who)).bags_differ.some((order) => order.orderid === orderid);
const differ = async () => {
  const [order, listed] = [await read(), (await owner.caller.send(listOrders, { search: orderid })).data?.orders[0]];
  expect(listed?.bags_differ).toBe(order.bags_differ);
  return order.bags_differ;
};
const audited = async () =>
  program.db
    .selectFrom('staff_audit')
    .select(['action', 'staff_id', 'after'])
    .where('subject_id', '=', orderid)
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** Two bags are collected, and one is counted at the washing. */
async function lose() {
  await operator.caller.send(weigh, { ...(await target()), weight: 7530, items: 12, bags: 2 });
  await moved('queue');
  await moved('washing', { bags: 1 });
}
async function deliverAndPay() {
  await moved('delivery');
  await moved('delivered', { reason: 'The guard took it', bags: 1 });
  const { left_to_pay: amount } = await read();
  await operator.caller.send(receive, { orderid, method: 'cash', amount: amount! }, { idempotencyKey: orderid.padEnd(20, '0') });
  program.clock.advance(3600);
}

test('a missing bag stays a task after delivery and payment, until a person explains it', async () => {
  await lose();
  expect(await differ()).toBe(true);
  expect(await isTask()).toBe(true);
  await deliverAndPay();
  expect(await read()).toMatchObject({ washing_stage: 'delivered', left_to_pay: 0, bags: 2, counted_bags: 1, bags_differ: true });
  expect(await isTask()).toBe(true);
  expect(await isTask(rider)).toBe(false);

  const { data, message } = await explained('The small bag was inside the large one');
  expect(data, message).toMatchObject({ bags: 2, counted_bags: 1, bags_differ: false });
  const by = { kind: 'staff', name: operator.name };
  expect(data?.history.at(-1)).toMatchObject({ kind: 'bags-explained', note: 'The small bag was inside the large one', by });
  expect(data?.notes.at(-1)).toMatchObject({ note: 'The small bag was inside the large one', by });
  expect(await audited()).toEqual({
    action: 'explain-bags',
    staff_id: operator.personid,
    after: { note: 'The small bag was inside the large one' },
  });
  expect(await differ()).toBe(false);
  expect(await isTask()).toBe(false);
  expect(await explained('Another explanation')).toMatchObject({ response: 'error', code: 'bags-match' });
  expect(JSON.stringify(await readOwnOrder(customer, orderid))).not.toContain('small bag');
});

test('an explanation needs words, and the newest version', async () => {
  await lose();
  const explain = async (note: string) => operator.caller.post('staff/explainbags', { ...(await target()), note });
  for (const note of ['', '  ', '?!'])
    expect((await explain(note)).json(), note).toMatchObject({ response: 'error', code: 'reason-required' });
  const { version } = await target();
  await counted(1);
  const stale = await operator.caller.post('staff/explainbags', { orderid, version, note: 'It was inside the other' });
  expect(stale.json()).toMatchObject({ code: 'changed-meanwhile' });
  expect(await differ()).toBe(true);
});

test('a later count that matches ends the task, and one that differs begins it again', async () => {
  await lose();
  const { data } = await counted(2, rider);
  expect(data).toMatchObject({ washing_stage: 'washing', bags: 2, counted_bags: 2, bags_differ: false });
  expect(data?.history.at(-1)).toMatchObject({ kind: 'bags-counted', bags: 2, stage: null, by: { name: rider.name } });
  expect(await audited()).toEqual({ action: 'count-bags', staff_id: rider.personid, after: { counted_bags: 2 } });
  await counted(1);
  expect(await differ()).toBe(true);
  await explained('One bag was put into the other');
  expect(await differ()).toBe(false);
  await moved('delivery', { bags: 0 });
  expect(await differ()).toBe(true);
  await moved('delivered', { reason: 'The guard took it', bags: 2 });
  expect(await differ()).toBe(false);
  expect(await isTask()).toBe(false);
  expect(await counted(1)).toMatchObject({ response: 'error', code: 'wrong-stage' });
});

test('a difference stays a task once the clothes of a cancelled order are returned', async () => {
  await operator.caller.send(weigh, { ...(await target()), weight: 7530, items: 12, bags: 2 });
  await operator.caller.send(cancelDeskOrder, { ...(await target()), reason: 'The dryer is broken' });
  await counted(1);
  await moved('returned', { reason: 'At the shop' });
  expect(await isTask()).toBe(true);
});

test('an undone move takes its count back, and a move back with a reason does not', async () => {
  await lose();
  expect(await differ()).toBe(true);
  expect((await operator.caller.send(moveBack, await target())).data).toMatchObject({ washing_stage: 'queue', bags_differ: false });
  expect(await differ()).toBe(false);
  expect(await isTask()).toBe(false);
  await moved('washing', { bags: 1 });
  await owner.caller.send(moveBack, { ...(await target()), reason: 'The wrong order' });
  expect(await differ()).toBe(true);
});

test('a rider does not explain the bags that they counted, another person does, and an owner also their own', async () => {
  const may = async (who: TestStaff) => {
    const [order, listed] = [await read(who), (await who.caller.send(listOrders, { search: orderid })).data?.orders[0]];
    expect(listed?.may_explain_bags).toBe(order.may_explain_bags);
    return order.may_explain_bags;
  };
  const another = await newStaff(program, 'rider');
  const refused = { response: 'error', code: 'counted-by-you' };
  await rider.caller.send(weigh, { ...(await target()), weight: 7530, items: 12, bags: 2 });
  expect(await may(operator)).toBe(false);
  await counted(1);
  expect([await may(rider), await may(another), await may(operator)]).toEqual([false, true, true]);
  // Neither the own number of the pickup, nor a later count.
  expect(await explained('One bag was in the other', rider)).toMatchObject(refused);
  await counted(1, another);
  expect(await explained('One bag was in the other', another)).toMatchObject(refused);
  expect(await isTask()).toBe(true);
  expect(await explained('One bag was in the other', await newStaff(program, 'rider'))).toMatchObject({ response: 'success' });
  for (const alone of [owner, operator]) {
    await counted(1, alone);
    expect(await may(alone)).toBe(true);
    expect(await explained('One bag was in the other', alone)).toMatchObject({ response: 'success' });
  }
});

test('a rider who lost a bag does not end the task with a count that matches, at any stage', async () => {
  const refused = { response: 'error', code: 'counted-by-you' };
  await rider.caller.send(weigh, { ...(await target()), weight: 7530, items: 12, bags: 3 });
  await counted(2);
  expect(await counted(3, rider)).toMatchObject(refused);
  // Weighed again with the same bags.
  const again = { weight: 7600, items: 12, bags: 3, reason: 'The basket was on the scale' };
  expect(await rider.caller.send(weigh, { ...(await target()), ...again })).toMatchObject({ response: 'success' });
  expect(await read()).toMatchObject({ bags: 3, counted_bags: 2, bags_differ: true });
  for (const stage of ['queue', 'washing', 'delivery']) await moved(stage);
  expect(await counted(3, rider)).toMatchObject(refused);
  // A hand-over with the code of the customer is accepted, and its count is in the history.
  const code = (await readOwnOrder(customer, orderid)).hand_over_code ?? '';
  const { data } = await rider.caller.send(move, { ...(await target()), stage: 'delivered', code, bags: 3 });
  expect(data).toMatchObject({ washing_stage: 'delivered', bags: 3, counted_bags: 2, bags_differ: true });
  expect(data?.history.at(-1)).toMatchObject({ stage: 'delivered', bags: 3 });
  expect([await differ(), await isTask()]).toEqual([true, true]);
});

test('a count that matches ends the task if another rider, an operator or an owner alone made it', async () => {
  await rider.caller.send(weigh, { ...(await target()), weight: 7530, items: 12, bags: 3 });
  for (const who of [await newStaff(program, 'rider'), operator, owner]) {
    await counted(2, rider);
    expect(await differ()).toBe(true);
    expect(await counted(3, who)).toMatchObject({ response: 'success' });
    expect([await differ(), await isTask()]).toEqual([false, false]);
  }
  await counted(2, owner);
  expect(await differ()).toBe(true);
  await counted(3, owner);
  expect(await differ()).toBe(false);
});

test('another number of bags at a weighing needs a reason, which the customer reads, and no later count', async () => {
  const figures = { weight: 7530, items: 12 };
  const weighed = async (bags: number, who: TestStaff, reason?: string) =>
    who.caller.send(weigh, { ...(await target()), ...figures, bags, ...(reason && { reason }) });
  await weighed(3, rider);
  expect(await weighed(4, rider)).toMatchObject({ response: 'error', code: 'reason-required' });
  expect(await weighed(4, rider, 'One was under the others')).toMatchObject({ response: 'success' });
  const corrected = { kind: 'corrected', ...figures, bags: 4, reason: 'One was under the others' };
  expect(await readOwnOrder(customer, orderid)).toMatchObject({ bags: 4 });
  expect((await readOwnOrder(customer, orderid)).history.at(-1)).toMatchObject(corrected);
  const since = { response: 'error', code: 'bags-counted-since' };
  expect(await weighed(3, await newStaff(program, 'rider'), 'It was a typing error')).toMatchObject(since);
  await counted(3);
  expect(await weighed(3, rider, 'It was a typing error')).toMatchObject(since);
  expect(await weighed(3, operator)).toMatchObject({ response: 'error', code: 'reason-required' });
  expect(await read()).toMatchObject({ bags: 4, counted_bags: 3, bags_differ: true });
  expect(await weighed(3, operator, 'It was a typing error')).toMatchObject({ response: 'success' });
  expect(await read()).toMatchObject({ bags: 3, counted_bags: 3, bags_differ: false });
  expect((await readOwnOrder(customer, orderid)).history.at(-1)).toMatchObject({ ...corrected, bags: 3, reason: 'It was a typing error' });
});

test('a rider who entered a change before an explanation can still send it', async () => {
  await lose();
  await moved('delivery');
  const { version } = await target();
  await explained('One bag was put into the other');
  const code = (await readOwnOrder(customer, orderid)).hand_over_code ?? '';
  expect(await rider.caller.send(move, { orderid, version, stage: 'delivered', code, bags: 2 })).toMatchObject({ response: 'success' });
});
