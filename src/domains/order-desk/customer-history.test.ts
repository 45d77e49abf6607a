/** The changes of the laundry in the history that the customer reads. docs/decisions/0072. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { kolkataDateTime } from '../../lib/dates.ts';
import { fail } from '../../contract/route.server.ts';
import { callPath, readEnvelope } from '../../contract/send.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { newOrderWithStaff, readOwnOrder, targetOf } from '../../../test/support/desk-order.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { samplePhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { TestStaff } from '../../../test/support/staff.ts';
import { reschedule } from '../orders/contract.ts';
import { scalePhotoPath } from '../orders/history-contract.ts';
import { getOrderPayments } from '../payments/contract.ts';
import { renewCode } from './desk/code-contract.ts';
import {
  deskError,
  getDeskOrder,
  MAX_WRONG_CODES,
  move,
  moveBack,
  receive,
  rescheduleOrder,
  reversePayment,
  weigh,
} from './desk/contract.ts';
import { assign } from './desk/riders-contract.ts';
import { addOrderPhoto } from './desk/photos-contract.ts';

const program = useProgram();

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
let customer: OrderingCustomer;
let orderid: string;

beforeEach(async () => {
  ({ owner, operator, rider, customer, orderid } = await newOrderWithStaff(program));
});

const target = () => targetOf(operator, orderid);
const seen = () => readOwnOrder(customer, orderid);
const historyOf = async (kind: string) => (await seen()).history.filter((entry) => entry.kind === kind);
const kinds = async () => (await seen()).history.map(({ kind }) => kind);

const weighed = async (who: TestStaff, weight: number, more: { items?: number; bags?: number; note?: string; reason?: string } = {}) =>
  who.caller.send(weigh, { ...(await target()), weight, items: 20, ...more });
const moved = async (stage: string, who = operator, more: { code?: string; reason?: string } = {}) =>
  who.caller.send(move, { ...(await target()), stage, ...more });
async function outForDelivery() {
  await weighed(rider, 10_500);
  for (const stage of ['queue', 'washing', 'delivery']) await moved(stage);
}

const WHY = 'The second bag was not on the scale';

describe('another weight', () => {
  test('needs a reason, which the customer reads with the figures before and after', async () => {
    await weighed(rider, 10_500, { bags: 2, note: 'Two stairs' });
    expect(await weighed(operator, 12_500)).toEqual(fail(deskError('reason-required')));
    expect(await weighed(operator, 10_500, { items: 21 })).toEqual(fail(deskError('reason-required')));
    expect(await seen()).toMatchObject({ total_weight: 10_500, total_items: 20, bags: 2 });
    expect(await weighed(operator, 12_500, { reason: WHY })).toMatchObject({ response: 'success' });
    const { history, bags, total_amount } = await seen();
    expect(bags).toBe(2);
    expect(history).toEqual([
      { kind: 'placed', at: expect.any(String) as string },
      { kind: 'weighed', at: expect.any(String) as string, weight: 10_500, items: 20, bags: 2, amount: 39_900, at_door: true },
      { kind: 'corrected', at: expect.any(String) as string, weight: 12_500, items: 20, amount: total_amount, reason: WHY },
    ]);
  });

  test('has its note as the reason if it has no other', async () => {
    await weighed(rider, 10_500, { note: 'Two stairs' });
    expect(await weighed(rider, 12_500, { note: WHY })).toMatchObject({ response: 'success' });
    expect(await weighed(rider, 12_500, { note: 'Still two stairs' })).toMatchObject({ response: 'success' });
    expect(await weighed(rider, 11_500, { note: 'Call before', reason: 'One bag was of the neighbour' })).toMatchObject({
      response: 'success',
    });
    expect(await historyOf('corrected')).toMatchObject([{ reason: WHY }, { reason: 'One bag was of the neighbour' }]);
    expect((await historyOf('weighed'))[0]).not.toHaveProperty('reason');
  });

  test('that is none needs no reason and is no news', async () => {
    await weighed(rider, 10_500);
    expect(await weighed(rider, 10_500, { bags: 3 })).toMatchObject({ response: 'success' });
    expect(await kinds()).toEqual(['placed', 'weighed']);
    expect((await seen()).bags).toBe(3);
  });
});

test('only the customer of the order sees the photo of the scale, and no other photo', async () => {
  const upload = async (kind: 'weigh' | 'damage') => {
    const headers = { 'content-type': 'image/jpeg', 'idempotency-key': newId() };
    const response = await rider.caller.request('POST', callPath(addOrderPhoto, { orderid, kind }).slice(1), samplePhoto('jpeg'), headers);
    return readEnvelope(addOrderPhoto, response.statusCode, response.json()).data?.photoid ?? '';
  };
  const { version } = await seen();
  const [scale, damage] = [await upload('weigh'), await upload('damage')];
  expect(await historyOf('photographed')).toMatchObject([{ photoid: scale }]);
  // The page of the order hears of it.
  expect((await seen()).version).toBeGreaterThan(version);
  const statusFor = async ({ caller }: { caller: OrderingCustomer['caller'] }, photoid: string) =>
    (await caller.get(scalePhotoPath(photoid).slice(1))).statusCode;
  const file = await customer.caller.get(scalePhotoPath(scale).slice(1));
  expect([file.statusCode, file.headers['content-type'], file.headers['content-security-policy']]).toEqual([
    200,
    'image/jpeg',
    expect.stringContaining('sandbox'),
  ]);
  expect(await statusFor(customer, damage)).toBe(404);
  const other = await newOrderingCustomer(program);
  await place(other);
  expect(await statusFor(other, scale)).toBe(404);
  expect(await statusFor({ caller: program.caller() }, scale)).toBe(401);
  expect(await statusFor(operator, scale)).toBe(401);
  // A photo of the scale from before the rule has no event.
  await program.db.deleteFrom('order_events').where('order_id', '=', orderid).where('kind', '=', 'photographed').execute();
  expect(await statusFor(customer, scale)).toBe(404);
});

test('a delivery without the code says so with its reason, one with the code does not', async () => {
  await outForDelivery();
  const { hand_over_code: code } = await seen();
  await moved('delivered', rider, { code: code ?? '' });
  expect((await kinds()).at(-1)).toBe('moved');
  await operator.caller.send(moveBack, { ...(await target()), reason: 'The wrong door' });
  await moved('delivered', operator, { reason: 'The guard took it' });
  expect((await seen()).history.slice(-3)).toMatchObject([
    { kind: 'moved', stage: 'delivered' },
    { kind: 'moved-back', stage: 'delivery', reason: 'The wrong door' },
    { kind: 'delivered-without-code', stage: 'delivered', reason: 'The guard took it' },
  ]);
});

test('a move that is undone is no news', async () => {
  await weighed(rider, 10_500);
  const before = await kinds();
  await moved('queue');
  expect(await historyOf('moved')).toHaveLength(1);
  await operator.caller.send(moveBack, await target());
  expect(await kinds()).toEqual(before);
});

test('a pickup day that the laundry moves has a reason, one that the customer chooses has none', async () => {
  const to = { pickup_date: '2026-11-25', reason: 'A machine is broken' };
  await operator.caller.send(rescheduleOrder, { ...(await target()), ...to });
  await customer.caller.send(reschedule, { orderid, pickup_date: '2026-11-24' });
  expect(await historyOf('rescheduled')).toMatchObject([
    { by: 'laundry', from_date: '2026-11-21', ...to },
    { by: 'customer', from_date: '2026-11-25', pickup_date: '2026-11-24' },
  ]);
  expect((await historyOf('rescheduled'))[1]).not.toHaveProperty('reason');
  await operator.caller.send(rescheduleOrder, { ...(await target()), pickup_date: '2026-11-26' });
  expect((await historyOf('rescheduled'))[2]).toMatchObject({ by: 'laundry', pickup_date: '2026-11-26' });
  expect((await historyOf('rescheduled'))[2]).not.toHaveProperty('reason');
});

test('a code that was wrong too often is withdrawn, and a new one works', async () => {
  await outForDelivery();
  const codes = new Set([(await seen()).hand_over_code]);
  const wrong = codes.has('0000') ? '1111' : '0000';
  await moved('delivered', rider, { code: wrong });
  const typed = async () => (await operator.caller.send(getDeskOrder, { orderid })).data?.history.at(-1);
  expect(await typed()).toMatchObject({ kind: 'wrong-code', by: { kind: 'staff', name: rider.name } });
  expect(await kinds()).not.toContain('wrong-code');
  for (let tries = 1; tries < MAX_WRONG_CODES; tries += 1) await moved('delivered', rider, { code: wrong });
  expect(await typed()).toMatchObject({ kind: 'code-locked', by: { kind: 'staff', name: rider.name } });
  expect(await seen()).toMatchObject({ hand_over_code: null });
  expect((await kinds()).at(-1)).toBe('code-locked');
  for (let renewals = 0; renewals < 2; renewals += 1) {
    const renewed = await operator.caller.send(renewCode, await target());
    expect(renewed.data).toMatchObject({ code_tries_left: MAX_WRONG_CODES, washing_stage: 'delivery' });
    codes.add((await seen()).hand_over_code);
  }
  // Two of three codes are equal once in some thousand orders.
  expect(codes.size).toBeGreaterThan(1);
  const { hand_over_code: code } = await seen();
  expect((await kinds()).at(-1)).toBe('code-renewed');
  expect(await moved('delivered', rider, { code: code ?? '' })).toMatchObject({ response: 'success' });
});

test('the first name of the rider is known while the rider is expected', async () => {
  expect(await seen()).toMatchObject({ rider: null });
  const given = (personid: string | null) => target().then((at) => operator.caller.send(assign, { ...at, rider: personid }));
  await program.db.updateTable('staff_members').set({ name: 'Ravi Kumar' }).where('id', '=', rider.personid).execute();
  await given(rider.personid);
  expect(await seen()).toMatchObject({ rider: 'Ravi' });
  expect(JSON.stringify(await seen())).not.toMatch(new RegExp(`Kumar|${rider.mobile}|${rider.personid}`));
  await outForDelivery();
  expect(await seen()).toMatchObject({ rider: 'Ravi' });
  await program.db.updateTable('staff_members').set({ removed_at: program.clock.now() }).where('id', '=', rider.personid).execute();
  expect(await seen()).toMatchObject({ rider: null });
  await given(operator.personid);
  expect((await seen()).rider).not.toBeNull();
  await given(null);
  expect(await seen()).toMatchObject({ rider: null });
});

test('a payment that was reversed says so with its amount, its day and the reason, and is due again', async () => {
  await weighed(rider, 10_000);
  await moved('queue');
  const { data } = await owner.caller.send(receive, { orderid, method: 'cash', amount: asPaise(20_000) }, newKey());
  const { version } = await seen();
  const paid = { amount: 20_000, paid_at: kolkataDateTime(program.clock.now()) };
  program.clock.advance(60);
  const reversal = { tid: data?.payments[0]?.tid ?? '', reason: 'It belongs to another order' };
  await owner.caller.send(reversePayment, reversal, newKey());
  expect(await owner.caller.send(reversePayment, reversal, newKey())).toEqual(fail(deskError('already-reversed')));
  expect(await historyOf('payment-reversed')).toEqual([
    { kind: 'payment-reversed', ...paid, at: expect.any(String) as string, reason: reversal.reason, given_back: true },
  ]);
  const after = await seen();
  expect(after.version).toBeGreaterThan(version);
  expect(after.amount_paid).toBe(0);
  const payments = await customer.caller.send(getOrderPayments, { userid: customer.userid, orderid });
  expect(payments.data).toMatchObject({ paid: [], rest: 38_000 });
  const again = await owner.caller.send(receive, { orderid, method: 'cash', amount: asPaise(20_000) }, newKey());
  const tid = again.data?.payments.find((payment) => payment.reversal === null)?.tid ?? '';
  await owner.caller.send(reversePayment, { tid, reason: 'A slip', cash: 'never-received' }, newKey());
  expect((await historyOf('payment-reversed')).map((entry) => entry.given_back)).toEqual([true, undefined]);
  // An event of an older version has only the reference: its reason was written for colleagues.
  await program.db
    .updateTable('order_events')
    .set({ data: sql`jsonb_build_object('reference', data -> 'reference')` })
    .where('order_id', '=', orderid)
    .where('kind', '=', 'payment-reversed')
    .execute();
  expect((await historyOf('payment-reversed'))[0]).toEqual({ kind: 'payment-reversed', ...paid, at: expect.any(String) as string });
});
