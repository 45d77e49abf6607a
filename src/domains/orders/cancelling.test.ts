import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { transaction } from '../../db/database.server.ts';
import { fail } from '../../contract/route.server.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { cancelOrder, getOrder, orderError, PROGRESS_STAGES, reschedule, undoCancel, UNDO_SECONDS, type Stage } from './contract.ts';
import { cancelOrder as cancelAs, undoCancellation } from './cancelling-service.server.ts';
import * as service from './service.server.ts';
import { listOpenOrders } from './store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { asPaise } from '../../lib/money.ts';

const program = useProgram();

interface Ordered extends OrderingCustomer {
  orderid: string;
}

const people = [
  ['a customer', () => newOrderingCustomer(program)],
  ['a guest', () => newOrderingGuest(program)],
] as const;

async function ordered(newPerson: () => Promise<OrderingCustomer> = () => newOrderingCustomer(program)): Promise<Ordered> {
  const person = await newPerson();
  return { ...person, orderid: (await place(person)).orderid };
}

const cancel = ({ caller }: Ordered, orderid: string) => caller.send(cancelOrder, { orderid });
const undo = ({ caller, orderid }: Ordered) => caller.send(undoCancel, { orderid });
const moveDay = ({ caller, orderid }: Ordered, pickup_date: string) => caller.send(reschedule, { orderid, pickup_date });
const read = async ({ caller, orderid }: Ordered) => (await caller.send(getOrder, { orderid })).data?.[0];
const weigh = (orderid: string) => service.weighOrder(program.db, orderid, 5000, 9, program.clock.now());
const move = (orderid: string, stage: Stage) =>
  service.moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });

async function advanceTo(orderid: string, stage: Stage) {
  await weigh(orderid);
  for (const row of PROGRESS_STAGES.slice(1, PROGRESS_STAGES.findIndex((row) => row.stage === stage) + 1)) await move(orderid, row.stage);
}

describe.each(people)('%s', (_who, newPerson) => {
  test('cancels an order before its pickup; the same call again returns the same', async () => {
    const who = await ordered(newPerson);
    const cancelled = {
      response: 'success',
      message: 'Your order is cancelled',
      data: { orderid: who.orderid, refund: 0, undo_seconds: UNDO_SECONDS },
    };
    expect(await cancel(who, who.orderid)).toEqual(cancelled);
    expect(await cancel(who, who.orderid)).toEqual(cancelled);
    expect(await read(who)).toMatchObject({ washing_stage: 'cancelled', undo_seconds: UNDO_SECONDS, total_weight: null });
    program.clock.advance(UNDO_SECONDS);
    expect(await read(who)).toMatchObject({ washing_stage: 'cancelled', undo_seconds: null });
    expect((await cancel(who, who.orderid)).data).toEqual({ orderid: who.orderid, refund: 0, undo_seconds: null });
  });

  test('undoes it within a minute and can cancel again, also at the same moment', async () => {
    const who = await ordered(newPerson);
    for (let round = 0; round < 2; round += 1) {
      await cancel(who, who.orderid);
      program.clock.advance(round * (UNDO_SECONDS - 1));
      const active = {
        response: 'success',
        message: 'Your order is active again',
        data: { orderid: who.orderid, washing_stage: 'pickup' },
      };
      expect(await undo(who)).toEqual(active);
      expect(await undo(who)).toEqual(active);
      expect(await read(who)).toMatchObject({ washing_stage: 'pickup', undo_seconds: null });
    }
    await advanceTo(who.orderid, 'delivered');
    expect(await read(who)).toMatchObject({ washing_stage: 'delivered' });
  });

  test('chooses another pickup day', async () => {
    const who = await ordered(newPerson);
    const moved = (day: string) => ({
      response: 'success',
      message: 'Your pickup day has been changed',
      data: { orderid: who.orderid, timeslot: '05:00 - 09:00 PM', pickup_date: day },
    });
    expect(await moveDay(who, '2026-11-24')).toEqual(moved('2026-11-24'));
    expect(await moveDay(who, '2026-11-24')).toEqual(moved('2026-11-24'));
    expect(await read(who)).toMatchObject({ pickup_date: '2026-11-24', washing_stage: 'pickup' });
    expect(await moveDay(who, '2026-11-21')).toEqual(moved('2026-11-21'));
  });
});

test('a customer changes orders at most 60 times a day, and the order stays readable', async () => {
  const who = await ordered();
  const days = ['2026-11-22', '2026-11-23'];
  for (let change = 0; change < 60; change += 1) expect(await moveDay(who, days[change % 2]!)).toMatchObject({ response: 'success' });
  await expect(moveDay(who, '2026-11-22')).rejects.toThrow(expect.objectContaining({ status: 429, code: 'too-many-changes' }));
  await expect(cancel(who, who.orderid)).rejects.toThrow(expect.objectContaining({ status: 429 }));
  expect(await read(who)).toMatchObject({ pickup_date: '2026-11-23', stages: [{ stage: 'pickup' }] });
});

test('the minute is over at its end, and the order stays cancelled', async () => {
  const who = await ordered();
  await cancel(who, who.orderid);
  program.clock.advance(UNDO_SECONDS);
  expect(await undo(who)).toEqual(fail(orderError('undo-expired')));
  expect(await read(who)).toMatchObject({ washing_stage: 'cancelled' });
});

test('a cancelled order is neither weighed, moved nor rescheduled, and leaves the list of the laundry', async () => {
  const who = await ordered();
  const isListed = async () => (await listOpenOrders(program.db)).some(({ id }) => id === who.orderid);
  expect(await isListed()).toBe(true);
  await cancel(who, who.orderid);
  expect(await isListed()).toBe(false);
  expect(await weigh(who.orderid)).toBe('wrong-stage');
  for (const { stage } of PROGRESS_STAGES) expect(await move(who.orderid, stage)).toBe('wrong-stage');
  expect(await moveDay(who, '2026-11-24')).toEqual(fail(orderError('order-cancelled')));
  expect(await read(who)).toMatchObject({ washing_stage: 'cancelled', total_weight: null, pickup_date: '2026-11-21' });
});

test('no stage leads to cancelled', async () => {
  const who = await ordered();
  await weigh(who.orderid);
  expect(await move(who.orderid, 'cancelled')).toBe('wrong-stage');
});

test.each(PROGRESS_STAGES.map(({ stage }) => stage))('once the clothes are weighed, at %s, the customer changes nothing', async (stage) => {
  const who = await ordered();
  await advanceTo(who.orderid, stage);
  const pickedUp = fail(orderError('already-picked-up', { mobile: program.site.brand.mobile }));
  expect(await cancel(who, who.orderid)).toEqual(pickedUp);
  expect(await moveDay(who, '2026-11-24')).toEqual(pickedUp);
  expect(await undo(who)).toMatchObject({ response: 'success', data: { washing_stage: stage } });
  expect(await read(who)).toMatchObject({ washing_stage: stage, pickup_date: '2026-11-21' });
});

test('a cancellation that waits for a weighing sees it, and so does a new pickup day', async () => {
  const who = await ordered();
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const attempts = await transaction(program.db, async (tx) => {
    await service.weighOrder(tx, who.orderid, 5000, 9, program.clock.now());
    const responses = Promise.all([cancel(who, who.orderid), moveDay(who, '2026-11-24')]);
    while ((await waiting.execute(program.db)).rows.length < 2) await sleep(5);
    return { responses };
  });
  const pickedUp = fail(orderError('already-picked-up', { mobile: program.site.brand.mobile }));
  expect(await attempts.responses).toEqual([pickedUp, pickedUp]);
  expect(await read(who)).toMatchObject({ washing_stage: 'pickup', pickup_date: '2026-11-21', total_weight: 5000 });
});

describe('a pickup day that is not offered changes nothing', () => {
  test.each([
    ['2026-11-20', orderError('pickup-day-past', { pickupDay: '2026-11-22' })],
    ['2026-11-21', orderError('pickup-day-closed', { pickupDay: '2026-11-22' })],
    ['2026-11-29', orderError('pickup-day-too-far', { lastDay: '2026-11-28' })],
  ])('%s is refused after the cut-off of Nov 21', async (day, error) => {
    const who = await ordered();
    await moveDay(who, '2026-11-23');
    program.clock.set('2026-11-21T10:30:00Z');
    expect(await moveDay(who, day)).toEqual(fail(error));
    expect(await read(who)).toMatchObject({ pickup_date: '2026-11-23' });
    program.clock.set('2026-11-21T05:00:00Z');
  });

  test.each(['2026-11-31', '2026-02-30', '21-11-2026', '2026-11-24T00:00:00Z', '', null, 20261124])('%j is no day', async (day) => {
    const who = await ordered();
    expect((await who.caller.post(reschedule.path, { orderid: who.orderid, pickup_date: day })).statusCode).toBe(400);
    expect(await read(who)).toMatchObject({ pickup_date: '2026-11-21' });
  });

  test('the own day of an order is accepted when it is closed', async () => {
    const who = await ordered();
    program.clock.set('2026-11-21T10:30:00Z');
    expect(await moveDay(who, '2026-11-21')).toMatchObject({ response: 'success' });
    program.clock.set('2026-11-21T05:00:00Z');
  });
});

describe('access', () => {
  test('an order of another caller is not found, and nothing changes', async () => {
    const owner = await ordered();
    const ofGuest = await ordered(() => newOrderingGuest(program));
    const strangers = [
      await ordered(),
      await ordered(() => newOrderingGuest(program)),
      { ...ofGuest, caller: await newSession(program, ofGuest.userid, 'guest') },
    ];
    for (const { orderid } of [owner, ofGuest]) {
      for (const stranger of strangers) {
        const notFound = fail(orderError('order-not-found', { orderid }));
        expect(await cancel(stranger, orderid)).toEqual(notFound);
        expect(await undo({ ...stranger, orderid })).toEqual(notFound);
        expect(await moveDay({ ...stranger, orderid }, '2026-11-24')).toEqual(notFound);
      }
    }
    for (const who of [owner, ofGuest]) expect(await read(who)).toMatchObject({ washing_stage: 'pickup', pickup_date: '2026-11-21' });
  });

  test('a customer does not undo a cancellation of the laundry', async () => {
    const who = await ordered();
    const laundry = { db: program.db, readPaidPaise: async () => asPaise(0) };
    expect(await cancelAs(laundry, laundryCommand(), { orderid: who.orderid }, program.clock.now())).toMatchObject({ status: 'cancelled' });
    expect(await read(who)).toMatchObject({ undo_seconds: null });
    expect((await cancel(who, who.orderid)).data).toEqual({ orderid: who.orderid, refund: 0, undo_seconds: null });
    expect(await undo(who)).toEqual(fail(orderError('cancelled-by-laundry', { mobile: program.site.brand.mobile })));
    expect(await undoCancellation(laundry, laundryCommand(), who.orderid, program.clock.now())).toEqual({
      status: 'active',
      stage: 'pickup',
    });
    expect(await read(who)).toMatchObject({ washing_stage: 'pickup' });
  });
});
