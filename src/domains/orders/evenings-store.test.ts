import { expect, test } from 'vitest';
import { moveOutForDelivery, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { transaction } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { cancelOrder } from './cancelling-service.server.ts';
import { listReturnCountsOfEvenings } from './evenings-store.server.ts';
import { insertOrderEvent, listOrderEvents } from './events-store.server.ts';
import type { OrderEventContent } from './events-contract.ts';
import { deriveProgress } from './progress-rules.ts';
import { moveOrder } from './service.server.ts';

const program = useProgram();

test('an order is counted on the evening of its back_by, in each of its states', async () => {
  const { db, clock } = program;
  const now = clock.now();
  const customer = await newOrderingCustomer(program);
  const add = async () => (await place(customer, {}, { idempotencyKey: newId() })).orderid;
  const addOut = async (...events: OrderEventContent[]) => {
    const orderid = await add();
    await moveOutForDelivery(program, orderid);
    for (const event of events) await transaction(db, (tx) => insertOrderEvent(tx, orderid, { ...event, at: now }));
    return orderid;
  };
  await add();
  await addOut();
  const chosen = { kind: 'delivery-chosen', deliveryDay: '2026-11-26' } as const;
  const attempted = { kind: 'attempted', why: 'nobody-home' } as const;
  await addOut(attempted);
  await addOut(attempted, chosen);
  await addOut(attempted, chosen, attempted);
  await addOut(attempted, chosen, { kind: 'bags-counted' });
  await moveOrder(db, await addOut(), 'delivered', now, { bonusTime: 'sign-up' });
  for (const isWeighed of [true, false]) {
    const orderid = await (isWeighed ? addOut() : add());
    await cancelOrder({ db, readPaidPaise }, laundryCommand(), { orderid, reason: 'A test' }, now);
  }
  const old = [await add(), await addOut()];
  await db.updateTable('orders').set({ return_day: null }).where('id', 'in', old).execute();

  const derived = new Map<string, number>();
  for (const order of await db.selectFrom('orders').selectAll().execute()) {
    const day = deriveProgress(order, await listOrderEvents(db, order.id)).back_by?.slice(0, 10);
    if (day !== undefined) derived.set(day, (derived.get(day) ?? 0) + 1);
  }
  const counted = await listReturnCountsOfEvenings(db, '2026-11-01', '2026-12-31');
  expect(new Map(counted.map(({ day, due }) => [day, due]))).toEqual(derived);
  expect(derived.get(chosen.deliveryDay)).toBe(2);
});
