/** The lists of the staff: filters, search, pages, counts, and what a rider sees. */
import { sql } from 'kysely';
import fc from 'fast-check';
import type * as z from 'zod/mini';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { asPaise, finalAmountPaise } from '../../lib/money.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { randomMobile } from '../../../test/support/seed-customers.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import type { Stage } from '../orders/contract.ts';
import { moveOrder } from '../orders/service.server.ts';
import { attempt, getDeskOrder, listOrders, move, ORDERS_PER_PAGE, receive } from './desk/contract.ts';

const program = useProgram();

/** Places an order and moves it to `stage`. */
async function orderAt(stage: Stage, { day, name }: { day?: string; name?: string } = {}) {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  if (stage === 'delivery' || stage === 'delivered') await moveOutForDelivery(program, orderid);
  if (stage === 'delivered') await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  const change = { ...(day && { pickup_day: day }), ...(name && { ship_name: name }) };
  if (day || name) await program.db.updateTable('orders').set(change).where('id', '=', orderid).execute();
  return { ...customer, orderid };
}

type Filter = z.output<typeof listOrders.body>;

const list = async (role: 'owner' | 'rider', filter: Filter = {}) => send((await newStaff(program, role)).caller, filter);
const send = async (caller: TestStaff['caller'], filter: Filter) => {
  const { data } = await caller.send(listOrders, filter);
  if (!data) throw new Error('the list failed');
  return { ...data, ids: data.orders.map(({ orderid }) => orderid) };
};

describe('the list of orders', () => {
  test('filters by stage, day, area and what is unpaid, and counts all stages', async () => {
    const pickup = await orderAt('pickup', { day: '2026-11-29' });
    const delivery = await orderAt('delivery', { day: '2026-11-29' });
    const delivered = await orderAt('delivered', { day: '2026-11-29' });
    const day = '2026-11-29';
    const all = await list('owner', { day });
    expect(all.ids.toSorted()).toEqual([pickup, delivery, delivered].map(({ orderid }) => orderid).toSorted());
    expect(all.counts).toEqual({ pickup: 1, queue: 0, washing: 0, delivery: 1, delivered: 1, cancelled: 0 });
    expect(await list('owner', { day, stage: 'delivery' })).toMatchObject({ ids: [delivery.orderid], counts: all.counts });
    expect((await list('owner', { day, area: 'vatika' })).ids).toEqual([]);
    expect((await list('owner', { day, area: 'manesar' })).ids).toHaveLength(3);
    expect((await list('owner', { day, unpaid: true })).ids).toEqual([delivered.orderid]);
    const { caller } = await newStaff(program, 'owner');
    await caller.send(receive, { orderid: delivered.orderid, method: 'cash', amount: asPaise(7600) }, { idempotencyKey: newId() });
    expect((await list('owner', { day, unpaid: true })).ids).toEqual([]);
  });

  test('finds an order by its number, the words of the name, and the mobile', async () => {
    const { orderid, mobile } = await orderAt('pickup', { name: 'Zubeda Qureshi-Khan' });
    for (const search of [orderid, orderid.toLowerCase(), 'zubeda', 'Zub', 'qureshi', 'khan zub', mobile]) {
      expect((await list('owner', { search })).ids, search).toEqual([orderid]);
    }
    for (const search of ['beda', `${orderid}X`, "' or 1=1 --", '%', '!&|', `${mobile}0`]) {
      expect((await list('owner', { search })).ids, search).toEqual([]);
    }
    expect((await list('owner', { search: '987650' })).ids).toContain(orderid);
    for (const search of [`${mobile.slice(0, 5)} ${mobile.slice(5)}`, `+91 ${mobile.slice(0, 5)}-${mobile.slice(5)}`, `91${mobile}`]) {
      expect((await list('owner', { search })).ids, search).toEqual([orderid]);
    }
    expect((await list('owner', { search: '-' })).ids).toEqual([]);
  });

  test('finds an order by the short code of its labels, finished ones of the last weeks too', async () => {
    const [pickup, delivered] = [await orderAt('pickup'), await orderAt('delivered')];
    for (const search of [pickup.orderid.slice(-4), ` ${pickup.orderid.slice(-4).toLowerCase()}`]) {
      expect((await list('owner', { search })).ids, search).toContain(pickup.orderid);
    }
    expect((await list('owner', { search: pickup.orderid.slice(-3) })).ids).not.toContain(pickup.orderid);
    expect((await list('owner', { search: delivered.orderid.slice(-4) })).ids).toContain(delivered.orderid);
  });

  test('finds the newest of several finished orders with one short code first, and none of earlier months', async () => {
    const { orderid } = await orderAt('delivered');
    for (const [id, day] of [
      ['CODE1000QX7Z', '2026-11-02'],
      ['CODE2000QX7Z', '2026-11-12'],
      ['CODE3000QX7Z', '2026-08-01'],
    ]) {
      await sql`
        insert into orders select copy.*
          from orders, jsonb_populate_record(orders, jsonb_build_object('id', ${id}::text, 'pickup_day', ${day}::text)) copy
         where orders.id = ${orderid}`.execute(program.db);
      await sql`
        insert into order_events (order_id, kind, stage, data, at)
        select ${id}, kind, stage, data, at from order_events where order_id = ${orderid} order by id`.execute(program.db);
    }
    expect((await list('owner', { search: 'qx7z' })).ids).toEqual(['CODE2000QX7Z', 'CODE1000QX7Z']);
  });

  test('the newest of many orders with one name are found', async () => {
    const first = await orderAt('pickup', { name: 'Lakshmi Nair' });
    onTestFinished(async () => void (await program.db.deleteFrom('orders').where('id', 'like', 'OLD%').execute()));
    await sql`
      insert into orders select copy.*
        from orders, generate_series(1, 250) number,
             jsonb_populate_record(orders, jsonb_build_object('id', 'OLD' || number, 'pickup_day', '2026-01-01')) copy
       where orders.id = ${first.orderid}`.execute(program.db);
    const { orderid } = await orderAt('pickup', { name: 'Lakshmi Nair' });
    for (const search of ['lakshmi', 'nair lak']) expect((await list('owner', { search })).ids).toContain(orderid);
    // Whole words fill a page, so beginnings of words are not searched.
    const longer = await orderAt('pickup', { name: 'Lakshmibai Nair' });
    expect((await list('owner', { search: 'lakshmi' })).ids).not.toContain(longer.orderid);
    expect((await list('owner', { search: 'lakshmib nair' })).ids).toEqual([longer.orderid]);
  });

  test('orders of a name are found in the order of their days, however far apart', async () => {
    const days = ['2027-11-01', '2026-12-20', '2026-03-01', '2019-12-30'];
    const expected: string[] = [];
    for (const day of days) {
      const { orderid } = await orderAt('delivered', { name: 'Parveen Far-Apart' });
      await program.db.updateTable('orders').set({ pickup_day: day }).where('id', '=', orderid).execute();
      expected.push(orderid);
    }
    for (const search of ['parveen', 'PARVEEN apart', 'parv']) expect((await list('owner', { search })).ids, search).toEqual(expected);
  });

  test('contains the notes and the rate of an order', async () => {
    const { orderid } = await orderAt('pickup', { name: 'Rukmini Note' });
    const { caller } = await newStaff(program, 'rider');
    const listed = async () => (await send(caller, { search: orderid })).orders[0];
    expect(await listed()).toMatchObject({ note: null, notes: [], program_rate: 3800, offer_rate: 0 });
    for (const note of ['ring twice', 'ask the guard', undefined]) {
      const { version = 0 } = (await listed()) ?? {};
      await caller.send(attempt, { orderid, version, why: 'nobody-home', ...(note && { note }) });
    }
    expect(await listed()).toMatchObject({ note: 'ask the guard', notes: ['ring twice', 'ask the guard'] });
    await moveOutForDelivery(program, orderid);
    const operator = await newStaff(program, 'operator');
    const { version } = (await operator.caller.send(getDeskOrder, { orderid })).data!;
    await operator.caller.send(move, { orderid, version, stage: 'delivered', reason: 'No code at the door' });
    expect(await listed()).toMatchObject({ stage: 'delivered', notes: ['ring twice', 'ask the guard'] });
  });

  test('a failed visit is shown until the order moves on', async () => {
    const { orderid } = await orderAt('pickup', { name: 'Yamini Visit' });
    const { caller } = await newStaff(program, 'rider');
    const { data } = await caller.send(getDeskOrder, { orderid });
    await caller.send(attempt, { orderid, version: data!.version, why: 'nobody-home' });
    const listed = async () => (await list('owner', { search: 'yamini' })).orders[0];
    expect(await listed()).toMatchObject({ attempt: { why: 'nobody-home', at: '2026-11-21 10:30:00' } });
    await moveOutForDelivery(program, orderid);
    expect(await listed()).toMatchObject({ attempt: null, stage: 'delivery' });
  });
});

test('the orders of an evening are listed as they were placed, on the first page, the next one and in a search', async () => {
  const day = '2027-03-05';
  const placed: string[] = [];
  for (const minutes of [0, 3, 1, 2]) {
    const { orderid } = await orderAt('pickup', { day, name: 'Devika Evening' });
    const at = new Date(program.clock.now().getTime() + minutes * 60_000);
    await program.db.updateTable('orders').set({ placed_at: at }).where('id', '=', orderid).execute();
    placed[minutes] = orderid;
  }
  expect((await list('owner', { day, stage: 'pickup' })).ids).toEqual(placed);
  expect((await list('owner', { day, stage: 'pickup', area: 'manesar' })).ids).toEqual(placed);
  expect((await list('owner', { day })).ids).toEqual(placed.toReversed());
  expect((await list('owner', { search: 'devika' })).ids).toEqual(placed.toReversed());
  const cursor = `${day}.${program.clock.now().getTime() + 60_000}.${placed[1]}`;
  expect((await list('owner', { day, stage: 'pickup', cursor })).ids).toEqual(placed.slice(2));
  expect((await list('owner', { search: 'devika', cursor })).ids).toEqual(placed.slice(0, 1));
  // The cursor of an older version, which sorts by the number, repeats the first page.
  expect((await list('owner', { day, stage: 'pickup', cursor: `${day}.${placed[1]}` })).ids).toEqual(placed);
});

test('pages neither repeat nor leave out an order, earliest pickup first in an open stage', async () => {
  const day = '2026-12-24';
  const { orderid } = await orderAt('pickup', { day });
  const columns = sql.raw(
    (
      await sql<{ name: string }>`select column_name as name from information_schema.columns
        where table_name = 'orders' and column_name not in ('id', 'pickup_day') order by 1`.execute(program.db)
    ).rows
      .map(({ name }) => name)
      .join(', '),
  );
  await sql`insert into orders (id, pickup_day, ${columns})
    select 'PAGE' || n, '2026-12-24'::date + n % 3, ${columns} from orders, generate_series(1, ${2 * ORDERS_PER_PAGE}) n where id = ${orderid}`.execute(
    program.db,
  );
  await sql`insert into order_events (order_id, kind, stage, at)
    select 'PAGE' || n, 'placed', 'pickup', now() from generate_series(1, ${2 * ORDERS_PER_PAGE}) n`.execute(program.db);
  const { caller } = await newStaff(program, 'owner');
  const seen: string[] = [];
  const days: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await send(caller, { stage: 'pickup', search: 'Meera', ...(cursor && { cursor }) });
    expect(page.ids.length).toBeLessThanOrEqual(ORDERS_PER_PAGE);
    seen.push(...page.ids);
    days.push(...page.orders.map(({ pickup_date }) => pickup_date));
    cursor = page.next;
  } while (cursor);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => id.startsWith('PAGE'))).toHaveLength(2 * ORDERS_PER_PAGE);
  expect(days).toEqual(days.toSorted());
});

test.each([
  { cursor: '0000-00-00.0.x' },
  { cursor: '9999-99-99.0.x' },
  { cursor: '2026-02-30.0.x' },
  { cursor: '0000-01-01.0.x' },
  { cursor: '2026-02-30.x' },
  { day: '0000-01-01' },
])('a day that does not exist is refused: %o', async (filter) => {
  const { caller } = await newStaff(program, 'owner');
  const { statusCode, body } = await caller.post(listOrders.path, filter);
  expect([statusCode, body]).toEqual([400, expect.stringContaining('invalid-value')]);
});

test('a rider sees the pickups and deliveries of today and tomorrow, and overdue ones', async () => {
  const today = '2026-11-21';
  const seen = [
    await orderAt('pickup', { day: today }),
    await orderAt('pickup', { day: '2026-11-22' }),
    await orderAt('delivery', { day: '2026-11-20' }),
    await orderAt('delivered', { day: '2026-11-20' }),
    await orderAt('pickup', { day: '2026-11-18' }),
    await orderAt('delivery', { day: '2026-11-18' }),
    // Collected by a command before its day, which does not move the day.
    await orderAt('delivery', { day: '2026-11-25' }),
  ];
  const hidden = [
    await orderAt('pickup', { day: '2026-11-23' }),
    await orderAt('delivered', { day: '2026-11-19' }),
    await orderAt('delivered', { day: '2026-11-18' }),
  ];
  const idsOf = (orders: { orderid: string }[]) => orders.map(({ orderid }) => orderid);
  const all = [...seen, ...hidden];
  const shown = async (role: 'owner' | 'rider') => {
    const { caller } = await newStaff(program, role);
    const found = [];
    for (const { orderid } of all) found.push(...(await send(caller, { search: orderid })).ids);
    return found;
  };
  expect(await shown('rider')).toEqual(idsOf(seen));
  const { caller } = await newStaff(program, 'rider');
  const opened = [];
  for (const { orderid } of all) if ((await caller.send(getDeskOrder, { orderid })).response === 'success') opened.push(orderid);
  expect(opened).toEqual(idsOf(seen));
  expect(await shown('owner')).toEqual(idsOf(all));
});

test('a rider finds an order by its number until it has ended, when the number is hidden', async () => {
  const { orderid, mobile } = await orderAt('delivery', { day: '2026-11-20' });
  await program.db.updateTable('orders').set({ ship_mobile: mobile }).where('id', '=', orderid).execute();
  const [rider, operator] = [await newStaff(program, 'rider'), await newStaff(program, 'operator')];
  const find = async ({ caller }: TestStaff) => [
    (await send(caller, { search: mobile })).ids,
    (await send(caller, { search: mobile.slice(0, 6) })).ids.filter((id) => id === orderid),
  ];
  expect(await find(rider)).toEqual([[orderid], [orderid]]);
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  expect(await find(rider)).toEqual([[], []]);
  expect(await find(operator)).toEqual([[orderid], [orderid]]);
});

test('the amount due in the database is that of the program', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 1_100_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      async (rate, grams, percent) => {
        const { rows } = await sql<{ paise: number }>`select order_final_paise(${rate}, ${grams}, ${percent}::smallint) as paise`.execute(
          program.db,
        );
        expect(rows[0]?.paise).toBe(finalAmountPaise(asPaise(rate), grams, percent));
      },
    ),
    { numRuns: 200 },
  );
});

// The last tests, because the clock advances.
describe('a search for a mobile number', () => {
  const searchesOf = async ({ personid }: TestStaff) =>
    program.db
      .selectFrom('staff_audit')
      .select(['action', 'subject_kind', 'subject_id', 'after'])
      .where('staff_id', '=', personid)
      .orderBy('id')
      .execute();

  test('is in the audit once an hour, also of an unknown number and of most of its digits', async () => {
    const { mobile } = await orderAt('pickup');
    const operator = await newStaff(program, 'operator');
    const unknown = randomMobile();
    for (const search of [mobile, ` ${mobile} `, `+91 ${mobile.slice(0, 5)} ${mobile.slice(5)}`, unknown, mobile.slice(0, 7)])
      await send(operator.caller, { search });
    const row = (subject_id: string, is_known: boolean) => ({
      action: 'look-up-customer',
      subject_kind: 'customer',
      subject_id,
      after: { is_known },
    });
    const first = [row(mobile, true), row(unknown, false), row(mobile.slice(0, 7), false)];
    expect(await searchesOf(operator)).toEqual(first);
    program.clock.advance(3601);
    await send(operator.caller, { search: mobile });
    expect(await searchesOf(operator)).toEqual([...first, row(mobile, true)]);
  });

  test('is the only search in the audit: those for names, order numbers and first digits are not', async () => {
    const { orderid, mobile } = await orderAt('pickup');
    const rider = await newStaff(program, 'rider');
    for (const search of ['Meera', orderid, mobile.slice(0, 6), `${mobile}0`]) await send(rider.caller, { search });
    expect(await searchesOf(rider)).toEqual([]);
  });
});
