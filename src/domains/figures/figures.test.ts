import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newStaff } from '../../../test/support/staff.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { createRandom, newSeed, type Random } from '../../../test/support/random.ts';
import { writeSamples } from '../../../tools/samples/write-samples.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { dayAfter, fromKolkataDateTime, kolkataDay } from '../../lib/dates.ts';
import { asPaise, finalAmountPaise } from '../../lib/money.ts';
import { recordManualPayment, recordManualPaymentOnce, reverseManualPayment } from '../manual-payments/service.server.ts';
import { PROGRESS_STAGES } from '../orders/contract.ts';
import { backBy } from '../orders/visit-rules.ts';
import { stageBefore } from '../orders/rules.ts';
import { cancelOrder, undoCancellation } from '../orders/cancelling-service.server.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { setEarlierStage } from '../orders/changing-store.server.ts';
import { lockOrder } from '../orders/store.server.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { creditWallet, payOutOfWallet, reverseGrant } from '../wallet/service.server.ts';
import { readBalance, readLedgerTotals } from '../wallet/store.server.ts';
import { figuresError, getReport, type DayFigures } from './desk/contract.ts';
import { addUpNewFigures, addUpRecentFigures, readReport } from './service.server.ts';
import { updateFigures } from './store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram();
const other = useProgram();
const empty = useProgram();

/** Before the clock of every machine that runs the tests: the figures of that time are added up. */
const UNTIL = new Date('2024-06-10T09:00:00Z');
const FROM = '2024-05-01';
const TO = '2024-07-01';

async function reportOf(db: Db): Promise<DayFigures[]> {
  const { data, error } = await readReport(db, { from: FROM, to: TO }, new Date(`${TO}T12:00:00Z`));
  if (error) throw new Error(error.message);
  return data.days;
}

/** Recomputes every figure from all rows, without the view and its functions. */
async function recompute(db: Db): Promise<DayFigures[]> {
  const days = new Map<string, Record<string, number>>();
  const count = (at: Date, name: string, value: number) => {
    const day = days.get(kolkataDay(at)) ?? {};
    days.set(kolkataDay(at), { ...day, [name]: (day[name] ?? 0) + value });
  };
  const orders = new Map((await db.selectFrom('orders').selectAll().execute()).map((order) => [order.id, order]));
  const deliveries = new Map<string, { grams: number; final: number; isOnTime: boolean }[]>();
  const weights = new Map<string, number>();
  for (const event of await db.selectFrom('order_events').selectAll().orderBy('id').execute()) {
    const order = orders.get(event.order_id)!;
    if (event.kind === 'placed') count(event.at, 'orders', 1);
    if (event.kind === 'cancelled') count(event.at, 'cancellations', 1);
    if (event.kind === 'cancellation-undone') count(event.at, 'cancellations', -1);
    if (event.kind === 'weighed') weights.set(order.id, (event.data as { weight_grams: number }).weight_grams);
    const made = deliveries.get(order.id) ?? [];
    deliveries.set(order.id, made);
    const isDelivered = event.kind === 'moved' && event.stage === 'delivered';
    if (isDelivered) {
      const grams = weights.get(order.id)!;
      const final = finalAmountPaise(asPaise(order.rate_paise), grams, order.offer_percent);
      made.push({ grams, final, isOnTime: event.at <= fromKolkataDateTime(backBy(order.pickup_day)) });
    }
    if (isDelivered || (event.kind === 'moved-back' && event.stage === 'delivery')) {
      const sign = isDelivered ? 1 : -1;
      const { grams, final, isOnTime } = made.at(-1)!;
      count(event.at, 'delivered', sign);
      count(event.at, 'on_time', isOnTime ? sign : 0);
      count(event.at, 'weight', sign * grams);
      count(event.at, 'revenue', sign * final);
    }
  }
  const payments = await db.selectFrom('payments').selectAll().where('state', '=', 'received').execute();
  for (const payment of payments) count(payment.settled_at!, payment.method, payment.amount_paise);
  for (const { tid, reversed_at } of await db.selectFrom('payment_reversals').selectAll().execute()) {
    const payment = payments.find((row) => row.tid === tid)!;
    count(reversed_at, payment.method, -payment.amount_paise);
  }
  for (const posting of await db.selectFrom('ledger_postings').selectAll().execute()) {
    if (posting.account_id.startsWith('wallet:')) count(posting.created_at, 'liability', posting.amount_paise);
    if (['promotion', 'cashback'].includes(posting.account_id)) count(posting.created_at, 'bonuses', -posting.amount_paise);
    if (posting.account_id === 'compensation') count(posting.created_at, 'compensation', -posting.amount_paise);
  }
  for (const { created_at } of await db.selectFrom('claims').select('created_at').execute()) count(created_at, 'claims', 1);
  let liability = [...days].filter(([day]) => day < FROM).reduce((sum, [, figures]) => sum + (figures.liability ?? 0), 0);
  const list: DayFigures[] = [];
  for (let day = FROM; day <= TO; day = dayAfter(day)) {
    const of = (name: string) => asPaise(days.get(day)?.[name] ?? 0);
    liability += of('liability');
    const delivered = of('delivered');
    list.push({
      day,
      orders: of('orders'),
      weight: of('weight'),
      revenue: of('revenue'),
      received: { cash: of('cash'), upi: of('upi'), gateway: of('gateway'), wallet: of('wallet') },
      wallet_liability: asPaise(liability),
      bonuses: of('bonuses'),
      compensation: of('compensation'),
      delivered,
      on_time: of('on_time'),
      on_time_share: delivered <= 0 ? null : Math.min(1, Math.max(0, of('on_time') / delivered)),
      cancellations: of('cancellations'),
      claims: of('claims'),
    });
  }
  return list;
}

/** Changes a random order at a random time, also at one whose figures are added up. */
async function change(db: Db, random: Random, orderids: readonly string[]) {
  const orderid = random.pick(orderids);
  const at = addSeconds(UNTIL, random.below(4 * DAY_SECONDS) - DAY_SECONDS);
  const { stage, customer_id: customerId } = await db.selectFrom('orders').selectAll().where('id', '=', orderid).executeTakeFirstOrThrow();
  const next = PROGRESS_STAGES.find((row) => row.stage === stage)?.next;
  const before = PROGRESS_STAGES.map((row) => stageBefore(row.stage)).find((_, index) => PROGRESS_STAGES[index]?.stage === stage);
  const cancelling = { db, readPaidPaise };
  switch (random.below(10)) {
    case 0:
      return weighOrder(db, orderid, 10 * (1 + random.below(1000)), 5, at);
    case 1:
    case 2:
      return next && moveOrder(db, orderid, next, at, { bonusTime: 'sign-up' });
    case 3:
      return (
        before &&
        transaction(db, async (tx) => {
          await lockOrder(tx, laundryCommand(), orderid);
          await setEarlierStage(tx, orderid, { to: before }, at);
        })
      );
    case 4: {
      const method = random.pick(['cash', 'upi'] as const);
      const payment = { method, amountPaise: asPaise(1 + random.below(30_000)), mayOverpay: true };
      return transaction(db, async (tx) => recordManualPayment(tx, (await lockOrder(tx, laundryCommand(), orderid))!, payment, at));
    }
    case 5: {
      const payments = await db.selectFrom('payments').select('reference').where('order_id', '=', orderid).execute();
      const [payment] = payments;
      return payment && reverseManualPayment(db, laundryCommand(), { reference: payment.reference, reason: 'A mistake' }, at);
    }
    case 6:
      return random.oneIn(2)
        ? cancelOrder(cancelling, laundryCommand(), { orderid }, at)
        : undoCancellation(cancelling, laundryCommand(), orderid, at);
    case 7: {
      const reference = `grant:${random.below(2 ** 31)}`;
      const kind = random.pick(['promotion', 'cashback', 'compensation'] as const);
      await creditWallet(db, { customerId, kind, amountPaise: asPaise(500), reason: 'A test', reference, at });
      return random.oneIn(2) && reverseGrant(db, { reference, reason: 'A mistake', at: addSeconds(at, random.below(DAY_SECONDS)) });
    }
    case 8: {
      const amountPaise = asPaise(Math.min(500, await readBalance(db, customerId)));
      const payOut = { customerId, amountPaise, reason: 'By UPI', reference: `payout:${random.below(2 ** 31)}`, at };
      return amountPaise > 0 && transaction(db, (tx) => payOutOfWallet(tx, payOut));
    }
    default:
      return (random.oneIn(2) ? addUpNewFigures : addUpRecentFigures)(db, addSeconds(UNTIL, random.below(4 * DAY_SECONDS)));
  }
}

const seed = newSeed();

test(`the figures are equal to those of all rows, before and after they are added up (SEED=${seed})`, { timeout: 60_000 }, async () => {
  const { db, connection } = program;
  const random = createRandom(seed);
  await writeSamples({ connection, orders: 200, days: 30, seed: random.below(1000), until: UNTIL, passwordHash: 'none' });
  const expected = await recompute(db);
  expect(await reportOf(db)).toEqual(expected);
  expect(expected.reduce((sum, { orders }) => sum + orders, 0)).toBe(200);
  await addUpRecentFigures(db, UNTIL);
  const stored = () => db.selectFrom('daily_figures').selectAll().execute();
  expect((await stored()).length).toBeGreaterThan(20);
  expect(await reportOf(db)).toEqual(expected);

  const orders = await db.selectFrom('orders').select('id').orderBy('placed_at', 'desc').orderBy('id').limit(12).execute();
  for (let round = 0; round < 150; round += 1) {
    await change(
      db,
      random,
      orders.map(({ id }) => id),
    );
    if (round % 25 === 24) expect(await reportOf(db)).toEqual(await recompute(db));
  }
  const days = await reportOf(db);
  expect(days).not.toEqual(expected);
  expect(days.at(-1)?.wallet_liability).toBe((await readLedgerTotals(db)).walletsPaise);
});

describe('the report', () => {
  test('counts an order at 00:10 in Asia/Kolkata on its day there, and leaves out days to come', async () => {
    other.clock.set('2024-06-10T18:40:00Z');
    const meera = await newOrderingCustomer(other);
    await place(meera);
    const owner = await newStaff(other, 'owner');
    const result = await owner.caller.send(getReport, { from: '2024-06-10', to: '2024-06-30' });
    expect(result.data?.days.map(({ day, orders }) => [day, orders])).toEqual([
      ['2024-06-10', 0],
      ['2024-06-11', 1],
    ]);
  });

  test('adds a late fact to its day, and a reversal to the day of the reversal', async () => {
    const { db } = other;
    const at = (day: string) => new Date(`2024-06-${day}T06:00:00Z`);
    const meera = await newOrderingCustomer(other);
    const { orderid } = await place(meera);
    await weighOrder(db, orderid, 5000, 10, at('12'));
    await moveOrder(db, orderid, 'queue', at('12'));
    await addUpNewFigures(db, at('20'));
    const until = async () => (await sql<{ until: string }>`select until::text from figures_progress`.execute(db)).rows[0]?.until;
    expect(await until()).toBe('2024-06-20 05:58:00+00');
    const payment = { orderid, method: 'cash', amountPaise: asPaise(10_000) } as const;
    const recorded = await transaction(db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, at('13')));
    expect(await until()).toBe('2024-06-12 18:30:00+00');
    expect(await db.selectFrom('daily_figures').select('day').where('day', '>=', '2024-06-13').execute()).toEqual([]);
    const cash = async () =>
      (await reportOf(db)).filter(({ received }) => received.cash !== 0).map(({ day, received }) => [day, received.cash]);
    expect(await cash()).toEqual([['2024-06-13', 10_000]]);
    await addUpRecentFigures(db, at('20'));
    expect(await cash()).toEqual([['2024-06-13', 10_000]]);
    if (recorded.status !== 'recorded') throw new Error(recorded.status);
    await reverseManualPayment(db, laundryCommand(), { reference: recorded.reference, reason: 'A mistake' }, at('15'));
    expect(await cash()).toEqual([
      ['2024-06-13', 10_000],
      ['2024-06-15', -10_000],
    ]);
  });

  test('refuses days in the wrong order, and too many days', async () => {
    const owner = await newStaff(other, 'owner');
    const send = (from: string, to: string) => owner.caller.send(getReport, { from, to });
    expect(await send('2024-06-02', '2024-06-01')).toMatchObject({ response: 'error', ...figuresError('no-days') });
    expect(await send('2020-01-01', '2024-06-01')).toMatchObject({ response: 'error', code: 'too-many-days' });
  });
});

test('no addition begins while a late fact is written, and the next one finds a fact of the last one', async () => {
  const { db } = other;
  const meera = await newOrderingCustomer(other);
  const { orderid } = await place(meera);
  const until = async () => (await sql<{ until: string }>`select until::text from figures_progress`.execute(db)).rows[0]?.until;
  const now = new Date('2024-06-25T06:00:00Z');
  await addUpRecentFigures(db, new Date('2024-06-24T20:00:00Z'));
  const before = await until();
  await transaction(db, async (tx) => {
    await weighOrder(tx, orderid, 5000, 10, new Date('2024-06-16T06:00:00Z'));
    await addUpRecentFigures(db, now);
    expect(await until()).toBe(before);
  });
  await addUpRecentFigures(db, now);
  expect(await until()).toBe('2024-06-25 05:58:00+00');

  const later = new Date('2024-06-25T09:00:00Z');
  await transaction(db, async (tx) => {
    await moveOrder(tx, orderid, 'queue', new Date('2024-06-25T07:00:00Z'));
    const payment = { orderid, method: 'cash', amountPaise: asPaise(100) } as const;
    await recordManualPaymentOnce(tx, laundryCommand(), payment, new Date('2024-06-25T07:00:00Z'));
    await addUpRecentFigures(db, later);
  });
  await addUpRecentFigures(db, later);
  expect(await reportOf(db)).toEqual(await recompute(db));
});

test('days that a process of an older version added up get their compensation', async () => {
  const { db } = other;
  const at = new Date('2024-06-03T06:00:00Z');
  const { userid: customerId } = await newOrderingCustomer(other);
  const reference = 'grant:before-an-upgrade';
  await creditWallet(db, { customerId, kind: 'compensation', amountPaise: asPaise(700), reason: 'A test', reference, at });
  await addUpRecentFigures(db, UNTIL);
  const compensation = async () => (await reportOf(db)).find(({ day }) => day === '2024-06-03')?.compensation;
  expect(await compensation()).toBe(700);
  await db.updateTable('daily_figures').set({ compensation_paise: null }).where('day', '=', '2024-06-03').execute();
  expect(await compensation()).toBe(0);
  await addUpRecentFigures(db, UNTIL);
  expect(await compensation()).toBe(700);
  expect(await reportOf(db)).toEqual(await recompute(db));
});

test('a laundry without an order is added up in one step', async () => {
  const { db } = empty;
  const step = () => transaction(db, (tx) => updateFigures(tx, UNTIL, null));
  expect(await step()).toBe('added');
  expect(await step()).toBe('done');
  await creditWallet(db, {
    customerId: (await newOrderingCustomer(empty)).userid,
    kind: 'promotion',
    amountPaise: asPaise(500),
    reason: 'A test',
    reference: 'grant:before-the-first-order',
    at: addSeconds(UNTIL, -DAY_SECONDS),
  });
  await addUpRecentFigures(db, UNTIL);
  expect(await reportOf(db)).toEqual(await recompute(db));
});
