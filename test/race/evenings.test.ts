/** More orders than an evening has places, at once, through two processes. Decision 60. */
import { expect, test } from 'vitest';
import { addOrder, cancelOrder, reschedule } from '../../src/domains/orders/contract.ts';
import { listOrderCountsOfEvenings } from '../../src/domains/orders/evenings-store.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { useProcesses } from '../support/program.ts';
import { size } from '../support/size.ts';
import { sendEveningChange } from '../support/evenings.ts';
import { newStaff } from '../support/staff.ts';

const program = useProcesses(2);

const ROUNDS = size({ small: 3, full: 40 });
const PLACES = 5;
const ORDERS = 16;
const [today, tomorrow] = ['2026-11-21', '2026-11-22'];

async function setCapacity(capacity: number) {
  const { caller } = await newStaff(program, 'owner');
  await sendEveningChange(caller, { action: 'plan', area: 'manesar', cut_off: '16:00', capacity, closed_weekdays: [] });
}

/** Returns the orders and the count of an evening. */
async function state(evening: string) {
  const orders = (await listOrderCountsOfEvenings(program.db, evening, evening)).find(({ area }) => area === 'manesar')?.booked ?? 0;
  const rows = await program.db.selectFrom('evening_bookings').select(['area', 'day', 'booked']).execute();
  return { orders, counted: rows.find(({ area, day }) => area === 'manesar' && day === evening)?.booked ?? 0 };
}

const outcomes = (sent: readonly { response: string; code?: string }[]) => sent.map(({ response, code }) => code ?? response).toSorted();
const several = (outcome: string, count: number) => Array.from({ length: count }, () => outcome);

test(
  `${ROUNDS} times: of ${ORDERS} orders at once, each sent twice, ${PLACES} get the ${PLACES} places`,
  { timeout: 180_000 },
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await setCapacity(round * PLACES);
      const customers = await Promise.all(Array.from({ length: ORDERS }, () => newOrderingCustomer(program)));
      const sent = await Promise.all(
        customers.map(async ({ caller, order }) => {
          const options = { idempotencyKey: newId() };
          const send = () => caller.send(addOrder, { ...order, pickup_date: today }, options);
          const [first, second] = await Promise.all([send(), send()]);
          expect(second).toEqual(first);
          return first;
        }),
      );
      expect(outcomes(sent)).toEqual([...several('evening-full', ORDERS - PLACES), ...several('success', PLACES)]);
      expect(await state(today)).toEqual({ orders: round * PLACES, counted: round * PLACES });
    }
  },
);

test(`${ROUNDS} times: cancelled, rescheduled and new orders at once never exceed the places`, { timeout: 180_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const capacity = (await state(today)).orders + PLACES;
    await setCapacity(capacity);
    const customers = await Promise.all(Array.from({ length: 6 }, () => newOrderingCustomer(program)));
    const [leaving, arriving, staying] = [customers.slice(0, 2), customers.slice(2, 4), customers.slice(4)];
    const placed = async (list: typeof customers, pickup_date: string) => {
      const ids: string[] = [];
      for (const customer of list) ids.push((await place(customer, { pickup_date })).orderid);
      return ids;
    };
    const [cancelled = '', moved = ''] = await placed(leaving, today);
    const later = await placed(arriving, tomorrow);
    await Promise.all([
      leaving[0]!.caller.send(cancelOrder, { orderid: cancelled }),
      leaving[1]!.caller.send(reschedule, { orderid: moved, pickup_date: tomorrow }),
      ...arriving.map(({ caller }, index) => caller.send(reschedule, { orderid: later[index]!, pickup_date: today })),
      ...staying.map(({ caller, order }) => caller.send(addOrder, { ...order, pickup_date: today })),
    ]);
    for (const evening of [today, tomorrow]) {
      const { orders: now, counted } = await state(evening);
      expect(counted).toBe(now);
      expect(now).toBeLessThanOrEqual(capacity);
    }
  }
});
