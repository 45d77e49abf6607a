/** The open orders and the cash of a person who is removed. */
import { expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import { newId } from '../../lib/ids.ts';
import { blockBefore, waitingStatements } from '../../../test/support/blocked-statements.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { moveOrder } from '../orders/service.server.ts';
import { getAudit } from '../staff/desk/audit-contract.ts';
import { getPeople, setPerson } from '../staff/desk/contract.ts';
import { getDeskOrder, receive } from './desk/contract.ts';
import { assign } from './desk/riders-contract.ts';

const program = useProgram();

async function assignedOrder(personid: string) {
  const owner = await newStaff(program, 'owner');
  const { orderid } = await place(await newOrderingCustomer(program));
  const { data } = await owner.caller.send(getDeskOrder, { orderid });
  await owner.caller.send(assign, { orderid, version: data?.version ?? 0, rider: personid });
  return orderid;
}

test('the open orders of a removed person have no rider, with an event and a row of the audit', async () => {
  const [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
  const [open, paid, delivered] = [
    await assignedOrder(rider.personid),
    await assignedOrder(rider.personid),
    await assignedOrder(rider.personid),
  ];
  for (const orderid of [paid, delivered]) await moveOutForDelivery(program, orderid);
  await rider.caller.send(receive, { orderid: paid, method: 'cash', amount: asPaise(5000) }, { idempotencyKey: newId() });
  await moveOrder(program.db, delivered, 'delivered', program.clock.now(), { reason: 'Handed over at the gate', bonusTime: 'sign-up' });
  const listed = (await owner.caller.send(getPeople, {})).data?.find(({ personid }) => personid === rider.personid);
  expect(listed).toMatchObject({ open_orders: 2, held_cash: 5000, credits: { per_day: 100_000, left_today: 100_000 } });

  expect(await owner.caller.send(setPerson, { action: 'remove', personid: rider.personid })).toMatchObject({ response: 'success' });
  for (const orderid of [open, paid]) {
    const { data } = await owner.caller.send(getDeskOrder, { orderid });
    expect(data?.rider).toBeNull();
    expect(data?.history.at(-1)).toMatchObject({ kind: 'assigned', by: { name: owner.name } });
    const { data: audit } = await owner.caller.send(getAudit, { subject: orderid });
    expect(audit?.entries[0]).toMatchObject({ action: 'assign-order', person: { personid: owner.personid } });
  }
  const { rider_id: left } = await program.db
    .selectFrom('order_handling')
    .select('rider_id')
    .where('order_id', '=', delivered)
    .executeTakeFirstOrThrow();
  expect(left).toBe(rider.personid);
});

test('an order is not assigned to a person whose removal has begun', async () => {
  const [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
  const { orderid } = await place(await newOrderingCustomer(program));
  const { data } = await owner.caller.send(getDeskOrder, { orderid });
  const block = await blockBefore(program, 'update', 'staff_members');
  const removed = owner.caller.send(setPerson, { action: 'remove', personid: rider.personid });
  await block.reached();
  const assigned = owner.caller.send(assign, { orderid, version: data?.version ?? 0, rider: rider.personid });
  await waitingStatements(program, 2);
  await block.release();
  expect((await Promise.all([removed, assigned])).map(({ response }) => response)).toEqual(['success', 'error']);
  expect((await owner.caller.send(getDeskOrder, { orderid })).data?.rider).toBeNull();
});
