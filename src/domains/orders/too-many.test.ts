/** The daily limit of orders for each customer. Retries do not count. */
import { fail } from '../../contract/route.server.ts';
import { expect, test } from 'vitest';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { addOrder, orderError } from './contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const program = useProgram({ DATABASE_POOL: '20' });
const A_DAY = 20;

const send = ({ caller, order }: OrderingCustomer, idempotencyKey: string) => caller.send(addOrder, order, { idempotencyKey });
const keys = (count: number) => Array.from({ length: count }, newId);
const stored = ({ userid }: OrderingCustomer) => program.db.selectFrom('orders').select('id').where('customer_id', '=', userid).execute();

test.each([
  ['a customer', newOrderingCustomer],
  ['a guest', newOrderingGuest],
] as const)('%s places at most twenty of fifty concurrent orders a day; rejected ones write nothing', async (_who, newPerson) => {
  const person = await newPerson(program);
  const fifty = keys(50);
  const responses = await Promise.all(fifty.map((key) => send(person, key)));
  expect(responses.filter(({ response }) => response === 'success')).toHaveLength(A_DAY);
  const refused = responses.findIndex(({ response }) => response === 'error');
  expect(responses[refused]).toEqual(fail(orderError('too-many-orders')));
  expect(await stored(person)).toHaveLength(A_DAY);

  // Other customers are not limited, retries succeed, and a rejected key is valid on the next day.
  expect(await send(await newPerson(program), newId())).toMatchObject({ response: 'success' });
  const placed = responses.findIndex(({ response }) => response === 'success');
  expect(await send(person, fifty[placed]!)).toEqual(responses[placed]);
  program.clock.advance(DAY_SECONDS);
  expect(await send(person, fifty[refused]!)).toMatchObject({ response: 'success' });
});

test('retries do not count: fifty requests with one key leave nineteen orders', async () => {
  const person = await newOrderingCustomer(program);
  const [key = '', ...others] = keys(A_DAY);
  expect(
    new Set((await Promise.all(keys(50).map(() => place(person, {}, { idempotencyKey: key })))).map(({ orderid }) => orderid)).size,
  ).toBe(1);
  for (const other of others) expect(await send(person, other)).toMatchObject({ response: 'success' });
  expect(await send(person, newId())).toMatchObject({ ...orderError('too-many-orders') });
});

test('orders rejected for another reason do not count', async () => {
  const person = await newOrderingCustomer(program);
  for (let count = 0; count < A_DAY + 5; count += 1) {
    const response = await person.caller.send(addOrder, { ...person.order, timeslot: 'another' }, { idempotencyKey: newId() });
    expect(response).toMatchObject({ ...orderError('unknown-timeslot') });
  }
  expect(await send(person, newId())).toMatchObject({ response: 'success' });
});

test.each([
  ['2026-11-22T18:30:00Z', '2026-11-23T18:29:59.999Z', 'error'],
  ['2026-11-23T18:29:59.999Z', '2026-11-23T18:30:00Z', 'success'],
])('after twenty orders at %s, another one at %s: %s, because the day begins in Asia/Kolkata', async (placedAt, time, response) => {
  program.clock.set(placedAt);
  const person = await newOrderingCustomer(program);
  for (const key of keys(A_DAY)) expect(await send(person, key)).toMatchObject({ response: 'success' });
  program.clock.set(time);
  expect(await send(person, newId())).toMatchObject({ response });
});
