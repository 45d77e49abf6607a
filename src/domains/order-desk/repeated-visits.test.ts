/** Failed visits, and the evening on which they are repeated. docs/decisions/0085. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { TEST_MORNING } from '../../../test/support/fake-clock.ts';
import { newOrderWithStaff, readOwnOrder } from '../../../test/support/desk-order.ts';
import { moveOutForDelivery, newOrderingCustomer, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { sendEveningChange, type PlannedChange } from '../../../test/support/evenings.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { orderError, reschedule } from '../orders/contract.ts';
import { chooseDelivery, deliveryError } from '../orders/delivery-contract.ts';
import { attempt, getDeskOrder, listOrders, rescheduleOrder, weigh } from './desk/contract.ts';

const program = useProgram();
const TODAY = '2026-11-21';

/** Sets the time of the evening of 21 November in Asia/Kolkata. */
const setTime = (time: string) => program.clock.set(`${TODAY}T${time}:00+05:30`);

let customer: OrderingCustomer;
let owner: TestStaff;
let rider: TestStaff;
let orderid: string;

beforeEach(async () => {
  program.clock.set(TEST_MORNING);
  ({ owner, rider, customer, orderid } = await newOrderWithStaff(program));
});

const seenByCustomer = () => readOwnOrder(customer, orderid);
const listed = async () => (await owner.caller.send(listOrders, { search: orderid })).data!.orders[0]!;
const failVisit = async () => {
  const { version } = await listed();
  expect(await rider.caller.send(attempt, { orderid, version, why: 'nobody-home' })).toMatchObject({ response: 'success' });
  return version;
};
const movePickup = (pickup_date: string) => customer.caller.send(reschedule, { orderid, pickup_date });
const moveDelivery = (delivery_date: string) => customer.caller.send(chooseDelivery, { orderid, delivery_date });
const booked = async () =>
  program.db.selectFrom('evening_bookings').select(['day', 'booked']).where('area', '=', 'manesar').where('booked', '>', 0).execute();

describe('a pickup', () => {
  test('that the customer moved after a failed visit does not wait for a visit any more', async () => {
    await failVisit();
    expect(await listed()).toMatchObject({ attempt: { why: 'nobody-home', at: '2026-11-21 10:30:00' } });
    expect(await movePickup('2026-11-23')).toMatchObject({ response: 'success' });
    expect(await listed()).toMatchObject({ attempt: null, pickup_date: '2026-11-23' });
  });

  test('can be repeated on the same evening until an hour before its end', async () => {
    setTime('16:41');
    await failVisit();
    expect(await seenByCustomer()).toMatchObject({ attempt: { why: 'nobody-home' }, back_by: '2026-11-22 21:00:00' });
    setTime('19:59');
    const seen = (await listed()).version;
    expect(await movePickup(TODAY)).toMatchObject({ response: 'success' });
    const { attempt: visit, pickup_date, history } = await seenByCustomer();
    expect({ visit, pickup_date }).toEqual({ visit: null, pickup_date: TODAY });
    expect(history.at(-1)).toMatchObject({ kind: 'rescheduled', from_date: TODAY, pickup_date: TODAY });
    expect(await listed()).toMatchObject({ attempt: null });
    // The rider, who has not heard of it yet, collects the clothes.
    const weighing = { orderid, version: seen, weight: 7530, items: 12 };
    expect(await rider.caller.send(weigh, weighing)).toMatchObject({ response: 'success' });
  });

  test('cannot be repeated later that evening, nor on the day after a failed visit past the cut-off', async () => {
    setTime('18:10');
    await failVisit();
    setTime('20:00');
    const closed = (pickupDay: string) => fail(orderError('pickup-day-closed', { pickupDay }));
    expect(await movePickup(TODAY)).toEqual(closed('2026-11-22'));
    expect(await seenByCustomer()).toMatchObject({ attempt: { why: 'nobody-home' } });
    program.clock.set('2026-11-22T16:41:00+05:30');
    expect(await movePickup('2026-11-22')).toEqual(closed('2026-11-23'));
  });

  test('takes a place of the evening once, also if the evening is full or was another one', async () => {
    const plan = { action: 'plan', area: 'manesar', cut_off: '16:00', capacity: 1, closed_weekdays: [] } satisfies PlannedChange;
    expect(await sendEveningChange(owner.caller, plan)).toMatchObject({ response: 'success' });
    const before = await booked();
    setTime('17:30');
    await failVisit();
    expect(await movePickup(TODAY)).toMatchObject({ response: 'success' });
    expect(await booked()).toEqual(before);
    // The pickup of tomorrow, which the rider tried a day early.
    expect(await movePickup('2026-11-22')).toMatchObject({ response: 'success' });
    await failVisit();
    expect(await movePickup(TODAY)).toMatchObject({ response: 'success' });
    expect(await booked()).toEqual(before);
    expect(await sendEveningChange(owner.caller, { ...plan, capacity: null })).toMatchObject({ response: 'success' });
  });
});

describe('a visit that was made a day early', () => {
  const plan = { action: 'plan', area: 'manesar', cut_off: '16:00', capacity: 1, closed_weekdays: [] } satisfies PlannedChange;
  const setCapacity = async (capacity: number | null) =>
    expect(await sendEveningChange(owner.caller, { ...plan, capacity })).toMatchObject({ response: 'success' });
  afterEach(async () => {
    program.clock.set(TEST_MORNING);
    await setCapacity(null);
  });

  test('can be repeated on the planned evening of the pickup, with its place, until 8 PM', async () => {
    await movePickup('2026-11-22');
    await setCapacity(1);
    const before = await booked();
    setTime('17:30');
    await failVisit();
    program.clock.set('2026-11-22T17:30:00+05:30');
    expect(await movePickup('2026-11-22')).toMatchObject({ response: 'success' });
    expect(await seenByCustomer()).toMatchObject({ attempt: null, pickup_date: '2026-11-22' });
    expect(await booked()).toEqual(before);
  });

  test('cannot be repeated on the planned evening from 8 PM on', async () => {
    await movePickup('2026-11-22');
    setTime('17:30');
    await failVisit();
    program.clock.set('2026-11-22T20:00:00+05:30');
    expect(await movePickup('2026-11-22')).toEqual(fail(orderError('pickup-day-closed', { pickupDay: '2026-11-23' })));
  });

  test('can be repeated on the promised evening of the delivery, also if it is full', async () => {
    await moveOutForDelivery(program, orderid);
    const other = await newOrderingCustomer(program);
    const { orderid: otherOrder } = await place(other);
    await other.caller.send(reschedule, { orderid: otherOrder, pickup_date: '2026-11-22' });
    await setCapacity(1);
    setTime('17:30');
    await failVisit();
    expect(await moveDelivery('2026-11-22')).toMatchObject({ response: 'success' });
    expect(await seenByCustomer()).toMatchObject({ attempt: null, delivery_date: '2026-11-22' });
  });
});

describe('a delivery', () => {
  beforeEach(() => moveOutForDelivery(program, orderid));

  test('can be repeated on the same evening, and keeps its promise until the visit is planned', async () => {
    setTime('16:41');
    await failVisit();
    expect(await seenByCustomer()).toMatchObject({ attempt: { why: 'nobody-home' }, back_by: '2026-11-22 21:00:00' });
    expect(await moveDelivery(TODAY)).toMatchObject({ response: 'success' });
    expect(await seenByCustomer()).toMatchObject({ attempt: null, delivery_date: TODAY, back_by: '2026-11-21 21:00:00' });
    setTime('20:30');
    await failVisit();
    expect(await moveDelivery(TODAY)).toEqual(fail(deliveryError('delivery-day-closed', { deliveryDay: '2026-11-22' })));
  });

  test('that the customer postponed waits for its evening, for customer and staff alike', async () => {
    await failVisit();
    await moveDelivery('2026-11-24');
    const evening = { attempt: null, delivery_date: '2026-11-24', back_by: '2026-11-24 21:00:00', due_at: '2026-11-24 21:00:00' };
    expect(await seenByCustomer()).toMatchObject(evening);
    expect(await listed()).toMatchObject(evening);
    expect((await owner.caller.send(getDeskOrder, { orderid })).data).toMatchObject(evening);
  });

  test('the laundry can agree to the same evening, too', async () => {
    setTime('18:00');
    const version = await failVisit();
    const operator = await newStaff(program, 'operator');
    const request = { orderid, version, pickup_date: TODAY, reason: 'You called us' };
    expect(await operator.caller.post('staff/reschedule', request)).toMatchObject({ statusCode: 409 });
    const current = { ...request, version: (await listed()).version };
    expect((await operator.caller.send(rescheduleOrder, current)).data).toMatchObject({ delivery_date: TODAY, attempt: null });
  });
});
