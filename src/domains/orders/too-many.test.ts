/**
 * How many orders one customer may place in a day. A retry is no order, however often it is sent.
 */
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
] as const)('%s places twenty orders a day, also of fifty at once, and what is refused leaves nothing', async (_who, newPerson) => {
  const person = await newPerson(program);
  const given = keys(50);
  const answers = await Promise.all(given.map((key) => send(person, key)));
  expect(answers.filter(({ response }) => response === 'success')).toHaveLength(A_DAY);
  const refused = answers.findIndex(({ response }) => response === 'error');
  expect(answers[refused]).toEqual(fail(orderError('too-many-orders')));
  expect(await stored(person)).toHaveLength(A_DAY);

  // Another customer goes on, an order that was placed is answered again, and the refused key is as
  // good as new the next day.
  expect(await send(await newPerson(program), newId())).toMatchObject({ response: 'success' });
  const placed = answers.findIndex(({ response }) => response === 'success');
  expect(await send(person, given[placed]!)).toEqual(answers[placed]);
  program.clock.advance(DAY_SECONDS);
  expect(await send(person, given[refused]!)).toMatchObject({ response: 'success' });
});

test('retries take nothing: one key fifty times at once, and then nineteen more orders', async () => {
  const person = await newOrderingCustomer(program);
  const [key = '', ...others] = keys(A_DAY);
  expect(
    new Set((await Promise.all(keys(50).map(() => place(person, {}, { idempotencyKey: key })))).map(({ orderid }) => orderid)).size,
  ).toBe(1);
  for (const other of others) expect(await send(person, other)).toMatchObject({ response: 'success' });
  expect(await send(person, newId())).toMatchObject({ ...orderError('too-many-orders') });
});

test('what is refused for another reason takes nothing either', async () => {
  const person = await newOrderingCustomer(program);
  for (let count = 0; count < A_DAY + 5; count += 1) {
    const answer = await person.caller.send(addOrder, { ...person.order, timeslot: 'another' }, { idempotencyKey: newId() });
    expect(answer).toMatchObject({ ...orderError('unknown-timeslot') });
  }
  expect(await send(person, newId())).toMatchObject({ response: 'success' });
});
