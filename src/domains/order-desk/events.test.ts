/** The server-sent events of the staff. docs/decisions/0053. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { transaction } from '../../db/database.server.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { addClaim } from '../claims/contract.ts';
import { assignDeskClaim } from '../claims/desk/contract.ts';
import { explainDifference, getCash, handIn } from '../cash/desk/contract.ts';
import { getOrder } from '../orders/contract.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { rescheduleOrder } from '../orders/pickup-service.server.ts';
import { weighOrder } from '../orders/service.server.ts';
import { laundryCommand, STAFF_SESSION_DAYS } from '../staff/authentication.server.ts';
import { DESK_EVENTS_PATH, mayCall, ROLES } from '../staff/desk/contract.ts';
import { changePerson } from '../staff/service.server.ts';
import { getDeskOrder, MAX_REPLAYED_CHANGES, receive } from './desk/contract.ts';
import { assign as assignOrder } from './desk/riders-contract.ts';

const program = useProgram();
let origin: string;
beforeAll(async () => {
  origin = await program.app.listen({ port: 0, host: '127.0.0.1' });
});

interface SentEvent {
  id: string;
  type: string;
  data: { orderid?: string; version?: number; stage?: string };
}

async function open({ caller }: Pick<TestStaff, 'caller'>, lastId?: string) {
  const closing = new AbortController();
  const close = () => closing.abort();
  onTestFinished(close);
  const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) };
  const response = await fetch(`${origin}/${DESK_EVENTS_PATH}`, { headers, signal: closing.signal });
  const events = eventsOf(response);
  /** Resolves to undefined once the stream has ended. */
  const next = async () => (await events.next().catch(() => undefined))?.value ?? undefined;
  return {
    status: response.status,
    close,
    next,
    /** Returns the next change of an order, past those of other tests. */
    async changeOf(orderid: string) {
      for (;;) {
        const event = await next();
        if (!event || event.data.orderid === orderid) return event;
      }
    },
    async ofType(type: string) {
      for (;;) {
        const event = await next();
        if (!event || event.type === type) return event;
      }
    },
  };
}

async function* eventsOf({ body }: Response): AsyncGenerator<SentEvent, undefined> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id, type, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (id && type && data) yield { id, type, data: JSON.parse(data) as SentEvent['data'] };
    }
  }
  return undefined;
}

const newOrder = async (day?: string) => {
  const { orderid } = await place(await newOrderingCustomer(program));
  if (day) await program.db.updateTable('orders').set({ pickup_day: day }).where('id', '=', orderid).execute();
  return orderid;
};
const weigh = (orderid: string, items: number, db = program.db) => weighOrder(db, orderid, 5000, items, program.clock.now());
const assign = (orderid: string) =>
  transaction(program.db, (tx) => insertOrderEvent(tx, orderid, { kind: 'assigned', riderId: null, at: program.clock.now() }));
/** Counts the changes of the order that are not older than every open transaction. */
async function countRecent(orderid: string) {
  const { rows } = await sql`
    select from desk_changes where order_id = ${orderid} and xid >= pg_snapshot_xmin(pg_current_snapshot())`.execute(program.db);
  return rows.length;
}
const versionOf = async ({ caller }: TestStaff, orderid: string) => (await caller.send(getDeskOrder, { orderid })).data?.version;

test('an event has order, version and stage, and no hand-over code', async () => {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  const stream = await open(await newStaff(program, 'owner'));
  expect(await stream.next()).toMatchObject({ type: 'ready' });
  await moveOutForDelivery(program, orderid);
  expect((await customer.caller.send(getOrder, { orderid })).data?.[0]?.hand_over_code).toMatch(/^\d{4}$/);
  let event = await stream.changeOf(orderid);
  while (event?.data.stage !== 'delivery') event = await stream.changeOf(orderid);
  expect(event.data).toEqual({ orderid, version: expect.any(Number) as number, stage: 'delivery' });
});

test('new orders and their changes arrive with their version and stage', async () => {
  const owner = await newStaff(program, 'owner');
  const stream = await open(owner);
  expect(await stream.next()).toMatchObject({ type: 'ready' });
  const orderid = await newOrder();
  expect(await stream.changeOf(orderid)).toMatchObject({
    type: 'change',
    data: { version: await versionOf(owner, orderid), stage: 'pickup' },
  });
  await weigh(orderid, 9);
  expect(await stream.changeOf(orderid)).toMatchObject({ data: { version: await versionOf(owner, orderid) } });
});

test('the assignment of an order and of a report arrives at the other people', async () => {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  const [owner, operator] = [await newStaff(program, 'owner'), await newStaff(program, 'operator')];
  const claim = { userid: customer.userid, orderid, kind: 'late', message: 'Nobody came.' } as const;
  const { claimid } = (await customer.caller.send(addClaim, claim)).data!;
  const streams = [await open(owner), await open(operator)];
  for (const stream of streams) expect(await stream.next()).toMatchObject({ type: 'ready' });
  const arrives = async () => {
    const version = (await versionOf(owner, orderid)) ?? 0;
    for (const stream of streams) {
      let event = await stream.changeOf(orderid);
      // A stream that opens while the report commits can get its change again.
      while (event && (event.data.version ?? 0) < version) event = await stream.changeOf(orderid);
      expect(event).toMatchObject({ type: 'change', data: { version } });
    }
  };
  const version = (await versionOf(owner, orderid)) ?? 0;
  await owner.caller.send(assignOrder, { orderid, version, rider: operator.personid });
  await arrives();
  await owner.caller.send(assignDeskClaim, { claimid, person: operator.personid });
  await arrives();
});

test.each(ROLES)('%s: the stream is open to the roles of its row', async (role) => {
  expect((await open(await newStaff(program, role))).status).toBe(mayCall(role, DESK_EVENTS_PATH) ? 200 : 403);
});

test('callers without a session, customers and HEAD requests are refused', async () => {
  const customer = await newOrderingCustomer(program);
  for (const caller of [program.caller(), customer.caller]) expect((await open({ caller })).status).toBe(401);
  const owner = await newStaff(program, 'owner');
  const cookie = `staff=${owner.caller.cookies.get('staff')}`;
  expect((await fetch(`${origin}/${DESK_EVENTS_PATH}`, { method: 'HEAD', headers: { cookie } })).status).toBe(405);
});

test('a rider gets the change that moves a pickup away from the days of a rider', async () => {
  const stream = await open(await newStaff(program, 'rider'));
  await stream.next();
  const orderid = await newOrder('2026-11-21');
  const move = { day: '2026-11-25', reason: 'We are away' };
  await rescheduleOrder(program.db, laundryCommand(), orderid, move, program.clock.now());
  expect(await stream.changeOf(orderid)).toMatchObject({ data: { stage: 'pickup' } });
  expect(await stream.changeOf(orderid)).toMatchObject({ data: { stage: 'pickup' } });
});

test('a rider gets the changes of orders that a rider sees', async () => {
  const rider = await newStaff(program, 'rider');
  const [later, today] = [await newOrder('2026-11-25'), await newOrder('2026-11-21')];
  const stream = await open(rider);
  await stream.next();
  await assign(later);
  await weigh(today, 9);
  const seen = [];
  for (let event = await stream.next(); event; event = await stream.next()) {
    seen.push(event.data.orderid);
    if (event.data.orderid === today) break;
  }
  expect(seen).not.toContain(later);
});

// Before the test with too many changes: while a transaction elsewhere is open, they are a reset.
test('a stream ends when the role of its person changes, and the next one has the new role', async () => {
  const operator = await newStaff(program, 'operator');
  const stream = await open(operator);
  await stream.next();
  const change = { action: 'change', personid: operator.personid, name: 'A rider', role: 'rider' } as const;
  await transaction(program.db, (tx) => changePerson(tx, null, change, program.clock.now()));
  const [later, today] = [await newOrder('2026-11-25'), await newOrder('2026-11-21')];
  await weigh(later, 9);
  expect(await stream.changeOf(later)).toBeUndefined();
  const again = await open(operator);
  await again.next();
  await weigh(later, 8);
  await weigh(today, 8);
  const seen = [];
  for (let event = await again.next(); event && event.data.orderid !== today; event = await again.next()) seen.push(event.data.orderid);
  expect(seen).not.toContain(later);
});

describe('cash that is counted, explained or banked', () => {
  const takeCash = async ({ caller }: TestStaff) => {
    const orderid = await newOrder();
    await moveOutForDelivery(program, orderid);
    await caller.send(receive, { orderid, method: 'cash', amount: asPaise(5000) }, newKey());
  };
  const count = ({ caller }: TestStaff, { personid }: TestStaff, paise: number) =>
    caller.send(handIn, { personid, counted: asPaise(paise) }, newKey());

  test('is an event without data for each open stream', async () => {
    const [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
    await takeCash(rider);
    const streams = [await open(owner), await open(rider)];
    for (const stream of streams) expect(await stream.next()).toMatchObject({ type: 'ready' });
    const arrives = async () => {
      for (const stream of streams) expect(await stream.ofType('cash')).toMatchObject({ data: {} });
    };
    await count(owner, rider, 4000);
    await arrives();
    const { data } = await owner.caller.send(getCash, {});
    const { handinid = '' } = data!.differences.find(({ holder }) => holder.personid === rider.personid) ?? {};
    await owner.caller.send(explainDifference, { handinid, explanation: 'Fuel' });
    await arrives();
    await count(owner, owner, 4000);
    await arrives();
  });

  test('is sent after a reconnect, because the stream may have missed it', async () => {
    const owner = await newStaff(program, 'owner');
    const first = await open(owner);
    const ready = await first.next();
    first.close();
    expect(await (await open(owner, ready?.id)).ofType('cash')).toBeDefined();
  });
});

describe('after a reconnect', () => {
  test('the missed changes are sent', async () => {
    const owner = await newStaff(program, 'owner');
    const first = await open(owner);
    const ready = await first.next();
    first.close();
    const orderid = await newOrder();
    await weigh(orderid, 9);
    const second = await open(owner, ready?.id);
    expect(await second.changeOf(orderid)).toMatchObject({ type: 'change' });
    expect(await second.changeOf(orderid)).toMatchObject({ data: { version: await versionOf(owner, orderid) } });
  });

  test('a change that became visible after a later one is sent', async () => {
    const owner = await newStaff(program, 'owner');
    const stream = await open(owner);
    await stream.next();
    const [slow, fast] = [await newOrder(), await newOrder()];
    const commit = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const transactionOfSlow = transaction(program.db, async (tx) => {
      await weigh(slow, 9, tx);
      written.resolve();
      await commit.promise;
    });
    await written.promise;
    // Has a larger id, and is visible first.
    await weigh(fast, 8);
    let last = await stream.changeOf(fast);
    while (last && last.data.version !== (await versionOf(owner, fast))) last = await stream.changeOf(fast);
    stream.close();
    commit.resolve();
    await transactionOfSlow;
    const slowVersion = await versionOf(owner, slow);
    expect(slowVersion).toBeLessThan(last?.data.version ?? 0);
    const again = await open(owner, last?.id);
    let replayed = await again.changeOf(slow);
    while (replayed && replayed.data.version !== slowVersion) replayed = await again.changeOf(slow);
    expect(replayed).toBeDefined();
  });

  test('too many missed changes, and a position of another database, are a reset', async () => {
    const owner = await newStaff(program, 'owner');
    expect(await (await open(owner, '9000000000000000000')).next()).toMatchObject({ type: 'reset' });
    const first = await open(owner);
    const ready = await first.next();
    first.close();
    const orderid = await newOrder();
    const at = program.clock.now();
    const event = { order_id: orderid, kind: 'attempted', at };
    await program.db
      .insertInto('order_events')
      .values(Array.from({ length: MAX_REPLAYED_CHANGES + 1 }, () => event))
      .execute();
    expect(await (await open(owner, ready?.id)).next()).toMatchObject({ type: 'reset' });
  });

  test('as many as a reconnect replays arrive in one stream', async () => {
    const owner = await newStaff(program, 'owner');
    const orderid = await newOrder();
    // While a transaction of any database is older, a reconnect replays the placing, too.
    await expect.poll(() => countRecent(orderid)).toBe(0);
    const first = await open(owner);
    const ready = await first.next();
    first.close();
    const event = { order_id: orderid, kind: 'attempted', at: program.clock.now() };
    await program.db
      .insertInto('order_events')
      .values(Array.from({ length: MAX_REPLAYED_CHANGES }, () => event))
      .execute();
    const again = await open(owner, ready?.id);
    const types: string[] = [];
    for (let next = await again.next(); next && next.type !== 'beat'; next = await again.next()) types.push(next.type);
    expect(types).toEqual(Array.from({ length: MAX_REPLAYED_CHANGES }, () => 'change'));
  });
});

describe('a stream ends', () => {
  test('when its person is removed', async () => {
    await newStaff(program, 'owner');
    const operator = await newStaff(program, 'operator');
    const stream = await open(operator);
    await stream.next();
    await transaction(program.db, (tx) => changePerson(tx, null, { action: 'remove', personid: operator.personid }, program.clock.now()));
    const orderid = await newOrder();
    await weigh(orderid, 9);
    expect(await stream.changeOf(orderid)).toBeUndefined();
  });

  test('when its session expires', async () => {
    const operator = await newStaff(program, 'operator');
    const stream = await open(operator);
    await stream.next();
    const lifetime = STAFF_SESSION_DAYS * DAY_SECONDS;
    onTestFinished(() => program.clock.advance(-lifetime));
    program.clock.advance(lifetime);
    expect(await stream.changeOf('')).toBeUndefined();
  });
});
