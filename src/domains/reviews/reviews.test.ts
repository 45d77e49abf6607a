import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { fail } from '../../contract/route.server.ts';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../db/database.server.ts';
import { waitingStatements } from '../../../test/support/blocked-statements.ts';
import { newCustomer, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { TEST_MORNING } from '../../../test/support/fake-clock.ts';
import { useProgram } from '../../../test/support/program.ts';
import { STAGES, type Stage } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { lockOrder } from '../orders/store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { programsAndReviews } from '../catalogue/contract.ts';
import {
  addReview,
  getOwnReviews,
  getReviews,
  getSummary,
  MAX_LISTED_REVIEWS,
  REVIEWS_PER_PAGE,
  reviewError,
  withdrawReview,
  type Review,
} from './contract.ts';
import { createReviewReader } from './service.server.ts';
import { selectReviewPage } from './store.server.ts';

const program = useProgram();

beforeEach(async () => {
  program.clock.set(TEST_MORNING);
  await program.db.deleteFrom('reviews').execute();
});

const write = ({ caller, userid }: TestCustomer, star: number, message = 'Clean and on time') =>
  caller.send(addReview, { userid, star, message });
const own = async ({ caller, userid }: TestCustomer, orderid?: string) =>
  (await caller.send(getOwnReviews, { userid, orderid })).data ?? [];
const withdraw = ({ caller, userid }: TestCustomer, reviewid: string) => caller.send(withdrawReview, { userid, reviewid });
const list = async (offset?: number): Promise<Review[]> => (await program.caller().send(getReviews, { offset })).data ?? [];
const summary = async () => (await program.caller().send(getSummary, {})).data;
const storedIds = () => program.db.selectFrom('reviews').select('id').execute();

test('requests of one customer that wait for each other leave connections for others', async () => {
  const [meera, other] = [await newCustomer(program), await newCustomer(program)];
  const { promise: locked, resolve: setLocked } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = transaction(program.db, async (tx) => {
    await tx.selectFrom('customers').select('id').where('id', '=', meera.userid).forUpdate().execute();
    setLocked();
    await released;
  });
  await locked;
  const writing = Array.from({ length: 30 }, () => write(meera, 5));
  await waitingStatements(program, 4);
  expect(await own(other)).toEqual([]);
  release();
  await holding;
  const responses = await Promise.all(writing);
  // The same text is one review.
  expect(responses.every(({ response }) => response === 'success')).toBe(true);
});

describe('a review of an order', () => {
  async function orderAt(stage: Stage) {
    const person = await newOrderingCustomer(program);
    const { orderid } = await place(person);
    await weighOrder(program.db, orderid, 5000, 9, program.clock.now());
    for (const row of STAGES.slice(1, STAGES.findIndex((row) => row.stage === stage) + 1)) {
      await moveOrder(program.db, orderid, row.stage, program.clock.now(), { bonusTime: 'sign-up' });
    }
    return { ...person, orderid };
  }
  const rate = ({ caller, userid }: TestCustomer, orderid: string, message = 'Clean and on time') =>
    caller.send(addReview, { userid, orderid, star: 5, message });

  test('is verified if its author got the order, also in a retry, and shows no order number', async () => {
    const meera = await orderAt('delivered');
    expect(await write(meera, 5)).toMatchObject({ response: 'success' });
    program.clock.advance(60);
    expect(await rate(meera, meera.orderid)).toMatchObject({ response: 'success' });
    expect(await rate(meera, meera.orderid)).toMatchObject({ response: 'success' });
    expect((await list()).map(({ verified }) => verified)).toEqual([true, false]);
    expect(JSON.stringify(await list())).not.toContain(meera.orderid);
  });

  test('is rejected for an order that is not delivered, unknown or of another customer', async () => {
    const [meera, other] = [await orderAt('delivery'), await orderAt('delivered')];
    for (const orderid of [meera.orderid, other.orderid, 'NOSUCHORDER0']) {
      expect(await rate(meera, orderid)).toEqual(fail(reviewError('order-not-delivered')));
    }
    expect(await list()).toEqual([]);
  });

  test('is rejected for an order that is moved back at the same time', async () => {
    const meera = await orderAt('delivered');
    let rating: ReturnType<typeof rate> | undefined;
    await transaction(program.db, async (tx) => {
      await lockOrder(tx, laundryCommand(), meera.orderid);
      await tx.updateTable('orders').set({ stage: 'delivery' }).where('id', '=', meera.orderid).execute();
      rating = rate(meera, meera.orderid);
      await waitingStatements(program, 1);
    });
    expect(await rating).toEqual(fail(reviewError('order-not-delivered')));
    expect(await list()).toEqual([]);
  });

  test('is withdrawn by its author only, and can then be written again', async () => {
    const meera = await orderAt('delivered');
    await write(meera, 5);
    await rate(meera, meera.orderid);
    const [review, ...others] = await own(meera, meera.orderid);
    expect([review, others]).toMatchObject([{ orderid: meera.orderid, star_rating: 5, verified: true, reply: null }, []]);
    const reviewid = review?.reviewid ?? '';
    for (const [by, of] of [[await newCustomer(program), reviewid] as const, [meera, 'NOSUCHREVIEW00000000'] as const]) {
      expect(await withdraw(by, of)).toEqual(fail(reviewError('unknown-review')));
    }
    expect(await list()).toHaveLength(2);
    await withdraw(meera, reviewid);
    expect((await list()).map(({ verified }) => verified)).toEqual([false]);
    program.clock.advance(1);
    expect(await rate(meera, meera.orderid)).toMatchObject({ response: 'success' });
    expect((await list()).map(({ verified }) => verified)).toEqual([true, false]);
  });

  test('is written once, also by concurrent requests', async () => {
    const meera = await orderAt('delivered');
    const outcomes = await Promise.all(['One', 'Two', 'Three'].map((message) => rate(meera, meera.orderid, message)));
    expect(outcomes.filter(({ response }) => response === 'success')).toHaveLength(1);
    expect(outcomes.filter((outcome) => 'code' in outcome && outcome.code === 'order-reviewed')).toHaveLength(2);
    expect(await list()).toHaveLength(1);
  });
});

describe('a review', () => {
  test('is first in the list, with the name of its author and no other personal data', async () => {
    const meera = await newCustomer(program, { name: 'Meera Nair' });
    expect(await write(meera, 5, '  Clean\nand on time ')).toEqual({ response: 'success', message: 'Review added', data: null });
    program.clock.advance(60);
    await write(meera, 3, 'The second one');
    const [second, first] = await list();
    expect(second).toMatchObject({ star_rating: 3, message: 'The second one' });
    expect(first).toEqual({
      reviewid: expect.stringMatching(/^[0-9A-Z]{20}$/) as string,
      name: 'Meera Nair',
      star_rating: 5,
      message: 'Clean\nand on time',
      review_added: '2026-11-21 10:30:00',
      verified: false,
      reply: null,
    });
    expect(JSON.stringify(await list())).not.toMatch(new RegExp(`${meera.userid}|${meera.mobile}`));
  });

  test.each([
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '🧺👕 ✨',
    '\u202Eright to left\u2066 and isolated',
    'नहा धोकर',
    "'; drop table reviews; --",
    'x'.repeat(1000),
    '🧺'.repeat(1000),
  ])('is stored as written: %s', async (message) => {
    const meera = await newCustomer(program, { name: '<b>Meera</b>' });
    expect(await write(meera, 4, message)).toMatchObject({ response: 'success' });
    expect((await list())[0]).toMatchObject({ message, name: '<b>Meera</b>' });
  });

  test('has at most four combining marks of a letter, also if an earlier version stored more', async () => {
    const [stacked, limited] = [`Cle${'\u0300\u0489'.repeat(90)}an`, 'Cle\u0300\u0489\u0300\u0489an'];
    const meera = await newCustomer(program, { name: 'Meera' });
    await write(meera, 4, stacked);
    expect((await list())[0]).toMatchObject({ message: limited });
    await program.db.updateTable('reviews').set({ message: stacked }).where('customer_id', '=', meera.userid).execute();
    await program.db.updateTable('customers').set({ name: stacked }).where('id', '=', meera.userid).execute();
    // Names lose enclosing marks (U+0489) first.
    const name = 'Cle\u0300\u0300\u0300\u0300an';
    expect((await list())[0]).toMatchObject({ message: limited, name });
  });

  test.each([
    ['https://evil.example/win', 'https evil example/win'],
    ['Meera meera@evil.example', 'Meera meera evil example'],
    ['Meera 98765 43210', 'Meera'],
    ['+91 98765 43210', ''],
    ['W'.repeat(200), 'W'.repeat(40)],
  ])('shows the name %j as %j', async (name, shown) => {
    await write(await newCustomer(program, { name }), 4, 'Clean');
    expect((await list())[0]).toMatchObject({ name: shown });
  });

  test.each([
    [{ star: 0 }, reviewError('star-missing')],
    [{ star: 6 }, reviewError('star-missing')],
    [{ star: 4.5 }, reviewError('star-missing')],
    [{ star: '5' }, reviewError('star-missing')],
    [{ star: undefined }, reviewError('star-missing')],
    [{ message: '' }, reviewError('message-missing')],
    [{ message: ' \n\t ' }, reviewError('message-missing')],
    [{ message: '\u200B\u202E' }, reviewError('message-missing')],
    [{ message: undefined }, reviewError('message-missing')],
    [{ message: 'x'.repeat(1001) }, reviewError('message-too-long')],
    [{ message: 'x'.repeat(10_000) }, reviewError('message-too-long')],
  ])('with %o is rejected', async (change, error) => {
    const { caller, userid } = await newCustomer(program);
    const response = await caller.post('reviews/addreview.php', { userid, star: 5, message: 'Fine', ...change });
    expect([response.statusCode, response.json()]).toEqual([400, fail(error)]);
    expect(await storedIds()).toEqual([]);
  });

  test('is stored once if it is sent again', async () => {
    const meera = await newCustomer(program);
    const responses = await Promise.all(Array.from({ length: 10 }, () => write(meera, 5, 'Once')));
    expect(responses.filter(({ response }) => response === 'success')).toHaveLength(10);
    expect(await storedIds()).toHaveLength(1);
    await write(meera, 4, 'Once');
    expect(await storedIds()).toHaveLength(2);
  });
});

describe('a withdrawn review', () => {
  test('leaves lists, counts and average, also if it is withdrawn twice, and can be written again', async () => {
    const meera = await newCustomer(program);
    await write(meera, 1, 'A slip');
    program.clock.advance(1);
    await write(meera, 5, 'Fine');
    const [fine, slip] = await own(meera);
    expect(slip).toMatchObject({ star_rating: 1, message: 'A slip', orderid: null, verified: false });
    const listed = await list();
    for (const [index, review] of (await own(meera)).entries()) expect(review).toEqual({ ...listed[index], orderid: null });
    const reviewid = slip?.reviewid ?? '';
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await withdraw(meera, reviewid)).toMatchObject({ response: 'success', message: 'Your review is withdrawn' });
      expect((await list()).map(({ message }) => message)).toEqual(['Fine']);
      expect(await own(meera)).toEqual([fine]);
      expect(await summary()).toMatchObject({ average: 5 });
    }
    const { data: home } = await program.caller().send(programsAndReviews, {});
    expect(home?.reviews.map(({ message }) => message)).toEqual(['Fine']);
    await write(meera, 1, 'A slip');
    expect(await own(meera)).toHaveLength(2);
    // Withdrawn ones count.
    expect(await write(meera, 2, 'The fourth')).toEqual(fail(reviewError('too-many-reviews')));
  });
});

describe('the limit of three reviews a day', () => {
  test('holds under concurrent calls', async () => {
    const [meera, other] = await Promise.all([newCustomer(program), newCustomer(program)]);
    const responses = await Promise.all(Array.from({ length: 25 }, (_, number) => write(meera, 5, `Review ${number}`)));
    expect(responses.filter(({ response }) => response === 'success')).toHaveLength(3);
    expect(responses.find(({ response }) => response === 'error')).toEqual({
      response: 'error',
      message: 'You can write three reviews a day, please come back tomorrow',
      code: 'too-many-reviews',
      params: {},
      data: null,
    });
    expect(await storedIds()).toHaveLength(3);
    expect(await write(other, 1)).toMatchObject({ response: 'success' });
  });

  test('counts by the day in Gurugram, which begins at 18:30 UTC', async () => {
    const meera = await newCustomer(program);
    const at = async (time: string, message: string) => {
      program.clock.set(time);
      return (await write(meera, 5, message)).response;
    };
    expect(await at('2026-11-20T18:30:00.000Z', 'one')).toBe('success');
    expect(await at('2026-11-21T05:00:00.000Z', 'two')).toBe('success');
    expect(await at('2026-11-21T12:00:00.000Z', 'three')).toBe('success');
    expect(await at('2026-11-21T18:29:59.999Z', 'four')).toBe('error');
    expect(await at('2026-11-21T18:30:00.000Z', 'five')).toBe('success');
  });
});

describe('the summary', () => {
  test('has an average of 0 without reviews and changes with each review', async () => {
    expect(await summary()).toMatchObject({ average: 0 });
    const meera = await newCustomer(program);
    await write(meera, 5, 'one');
    await write(meera, 4, 'two');
    await write(meera, 1, 'three');
    expect(await summary()).toEqual({
      average: 3.3,
      counts: [5, 4, 3, 2, 1].map((star) => ({ star, reviews: [5, 4, 1].includes(star) ? 1 : 0 })),
    });
  });

  test('counts every concurrently written review, and none that was rolled back', async () => {
    const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(program)));
    await Promise.all(customers.flatMap((customer, index) => [write(customer, (index % 5) + 1, 'one'), write(customer, 5, 'two')]));
    const rolledBack = program.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('reviews').where('star', '=', 5).execute();
      throw new Error('on purpose');
    });
    await expect(rolledBack).rejects.toThrow('on purpose');
    const counted = await program.db
      .selectFrom('reviews')
      .select(['star', (eb) => eb.fn.countAll<number>().as('reviews')])
      .groupBy('star')
      .orderBy('star', 'desc')
      .execute();
    expect((await summary())?.counts).toEqual(counted);
  });

  test('follows deletions, and the table rejects changes of stars and truncation', async () => {
    const meera = await newCustomer(program);
    await write(meera, 5, 'one');
    await write(meera, 2, 'two');
    await program.db.deleteFrom('reviews').where('star', '=', 5).execute();
    expect((await summary())?.average).toBe(2);
    await expect(program.db.updateTable('reviews').set({ star: 5 }).execute()).rejects.toThrow('stay as they were given');
    await expect(sql`truncate reviews`.execute(program.db)).rejects.toThrow('stay as they were given');
  });
});

describe('at 100,000 reviews', () => {
  const COUNT = 100_000;

  test('returns every page without a sequential scan of the table', { timeout: 120_000 }, async () => {
    const { userid } = await newCustomer(program, { name: 'Meera' });
    // On a separate connection, because the program's statement timeout is too short for this on a
    // busy machine.
    const client = new pg.Client(program.connection);
    await client.connect();
    await client.query(
      `insert into reviews (id, customer_id, star, message, created_at)
       select 'R' || n, $1, 1 + n % 5, 'Review ' || n, $2::timestamptz - n * interval '1 minute' from generate_series(1, ${COUNT}) n`,
      [userid, program.clock.now()],
    );
    await client.query('vacuum analyze reviews');
    await client.end();

    expect((await summary())?.counts).toEqual([5, 4, 3, 2, 1].map((star) => ({ star, reviews: COUNT / 5 })));
    expect((await list()).map(({ reviewid }) => reviewid).slice(0, 3)).toEqual(['R1', 'R2', 'R3']);
    const last = await list(COUNT - REVIEWS_PER_PAGE);
    expect([last[0]?.reviewid, last.length, last.at(-1)?.reviewid]).toEqual([`R${COUNT - 49}`, REVIEWS_PER_PAGE, `R${COUNT}`]);
    expect(await list(COUNT)).toEqual([]);

    // Skipped rows are read from the index only. Only the rows of the page are read from the table.
    const plan = JSON.stringify(await selectReviewPage(program.db, COUNT - REVIEWS_PER_PAGE, REVIEWS_PER_PAGE).explain('json'));
    expect(plan).toMatch(/"Node Type":"Index Only Scan"[^{}]*"Index Name":"reviews_shown"/);
    expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"reviews"/);
  });

  test('the home page gets the three newest reviews of four stars or more', async () => {
    const meera = await newCustomer(program);
    for (const [star, message] of [
      [4, 'a'],
      [5, 'b'],
      [3, 'c'],
    ] as const)
      await write(meera, star, message);
    const arun = await newCustomer(program);
    program.clock.advance(60);
    for (const [star, message] of [
      [1, 'd'],
      [5, 'e'],
      [4, 'f'],
    ] as const) {
      program.clock.advance(60);
      await write(arun, star, message);
    }
    const { data } = await program.caller().send(programsAndReviews, { reviews: 'best' });
    expect(data?.reviews.map(({ message }) => message).slice(0, 2)).toEqual(['f', 'e']);
    expect(data?.reviews).toHaveLength(3);
    expect(data?.reviews.every(({ star_rating }) => star_rating >= 4)).toBe(true);
  });
});

test('combinedata/proandrev.php lists all reviews, the newest first, up to its maximum', async () => {
  const meera = await newCustomer(program);
  const all = async () => (await program.caller().send(programsAndReviews, {})).data?.reviews ?? [];
  expect(await all()).toEqual([]);
  const insert = (from: number, to: number) =>
    sql`insert into reviews (id, customer_id, star, message, created_at)
        select 'N' || n, ${meera.userid}, 1 + n % 5, 'Review ' || n, ${program.clock.now()}::timestamptz - n * interval '1 minute'
          from generate_series(${from}::integer, ${to}::integer) as n`.execute(program.db);
  await insert(1, REVIEWS_PER_PAGE - 1);
  expect(await all()).toHaveLength(REVIEWS_PER_PAGE - 1);
  await insert(REVIEWS_PER_PAGE, MAX_LISTED_REVIEWS);
  expect(await all()).toHaveLength(MAX_LISTED_REVIEWS);
  await insert(MAX_LISTED_REVIEWS + 1, MAX_LISTED_REVIEWS + 10);
  const ids = (await all()).map(({ reviewid }) => reviewid);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([MAX_LISTED_REVIEWS, 'N1', `N${MAX_LISTED_REVIEWS}`]);
});

test('a long list is read again after five seconds, and at once after a change on its first page', async () => {
  const meera = await newCustomer(program);
  const messageOf = async (place: number) => (await program.caller().send(programsAndReviews, {})).data?.reviews[place]?.message;
  const change = (id: string) => program.db.updateTable('reviews').set({ message: 'Changed' }).where('id', '=', id).execute();
  await sql`insert into reviews (id, customer_id, star, message, created_at)
            select 'N' || n, ${meera.userid}, 5, 'Review ' || n, ${program.clock.now()}::timestamptz - n * interval '1 minute'
              from generate_series(0, ${REVIEWS_PER_PAGE}::integer) as n`.execute(program.db);
  const last = REVIEWS_PER_PAGE;
  expect(await messageOf(last)).toBe(`Review ${last}`);
  await change(`N${last}`);
  program.clock.advance(4);
  expect(await messageOf(last)).toBe(`Review ${last}`);
  program.clock.advance(1);
  expect(await messageOf(last)).toBe('Changed');
  await change('N0');
  expect(await messageOf(0)).toBe('Changed');
});

test('a crowd that reads late pages leaves database connections to others', async () => {
  const readLatePage = (number: number) => program.caller({ ip: `10.0.${number}.1` }).get('reviews/getreviews.php?offset=50000');
  const crowd = await program.db.transaction().execute(async (tx) => {
    await sql`lock table reviews in access exclusive mode`.execute(tx);
    const ended: number[] = [];
    const responses = Array.from({ length: 60 }, async (_none, number) => ended.push((await readLatePage(number)).statusCode));
    expect((await program.caller().get('readyz')).statusCode).toBe(200);
    // Two run and forty wait for the lock.
    await expect.poll(() => ended.length).toBe(18);
    return { ended, responses };
  });
  await Promise.all(crowd.responses);
  expect(crowd.ended).toEqual([...Array<number>(18).fill(503), ...Array<number>(42).fill(200)]);
});

test('the networks of one block do not keep the others from late pages', async () => {
  const readLatePage = (ip: string) => program.caller({ ip }).get('reviews/getreviews.php?offset=50000');
  const requests = await program.db.transaction().execute(async (tx) => {
    await sql`lock table reviews in access exclusive mode`.execute(tx);
    const ended: number[] = [];
    const block = Array.from({ length: 60 }, async (_none, number) => ended.push((await readLatePage(`10.0.0.${number}`)).statusCode));
    expect((await program.caller().get('readyz')).statusCode).toBe(200);
    // One runs and fifteen wait for the lock.
    await expect.poll(() => ended.length).toBe(44);
    return { ended, block, other: readLatePage('10.0.1.1') };
  });
  await Promise.all(requests.block);
  expect(requests.ended).toEqual([...Array<number>(44).fill(429), ...Array<number>(16).fill(200)]);
  expect((await requests.other).statusCode).toBe(200);
});

test.each(['-1', 'x', '1e3', '99999999', '0%00', '1&offset=2'])('rejects the offset %s', async (offset) => {
  const response = await program.caller().get(`reviews/getreviews.php?offset=${offset}`);
  expect([response.statusCode, response.json()]).toEqual([
    400,
    { response: 'error', message: 'Invalid value for offset', code: 'invalid-value', params: { field: 'offset' }, data: null },
  ]);
});

test('an unchanged long list stays one array, also for requests that read it at the same moment', async () => {
  const meera = await newCustomer(program);
  await sql`insert into reviews (id, customer_id, star, message, created_at)
            select 'S' || n, ${meera.userid}, 5, 'Review ' || n, ${program.clock.now()}::timestamptz - n * interval '1 minute'
              from generate_series(0, ${REVIEWS_PER_PAGE}::integer) as n`.execute(program.db);
  const reader = createReviewReader((_request, work) => work(program.db), program.clock);
  const request = { network: '192.0.2.1' } as FastifyRequest;
  const first = await reader.all(request);
  program.clock.advance(6);
  for (const list of await Promise.all([reader.all(request), reader.all(request), reader.all(request)])) expect(list).toBe(first);
});
