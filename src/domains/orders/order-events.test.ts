/** The server-sent events of an order. Decision 45. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openOrderEvents } from '../../../test/support/event-stream.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { STREAM_LIMITS } from '../../streams/event-streams.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { logout } from '../accounts/contract.ts';
import { getOrder, orderEventsUrl, ORDER_EVENTS_PATH } from './contract.ts';
import { moveOrder, weighOrder } from './service.server.ts';

const program = useProgram();
let origin: string;
beforeAll(async () => {
  origin = await program.app.listen({ port: 0, host: '127.0.0.1' });
});

const watch = ({ caller }: Pick<OrderingCustomer, 'caller'>, orderid: string) => openOrderEvents(origin, caller, orderid);
const versionOf = async ({ caller }: OrderingCustomer, orderid: string) =>
  String((await caller.send(getOrder, { orderid })).data?.[0]?.version);
const weigh = (orderid: string, items: number) => weighOrder(program.db, orderid, 5000, items, program.clock.now());

async function orderOf(person: OrderingCustomer) {
  const { orderid } = await place(person);
  return { ...person, orderid };
}

test.each([
  ['a customer', newOrderingCustomer],
  ['a guest', newOrderingGuest],
])('%s gets the version of the order at once and after each change', async (_who, newPerson) => {
  const person = await orderOf(await newPerson(program));
  const { orderid } = person;
  const stream = await watch(person, orderid);
  expect(stream.status).toBe(200);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers.get('cache-control')).toBe('no-store');
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  expect(await stream.next()).toBe(await versionOf(person, orderid));
  await weigh(orderid, 9);
  expect(await stream.next()).toBe(await versionOf(person, orderid));
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  expect(await stream.next()).toBe(await versionOf(person, orderid));
});

test('a change of another order sends nothing', async () => {
  const person = await newOrderingCustomer(program);
  const [watched, other] = [await orderOf(person), await orderOf(await newOrderingCustomer(program))];
  const stream = await watch(person, watched.orderid);
  const first = await stream.next();
  await weigh(other.orderid, 9);
  await weigh(watched.orderid, 9);
  const second = await stream.next();
  expect(second).toBe(await versionOf(watched, watched.orderid));
  expect(second).not.toBe(first);
});

describe('access', () => {
  test('rejects strangers like the call of the order, and HEAD', async () => {
    const { orderid, caller } = await orderOf(await newOrderingCustomer(program));
    expect((await watch({ caller: program.caller() }, orderid)).status).toBe(401);
    expect((await watch(await newOrderingCustomer(program), orderid)).status).toBe(404);
    expect((await watch(await newOrderingGuest(program), orderid)).status).toBe(404);
    expect((await watch({ caller }, 'NOSUCHORDER0')).status).toBe(404);
    const cookie = `session=${caller.cookies.get('session')}`;
    expect((await fetch(`${origin}/${ORDER_EVENTS_PATH}`, { headers: { cookie } })).status).toBe(404);
    expect((await fetch(origin + orderEventsUrl(orderid), { method: 'HEAD', headers: { cookie } })).status).toBe(405);
  });

  test('a session that logs out gets no further event, another one does', async () => {
    const person = await orderOf(await newOrderingCustomer(program));
    const other = await newSession(program, person.userid, 'customer');
    const [ended, live] = [await watch(person, person.orderid), await watch({ caller: other }, person.orderid)];
    await ended.next();
    await live.next();
    await person.caller.send(logout, {});
    await weigh(person.orderid, 9);
    expect(await ended.next()).toBeUndefined();
    expect(Number(await live.next())).toBeGreaterThan(0);
  });

  test('an expired session gets no further event', async () => {
    const person = await orderOf(await newOrderingCustomer(program));
    const stream = await watch(person, person.orderid);
    await stream.next();
    program.clock.advance(30 * DAY_SECONDS);
    await weigh(person.orderid, 9);
    expect(await stream.next()).toBeUndefined();
    program.clock.advance(-30 * DAY_SECONDS);
  });
});

test('a further stream of a session ends its oldest one', async () => {
  const person = await orderOf(await newOrderingCustomer(program));
  const streams = await Promise.all(Array.from({ length: STREAM_LIMITS.perSession }, () => watch(person, person.orderid)));
  for (const stream of streams) await stream.next();
  const another = await watch(person, person.orderid);
  expect(await another.next()).toBe(await versionOf(person, person.orderid));
  await weigh(person.orderid, 9);
  const afterwards = await Promise.all(streams.map((stream) => stream.next()));
  expect(afterwards.filter((data) => data === undefined)).toHaveLength(1);
});

test('the streams of a customer have a limit over all sessions, which leaves room for others', async () => {
  const person = await orderOf(await newOrderingCustomer(program));
  for (let opened = 0; opened < STREAM_LIMITS.perCaller; opened += 1) {
    const session = await newSession(program, person.userid, 'customer');
    expect((await watch({ caller: session }, person.orderid)).status).toBe(200);
  }
  const refused = await watch(person, person.orderid);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  const other = await orderOf(await newOrderingCustomer(program));
  expect((await watch(other, other.orderid)).status).toBe(200);
});
