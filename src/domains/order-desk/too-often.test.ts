/** Repeated entries that send messages, and repeated refused changes. docs/decisions/0078. */
import { expect, test } from 'vitest';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, newStaffOfEachRole, type TestStaff } from '../../../test/support/staff.ts';
import { fail } from '../../contract/route.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { readDeskOrder, targetOf } from '../../../test/support/desk-order.ts';
import { countBags } from './desk/bags-contract.ts';
import { attempt, deskError, getDeskOrder, listOrders, move, receive, rescheduleOrder, reversePayment, weigh } from './desk/contract.ts';
import { codeError, renewCode } from './desk/code-contract.ts';
import { assign } from './desk/riders-contract.ts';
import { MAX_STAFF_CHANGES_PER_DAY, MAX_NOTES } from './desk/rules.ts';

const program = useProgram();

async function newOrder() {
  const { orderid } = await place(await newOrderingCustomer(program));
  const version = async ({ caller }: TestStaff) => (await caller.send(getDeskOrder, { orderid })).data?.version ?? 0;
  /** The kinds of the events whose messages are queued. */
  const queued = async () => {
    const rows = program.db.selectFrom('notifications').innerJoin('order_events', 'order_events.id', 'notifications.event_id');
    return (await rows.select('kind').where('order_id', '=', orderid).execute()).map(({ kind }) => kind);
  };
  return { orderid, version, queued };
}

test('a customer gets at most four messages a day about failed visits of an order', async () => {
  const { orderid, version, queued } = await newOrder();
  const { rider, operator, owner } = await newStaffOfEachRole(program);
  const visit = async (staff: TestStaff, at = program.clock.now()) =>
    staff.caller.send(attempt, { orderid, version: await version(staff), why: 'nobody-home', at: at.toISOString() });
  for (let count = 1; count <= 4; count += 1) expect(await visit(rider)).toMatchObject({ response: 'success' });
  const refused = fail(deskError('too-many-visits'));
  expect(await visit(rider)).toEqual(refused);
  expect(await visit(operator)).toEqual(refused);
  // The time of a device does not move an entry to another day.
  expect(await visit(rider, addSeconds(program.clock.now(), -0.9 * DAY_SECONDS))).toEqual(refused);
  expect((await queued()).filter((kind) => kind === 'attempted')).toHaveLength(4);
  expect(await visit(owner)).toMatchObject({ response: 'success' });
  program.clock.advance(DAY_SECONDS);
  expect(await visit(await newStaff(program, 'rider'))).toMatchObject({ response: 'success' });
});

test('a customer gets at most ten messages a day about the weight of an order', async () => {
  const { orderid, version, queued } = await newOrder();
  const [rider, owner] = [await newStaff(program, 'rider'), await newStaff(program, 'owner')];
  const weighAgain = async (staff: TestStaff, weight: number) =>
    staff.caller.send(weigh, { orderid, version: await version(staff), weight, items: 3, reason: 'Weighed again' });
  for (let count = 1; count <= 10; count += 1) expect(await weighAgain(rider, 1000 + count * 10)).toMatchObject({ response: 'success' });
  expect(await weighAgain(rider, 2000)).toEqual(fail(deskError('too-many-weighings')));
  // The same weight again sends a message, too.
  expect(await weighAgain(rider, 1100)).toEqual(fail(deskError('too-many-weighings')));
  expect((await queued()).filter((kind) => kind === 'weighed')).toHaveLength(10);
  expect(await weighAgain(owner, 2000)).toMatchObject({ response: 'success' });
});

test('an order gets at most five new codes a day, except of an owner', async () => {
  const { orderid, version } = await newOrder();
  const [operator, owner] = [await newStaff(program, 'operator'), await newStaff(program, 'owner')];
  await operator.caller.send(weigh, { orderid, version: await version(operator), weight: 1000, items: 3 });
  for (const stage of ['queue', 'washing', 'delivery'])
    await operator.caller.send(move, { orderid, version: await version(operator), stage });
  const renew = async (who: TestStaff) => who.caller.send(renewCode, { orderid, version: await version(who) });
  for (let count = 1; count <= 5; count += 1) expect(await renew(operator)).toMatchObject({ response: 'success' });
  for (const who of [operator, await newStaff(program, 'operator')]) expect(await renew(who)).toEqual(fail(codeError('too-many-renewals')));
  expect(await renew(owner)).toMatchObject({ response: 'success' });
  program.clock.advance(DAY_SECONDS);
  expect(await renew(await newStaff(program, 'operator'))).toMatchObject({ response: 'success' });
});

test('of the refused changes of a person, the first hundred in an hour are in the audit', async () => {
  const { orderid, version } = await newOrder();
  const rider = await newStaff(program, 'rider');
  const seen = await version(rider);
  const refuse = async () => {
    const stale = rider.caller.send(weigh, { orderid, version: seen - 1, weight: 1000, items: 3 });
    await expect(stale).rejects.toMatchObject({ status: 409 });
    expect(await rider.caller.send(move, { orderid, version: seen, stage: 'queue' })).toEqual(fail(deskError('not-weighed')));
  };
  const rows = program.db.selectFrom('staff_audit').select('id').where('action', '=', 'refused').where('staff_id', '=', rider.personid);
  await refuse();
  expect(await rows.execute()).toHaveLength(2);
  await program.db.updateTable('limit_windows').set({ taken: 99 }).where('name', '=', 'refused changes of a person').execute();
  for (let repeats = 0; repeats < 2; repeats += 1) await refuse();
  expect(await rows.execute()).toHaveLength(3);
  program.clock.advance(60 * 60);
  await refuse();
  expect(await rows.execute()).toHaveLength(5);
});

/** Sets the counted changes of orders of this day, one row for each order and person. */
const setChangesToday = (taken: number) =>
  program.db.updateTable('limit_windows').set({ taken }).where('name', '=', 'changes of an order by a person').execute();

const keepSessions = () =>
  program.db
    .updateTable('staff_sessions')
    .set({ expires_at: new Date('2030-01-01') })
    .execute();

test('a person changes an order a hundred times a day, an owner more often, and refused changes do not count', async () => {
  const { orderid, version } = await newOrder();
  const { rider, operator, owner } = await newStaffOfEachRole(program);
  await rider.caller.send(weigh, { orderid, version: await version(rider), weight: 1000, items: 3, bags: 2 });
  const count = async ({ caller }: TestStaff, bags = 1) => caller.send(countBags, { ...(await targetOf(owner, orderid)), bags });
  await setChangesToday(MAX_STAFF_CHANGES_PER_DAY.rider - 1);
  expect(await rider.caller.send(move, { ...(await targetOf(owner, orderid)), stage: 'washing' })).toEqual(fail(deskError('wrong-stage')));
  expect(await count(rider)).toMatchObject({ response: 'success' });
  const before = await readDeskOrder(owner, orderid);
  const tooMany = fail(deskError('too-many-desk-changes', { max: 100 }));
  expect(await count(rider, 2)).toEqual(tooMany);
  // Also without a version, and an entry that a phone sends later.
  expect(await rider.caller.send(receive, { orderid, method: 'cash', amount: asPaise(1) }, newKey())).toMatchObject({ response: 'error' });
  const late = { ...(await targetOf(owner, orderid)), at: addSeconds(program.clock.now(), -0.9 * DAY_SECONDS).toISOString() };
  expect(await rider.caller.send(move, { ...late, stage: 'queue' })).toEqual(tooMany);
  expect(await readDeskOrder(owner, orderid)).toMatchObject({ version: before.version, counted_bags: 1, washing_stage: 'pickup' });
  expect(await count(operator)).toMatchObject({ response: 'success' });

  expect(await count(owner)).toMatchObject({ response: 'success' });
  await setChangesToday(MAX_STAFF_CHANGES_PER_DAY.owner - 1);
  expect(await count(operator)).toEqual(tooMany);
  expect(await count(owner)).toMatchObject({ response: 'success' });
  expect(await count(owner)).toEqual(fail(deskError('too-many-owner-changes', { max: 300 })));
  await keepSessions();
  program.clock.advance(DAY_SECONDS);
  expect(await count(operator)).toMatchObject({ response: 'success' });
});

test('each change of an order counts, another order does not', async () => {
  const [one, other] = [await newOrder(), await newOrder()];
  const owner = await newStaff(program, 'owner');
  const { data: before } = await owner.caller.send(getDeskOrder, { orderid: one.orderid });
  const { caller } = await newStaff(program, 'operator');
  const assigned = async (orderid: string) => caller.send(assign, { ...(await targetOf(owner, orderid)), rider: owner.personid });
  expect(await assigned(one.orderid)).toMatchObject({ response: 'success' });
  await setChangesToday(MAX_STAFF_CHANGES_PER_DAY.operator);
  expect(await assigned(other.orderid)).toMatchObject({ response: 'success' });
  const tooMany = fail(deskError('too-many-desk-changes', { max: 100 }));
  expect(await assigned(one.orderid)).toEqual(tooMany);
  const target = await targetOf(owner, one.orderid);
  expect(await caller.send(rescheduleOrder, { ...target, pickup_date: before?.pickup_date ?? '' })).toEqual(tooMany);
  expect(await caller.send(weigh, { ...target, weight: 2000, items: 3 })).toEqual(tooMany);
  expect(await caller.send(attempt, { ...target, why: 'nobody-home' })).toEqual(tooMany);
});

test('an order and its row in a list have the newest notes', async () => {
  const { orderid } = await newOrder();
  const owner = await newStaff(program, 'owner');
  const visited = async (note: string) => owner.caller.send(attempt, { ...(await targetOf(owner, orderid)), why: 'nobody-home', note });
  const notes = Array.from({ length: MAX_NOTES + 2 }, (_, index) => `Visit ${index}`);
  for (const note of notes) {
    program.clock.advance(1);
    expect(await visited(note)).toMatchObject({ response: 'success' });
  }
  const order = await readDeskOrder(owner, orderid);
  expect(order.notes.map(({ note }) => note)).toEqual(notes.slice(2));
  expect(order.history.flatMap(({ note }) => note ?? [])).toEqual(notes);
  expect((await owner.caller.send(listOrders, { search: orderid })).data?.orders[0]).toMatchObject({
    note: notes.at(-1),
    notes: notes.slice(2),
  });
});

test('the key of a change stores no order: a repeated request gets the order as it is now', async () => {
  const { orderid } = await newOrder();
  const [rider, owner] = [await newStaff(program, 'rider'), await newStaff(program, 'owner')];
  const [weighing, paying, reversing] = [newKey(), newKey(), newKey()];
  const weighed = { ...(await targetOf(owner, orderid)), weight: 2000, items: 3 };
  expect(await rider.caller.send(weigh, weighed, weighing)).toMatchObject({ response: 'success' });
  await owner.caller.send(move, { ...(await targetOf(owner, orderid)), stage: 'queue' });
  expect(await rider.caller.send(weigh, weighed, weighing)).toMatchObject({ response: 'success', data: { washing_stage: 'queue' } });
  const payment = { orderid, method: 'cash', amount: asPaise(1000) } as const;
  for (const _ of [1, 2]) expect((await rider.caller.send(receive, payment, paying)).data?.payments).toHaveLength(1);
  const [{ tid } = { tid: '' }] = (await readDeskOrder(owner, orderid)).payments;
  for (const _ of [1, 2])
    expect((await owner.caller.send(reversePayment, { tid, reason: 'Counted wrongly' }, reversing)).data).toMatchObject({ orderid });
  const refused = fail(deskError('already-reversed'));
  const again = newKey();
  for (const _ of [1, 2]) expect(await owner.caller.send(reversePayment, { tid, reason: 'Counted wrongly' }, again)).toEqual(refused);
  const rows = program.db
    .selectFrom('staff_answers')
    .select(['answer', 'is_done'])
    .where('staff_id', 'in', [rider.personid, owner.personid]);
  expect(await rows.where('is_done', '=', true).execute()).toEqual(Array.from({ length: 3 }, () => ({ answer: null, is_done: true })));
  const unseen = { pickup_day: '2035-01-01', stage: 'pickup', weight_grams: null, items: null } as const;
  await program.db.updateTable('orders').set(unseen).where('id', '=', orderid).execute();
  await program.db.updateTable('order_event_authors').set({ staff_id: owner.personid }).where('staff_id', '=', rider.personid).execute();
  await expect(rider.caller.send(receive, payment, paying)).rejects.toMatchObject({ status: 400, code: 'done-before' });
});
