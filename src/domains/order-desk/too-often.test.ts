/** Repeated entries that send messages, and repeated refused changes. docs/decisions/0078. */
import { expect, test } from 'vitest';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, newStaffOfEachRole, type TestStaff } from '../../../test/support/staff.ts';
import { fail } from '../../contract/route.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { attempt, deskError, getDeskOrder, move, weigh } from './desk/contract.ts';

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
