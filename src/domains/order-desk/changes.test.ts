/** The changes that the staff makes to orders. docs/decisions/0053. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { CallRefused } from '../../contract/call-failures.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { newOrderWithStaff, readDeskOrder, readOwnOrder, wrongHandOverCode } from '../../../test/support/desk-order.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, newStaffSession, type TestStaff } from '../../../test/support/staff.ts';
import { addClaim } from '../claims/contract.ts';
import { settleDeskClaim } from '../claims/desk/contract.ts';
import { cancelOrder, orderError, reschedule as customerReschedule, undoCancel } from '../orders/contract.ts';
import { chooseDelivery, deliveryError } from '../orders/delivery-contract.ts';
import { getOrderPayments, payWithWallet } from '../payments/contract.ts';
import { addReview } from '../reviews/contract.ts';
import { auditLedger, creditWallet, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { setPerson } from '../staff/desk/contract.ts';
import { deleteExpiredStaffData } from '../staff/service.server.ts';
import {
  attempt,
  cancelDeskOrder,
  deskError,
  getDeskOrder,
  listOrders,
  MAX_WRONG_CODES,
  move,
  moveBack,
  receive,
  rescheduleOrder,
  reversePayment,
  weigh,
} from './desk/contract.ts';
import { staleError } from './desk/refusals.ts';
import { assign } from './desk/riders-contract.ts';

const program = useProgram();
const withoutTemplates = useProgram({
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'key',
  MSG91_TEMPLATE_ID: 'template',
  PUBLIC_URL: 'http://laundry.example',
});

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
let customer: OrderingCustomer;
let orderid: string;

beforeEach(async () => {
  ({ owner, operator, rider, customer, orderid } = await newOrderWithStaff(program));
});

const timeNow = () => kolkataDateTime(program.clock.now()).slice(11, 16);

const read = (who: TestStaff = owner) => readDeskOrder(who, orderid);
const version = async () => (await read()).version;
const seenByCustomer = () => readOwnOrder(customer, orderid);

/** 7.53 kg at ₹38. */
const DUE = asPaise(28_614);
const HALF = asPaise(14_307);

const weighed = async () => operator.caller.send(weigh, { orderid, version: await version(), weight: 7530, items: 12 });
const moved = async (stage: string, who = operator, more: { code?: string; reason?: string } = {}) =>
  who.caller.send(move, { orderid, version: await version(), stage, ...more });
async function outForDelivery() {
  await weighed();
  for (const stage of ['queue', 'washing', 'delivery']) await moved(stage);
  program.clock.advance(120);
}
const code = async () => (await seenByCustomer()).hand_over_code ?? '';
const wrongCode = async () => wrongHandOverCode(await code());
const audited = async () =>
  (
    await program.db
      .selectFrom('staff_audit')
      .select(['action', 'staff_id', 'before', 'after'])
      .where('subject_id', '=', orderid)
      .orderBy('id')
      .execute()
  ).at(-1);
const countEvents = async () => (await program.db.selectFrom('order_events').select('id').where('order_id', '=', orderid).execute()).length;

describe('a weighing', () => {
  test('is seen by the customer and the staff with equal amounts, author and audit', async () => {
    const { data } = await operator.caller.send(weigh, {
      orderid,
      version: await version(),
      weight: 7530,
      items: 12,
      bags: 3,
      note: 'A torn sleeve',
      at: program.clock.now().toISOString(),
    });
    expect(data).toMatchObject({ total_weight: 7530, total_items: 12, total_amount: DUE, bags: 3, left_to_pay: null });
    expect(data?.notes).toMatchObject([{ note: 'A torn sleeve', by: { kind: 'staff', name: operator.name } }]);
    expect(data?.history).toMatchObject([
      { kind: 'placed', by: { kind: 'customer', name: null } },
      { kind: 'weighed', weight: 7530, items: 12, by: { kind: 'staff', name: operator.name }, clocks_differ: false },
    ]);
    expect(await seenByCustomer()).toMatchObject({ total_weight: 7530, total_amount: DUE, version: data?.version });
    expect(await audited()).toMatchObject({
      action: 'weigh-order',
      staff_id: operator.personid,
      before: { weight_grams: null, items: null, bags: null },
      after: { weight_grams: 7530, items: 12, bags: 3, note: 'A torn sleeve' },
    });
  });

  test.each([
    [0, 12],
    [-10, 12],
    [1_000_010, 12],
    [7530, 0],
    [7530, 10_001],
  ])('of %i g and %i pieces is refused, audited and writes nothing', async (weight, items) => {
    const before = await read();
    const result = await operator.caller.send(weigh, { orderid, version: before.version, weight, items });
    expect(result).toEqual(fail(deskError('impossible-weight')));
    expect(await read()).toEqual(before);
    expect(await audited()).toMatchObject({ action: 'refused', after: { call: 'staff/weigh', error: 'impossible-weight' } });
  });

  test('that is refused before the day of the pickup leaves the day, the history and the messages', async () => {
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-22' });
    const messages = program.db.selectFrom('notifications').innerJoin('order_events', 'order_events.id', 'event_id').selectAll();
    const state = async () => ({
      staff: await read(),
      customer: await seenByCustomer(),
      messages: await messages.where('order_id', '=', orderid).execute(),
    });
    const before = await state();
    const impossible = { orderid, version: before.staff.version, weight: 7530, items: 10_001 };
    expect(await rider.caller.send(weigh, impossible)).toEqual(fail(deskError('impossible-weight')));
    expect(await state()).toEqual(before);
  });

  test('after the pickup is refused', async () => {
    await weighed();
    await moved('queue');
    expect(await weighed()).toEqual(fail(deskError('wrong-stage')));
  });

  test('keeps the time of the device, flags a wrong clock, and refuses one that is days off', async () => {
    const sendAt = async (seconds: number) =>
      operator.caller.send(weigh, {
        orderid,
        version: await version(),
        weight: 7530,
        items: 12,
        at: addSeconds(program.clock.now(), seconds).toISOString(),
      });
    expect((await sendAt(-14 * 60)).data?.history.at(-1)).toMatchObject({ clocks_differ: false });
    expect((await sendAt(-3600)).data?.history.at(-1)).toMatchObject({ device_at: '2026-11-21 09:30:00', clocks_differ: true });
    for (const seconds of [-DAY_SECONDS - 1, DAY_SECONDS + 1]) expect(await sendAt(seconds)).toEqual(fail(deskError('wrong-device-time')));
  });
});

describe('versions and keys', () => {
  test('a stale version is refused with the current order, and writes nothing', async () => {
    const stale = await version();
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-23' });
    const events = await countEvents();
    const response = await operator.caller.post('staff/weigh', { orderid, version: stale, weight: 7.53, items: 12 });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({
      response: 'error',
      code: 'changed-meanwhile',
      params: { cause: 'customer-moved-pickup', day: '2026-11-23', time: timeNow() },
      message: deskError('customer-moved-pickup', { day: '2026-11-23', time: timeNow() }).message,
      data: { orderid, pickup_date: '2026-11-23', version: await version(), total_weight: null },
    });
    expect(await countEvents()).toBe(events);
    expect(await audited()).toMatchObject({ action: 'refused', after: { call: 'staff/weigh', error: 'changed-meanwhile' } });
    const before = await version();
    await operator.caller.send(assign, { orderid, version: before, rider: rider.personid });
    expect((await operator.caller.post('staff/assign', { orderid, version: before, rider: null })).json()).toMatchObject({
      ...staleError(),
      data: { version: await version() },
    });
  });

  test('every change of the staff and of the customer increases the version', async () => {
    const versions = [await version()];
    const push = async () => versions.push(await version());
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-23' });
    await push();
    await weighed();
    await push();
    await moved('queue');
    await push();
    await operator.caller.send(receive, { orderid, method: 'cash', amount: HALF }, newKey());
    await push();
    await operator.caller.send(assign, { orderid, version: await version(), rider: rider.personid });
    await push();
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  });

  test('a repeated request with its key returns the order as it is now, and never conflicts with itself', async () => {
    const request = { orderid, version: await version(), weight: 7530, items: 12 };
    const options = newKey();
    const first = await operator.caller.send(weigh, request, options);
    const { data } = await moved('queue');
    const events = await countEvents();
    expect(await operator.caller.send(weigh, request, options)).toEqual({ ...first, data: await read(operator) });
    expect(data?.washing_stage).toBe('queue');
    expect(await countEvents()).toBe(events);
  });

  test('a payment needs a key; a repeated one is noted once, a second one with another key twice', async () => {
    await weighed();
    await moved('queue');
    const payment = { orderid, method: 'cash', amount: asPaise(5000) } as const;
    await expect(operator.caller.send(receive, payment)).rejects.toThrow(CallRefused);
    const options = newKey();
    const first = await operator.caller.send(receive, payment, options);
    expect(await operator.caller.send(receive, payment, options)).toEqual(first);
    expect(first.data).toMatchObject({
      amount_paid: 5000,
      left_to_pay: DUE - 5000,
      payments: [{ amount: 5000, received_by: operator.name }],
    });
    const second = await operator.caller.send(receive, payment, newKey());
    expect(second.data).toMatchObject({ amount_paid: 10_000, payments: [{ amount: 5000 }, { amount: 5000 }] });
  });

  test('an unknown order is refused', async () => {
    expect(await operator.caller.send(weigh, { orderid: 'NOSUCHORDER0', version: 1, weight: 10, items: 1 })).toEqual(
      fail(orderError('order-not-found', { orderid: 'NOSUCHORDER0' })),
    );
  });
});

describe('the hand-over', () => {
  beforeEach(outForDelivery);

  test('needs the code of the customer, which only the customer sees', async () => {
    const secret = await code();
    expect(secret).toMatch(/^\d{4}$/);
    expect(await moved('delivered', rider)).toEqual(fail(deskError('code-required')));
    expect(await moved('delivered', rider, { reason: 'I forgot to ask' })).toEqual(fail(deskError('code-required')));
    const delivered = await moved('delivered', rider, { code: secret });
    expect(delivered.data).toMatchObject({ washing_stage: 'delivered' });
    expect(await seenByCustomer()).toMatchObject({ washing_stage: 'delivered', hand_over_code: null });
  });

  test('that is moved back needs another code each time, which the person who knows the last one does not', async () => {
    const codes = [await code()];
    for (let delivery = 0; delivery < 3; delivery += 1) {
      expect(await moved('delivered', rider, { code: await code() })).toMatchObject({ response: 'success' });
      const back = { orderid, version: await version(), reason: 'Another order' };
      expect(await operator.caller.send(moveBack, back)).toMatchObject({ response: 'success' });
      codes.push(await code());
    }
    // Two codes are equal once in ten thousand.
    expect(new Set(codes).size).toBeGreaterThan(2);
    const former = codes.find((known) => known !== codes.at(-1))!;
    const refused = fail(deskError('wrong-hand-over-code', { left: MAX_WRONG_CODES - 1 }));
    expect(await moved('delivered', rider, { code: former })).toEqual(refused);
  });

  test('is refused after five wrong codes, also with the right one; the operator delivers it with a reason', async () => {
    const secret = await code();
    const wrong = await wrongCode();
    for (let left = MAX_WRONG_CODES - 1; left > 0; left -= 1) {
      expect(await moved('delivered', rider, { code: wrong })).toEqual(fail(deskError('wrong-hand-over-code', { left })));
      expect((await read()).code_tries_left).toBe(left);
    }
    const tooMany = fail(deskError('too-many-codes'));
    expect(await moved('delivered', rider, { code: wrong })).toEqual(tooMany);
    expect(await moved('delivered', rider, { code: secret })).toEqual(tooMany);
    expect(await audited()).toMatchObject({ action: 'refused', after: { call: 'staff/move', error: 'too-many-codes' } });
    const delivered = await moved('delivered', operator, { reason: 'The mother took them' });
    expect(delivered.data).toMatchObject({ washing_stage: 'delivered', notes: [] });
  });

  test('a repeated wrong code with one key is one try', async () => {
    const request = { orderid, version: await version(), stage: 'delivered', code: await wrongCode() };
    const options = newKey();
    const first = await rider.caller.send(move, request, options);
    expect(await rider.caller.send(move, request, options)).toEqual(first);
    expect((await read()).code_tries_left).toBe(MAX_WRONG_CODES - 1);
  });

  test.each(['', '12', '12345', '12 34', 'abcd', '१२३४'])('a code of another form is refused and is no try: "%s"', async (malformed) => {
    const body = { orderid, version: await version(), stage: 'delivered', code: malformed };
    const result = await rider.caller.post(move.path, body);
    expect([result.statusCode, result.json()]).toEqual([400, expect.objectContaining({ code: 'malformed-code' })]);
    expect((await read()).code_tries_left).toBe(MAX_WRONG_CODES);
  });

  test('a wrong code in another stage is no try', async () => {
    await owner.caller.send(moveBack, { orderid, version: await version(), reason: 'Not loaded' });
    expect(await moved('delivered', rider, { code: await wrongCode() })).toEqual(fail(deskError('wrong-stage')));
    expect((await read()).code_tries_left).toBe(MAX_WRONG_CODES);
  });

  test('no response, audit row, event or stored response contains the code', async () => {
    const secret = await code();
    await moved('delivered', rider, { code: await wrongCode() });
    const result = await rider.caller.send(move, { orderid, version: await version(), stage: 'delivered', code: secret }, newKey());
    expect(result.response).toBe('success');
    expect(JSON.stringify(result)).not.toMatch(/"(hand_over_)?code"/);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(staff_audit)::text as row from staff_audit where subject_id = ${orderid}
      union all select to_jsonb(order_events)::text from order_events where order_id = ${orderid}
      union all select to_jsonb(staff_answers)::text from staff_answers where staff_id = ${rider.personid}`.execute(program.db);
    for (const { row } of rows) expect(row).not.toMatch(new RegExp(`"(code|after|note)": "?${secret}`));
  });
});

describe('moving', () => {
  test('without a weight and past a stage is refused', async () => {
    expect(await moved('queue')).toEqual(fail(deskError('not-weighed')));
    await weighed();
    expect(await moved('washing')).toEqual(fail(deskError('wrong-stage')));
    expect(await moved('no such stage')).toEqual(fail(deskError('wrong-stage')));
    expect((await moved('queue')).data).toMatchObject({ washing_stage: 'queue', undo_seconds: 60, undo_message: null });
  });

  test('names the SMS that follows, unless its kind has no template', async () => {
    await weighed();
    for (const stage of ['queue', 'washing']) await moved(stage);
    expect((await moved('delivery')).data?.undo_message).toBe('delivery');
    expect((await read(operator)).undo_message).toBe('delivery');
    expect((await read(owner)).undo_message).toBeNull();

    ({ orderid } = await place(await newOrderingCustomer(withoutTemplates)));
    const { caller } = await newStaff(withoutTemplates, 'operator');
    const current = async () => (await caller.send(getDeskOrder, { orderid })).data!;
    await caller.send(weigh, { orderid, version: (await current()).version, weight: 7530, items: 12 });
    for (const stage of ['queue', 'washing', 'delivery']) {
      const { data } = await caller.send(move, { orderid, version: (await current()).version, stage });
      expect(data).toMatchObject({ washing_stage: stage, undo_seconds: 60, undo_message: null });
    }
    expect(await current()).toMatchObject({ undo_seconds: expect.any(Number) as number, undo_message: null });
  });

  test('is undone within a minute by the person who moved it, without a trace for the customer', async () => {
    await weighed();
    for (const stage of ['queue', 'washing']) await moved(stage);
    const out = await moved('delivery', rider);
    expect((await read(operator)).undo_seconds).toBeNull();
    await expect((await newStaff(program, 'rider')).caller.send(moveBack, { orderid, version: out.data!.version })).rejects.toThrow(
      CallRefused,
    );
    program.clock.advance(59);
    const undone = await rider.caller.send(moveBack, { orderid, version: out.data!.version });
    expect(undone.data).toMatchObject({ washing_stage: 'washing', undo_seconds: null });
    expect((await seenByCustomer()).stages.map(({ stage }) => stage)).toEqual(['pickup', 'queue', 'washing']);
    const states = async () =>
      program.db
        .selectFrom('notifications')
        .innerJoin('order_events', 'order_events.id', 'event_id')
        .select(['state', 'due_at'])
        .where('order_id', '=', orderid)
        .where('stage', '=', 'delivery')
        .orderBy('event_id')
        .execute();
    expect(await states()).toMatchObject([{ state: 'withdrawn' }]);
    await moved('delivery', rider);
    expect(await states()).toEqual([
      expect.objectContaining({ state: 'withdrawn' }),
      { state: 'waiting', due_at: addSeconds(program.clock.now(), 60) },
    ]);
  });

  test('its message is sent before that of a failed visit within the minute', async () => {
    await weighed();
    for (const stage of ['queue', 'washing', 'delivery']) await moved(stage);
    program.clock.advance(20);
    await operator.caller.send(attempt, { orderid, version: (await read(operator)).version, why: 'nobody-home' });
    const sent = await program.db
      .selectFrom('notifications')
      .innerJoin('order_events', 'order_events.id', 'event_id')
      .select(['kind', 'order_events.stage'])
      .where('order_id', '=', orderid)
      .where('state', '=', 'waiting')
      .where('due_at', '<=', program.clock.now())
      .orderBy('due_at')
      .orderBy('event_id')
      .execute();
    expect(sent.slice(-2)).toEqual([
      { kind: 'moved', stage: 'delivery' },
      { kind: 'attempted', stage: null },
    ]);
  });

  test('back needs a reason after a minute, and is not for a rider', async () => {
    await outForDelivery();
    const back = async (who: TestStaff, reason?: string) =>
      who.caller.send(moveBack, { orderid, version: await version(), ...(reason !== undefined && { reason }) });
    await expect(back(rider, 'Wrong button')).rejects.toThrow('Your role does not allow this');
    expect(await back(operator)).toEqual(fail(deskError('reason-required')));
    expect((await back(operator, 'A stain')).data).toMatchObject({ washing_stage: 'washing', notes: [] });
    await back(owner, 'Again');
    await back(owner, 'Again');
    expect(await back(owner, 'Again')).toEqual(fail(deskError('first-stage')));
  });

  test('a delivery that is undone is no delivery, and is unpaid only while it is delivered', async () => {
    await outForDelivery();
    const isUnpaid = async () =>
      (await program.db.selectFrom('orders').select('is_unpaid').where('id', '=', orderid).executeTakeFirstOrThrow()).is_unpaid;
    await moved('delivered', rider, { code: await code() });
    expect(await isUnpaid()).toBe(true);
    await rider.caller.send(moveBack, { orderid, version: await version() });
    expect(await isUnpaid()).toBe(false);
    expect(await seenByCustomer()).toMatchObject({ washing_stage: 'delivery', delivered_date: null });
    await moved('delivered', rider, { code: await code() });
    await rider.caller.send(receive, { orderid, method: 'upi', amount: DUE }, newKey());
    expect(await isUnpaid()).toBe(false);
  });
});

describe('money at the door', () => {
  beforeEach(async () => {
    await weighed();
    await moved('queue');
  });
  const pay = (amount: number, more: { overpaid?: boolean; method?: 'cash' | 'upi' } = {}) =>
    rider.caller.send(receive, { orderid, method: 'cash', amount: asPaise(amount), ...more }, newKey());
  const walletOf = () => readBalance(program.db, customer.userid);

  test('customer and staff see equal amounts after half from the wallet and the rest in cash', async () => {
    await creditWallet(program.db, {
      customerId: customer.userid,
      kind: 'promotion',
      amountPaise: asPaise(20_000),
      reason: 'A test',
      reference: `test:${customer.userid}`,
      at: program.clock.now(),
    });
    await customer.caller.send(payWithWallet, { orderid, walletpayment: HALF });
    expect((await read()).left_to_pay).toBe(HALF);
    const { data } = await pay(HALF);
    expect(data).toMatchObject({ left_to_pay: 0, amount_paid: DUE, total_amount: DUE });
    expect(data?.history.filter(({ kind }) => kind === 'paid')).toMatchObject([
      { amount: HALF, method: 'wallet', by: { kind: 'customer' } },
      { amount: HALF, method: 'cash', by: { kind: 'staff', name: rider.name } },
    ]);
    expect((await customer.caller.send(getOrderPayments, { orderid })).data).toMatchObject({ rest: 0 });
    expect(await seenByCustomer()).toMatchObject({ amount_paid: DUE, total_amount: DUE });
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('more than is due needs `overpaid`, and becomes change; its reversal takes the change back', async () => {
    expect(await pay(DUE + 1)).toEqual(fail(deskError('more-than-due', { rest: '286.14' })));
    const { data } = await pay(DUE + 5000, { overpaid: true });
    expect(await walletOf()).toBe(5000);
    const tid = data!.payments[0]!.tid;
    const reversed = await owner.caller.send(reversePayment, { tid, reason: 'Another order' }, newKey());
    expect(reversed.data).toMatchObject({ amount_paid: 0, left_to_pay: DUE, payments: [{ tid, reversal: { reason: 'Another order' } }] });
    expect(await walletOf()).toBe(0);
    const by = { kind: 'staff', name: owner.name };
    expect(reversed.data?.history.slice(-2)).toMatchObject([
      { kind: 'refund-reversed', amount: 5000, by, cash: null },
      { kind: 'payment-reversed', by, note: 'Another order', cash: 'given-back' },
    ]);
    expect(await audited()).toMatchObject({ action: 'reverse-payment', after: { reversed_cash: 'given-back' } });
    expect(await owner.caller.send(reversePayment, { tid, reason: 'Again' }, newKey())).toEqual(fail(deskError('already-reversed')));
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('is reversed with its change, also after the order was moved back to its pickup', async () => {
    const { data } = await pay(DUE + 5000, { overpaid: true });
    await operator.caller.send(moveBack, { orderid, version: await version(), reason: 'Weighed wrongly' });
    const reversed = await owner.caller.send(reversePayment, { tid: data!.payments[0]!.tid, reason: 'Another order' }, newKey());
    expect(reversed.data).toMatchObject({ washing_stage: 'pickup', amount_paid: 0, left_to_pay: null });
    expect(await walletOf()).toBe(0);
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test.each([0, -100, 10_000_001])('an amount of %i paise is refused', async (amount) => {
    expect(await pay(amount, { overpaid: true })).toEqual(fail(deskError('impossible-amount')));
  });

  test('an order that is moved back, weighed again and paid has the change of its new amount', async () => {
    await pay(DUE);
    const reweigh = async (weight: number) => {
      await operator.caller.send(moveBack, { orderid, version: await version(), reason: 'Weighed wrongly' });
      const result = await operator.caller.send(weigh, {
        orderid,
        version: await version(),
        weight,
        items: 12,
        reason: 'The basket was on the scale',
      });
      await moved('queue');
      return result;
    };
    await reweigh(5000);
    expect(await walletOf()).toBe(DUE - 19_000);
    const { data: again } = await reweigh(7000);
    expect(again?.history).toContainEqual(expect.objectContaining({ kind: 'refund-reversed', amount: 7600 }));
    expect(await walletOf()).toBe(DUE - 26_600);
    expect(await read()).toMatchObject({ left_to_pay: 0, total_amount: 26_600 });
    await reweigh(8000);
    expect(await walletOf()).toBe(0);
    expect(await read()).toMatchObject({ left_to_pay: 30_400 - DUE });
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });
});

describe('visits, days and riders', () => {
  test('a failed visit is in the history and in the list', async () => {
    const { data } = await rider.caller.send(attempt, { orderid, version: await version(), why: 'nobody-home', note: 'Rang twice' });
    expect(data?.history.at(-1)).toMatchObject({ kind: 'attempted', why: 'nobody-home', note: 'Rang twice', by: { name: rider.name } });
  });

  test('the customer sees a failed visit with the time at the door, until the next step', async () => {
    program.clock.advance(900);
    const now = program.clock.now();
    const visit = async (why: 'nobody-home' | 'refused', at = now) =>
      rider.caller.send(attempt, { orderid, version: await version(), why, at: at.toISOString() });
    await visit('nobody-home', addSeconds(now, -600));
    expect((await seenByCustomer()).attempt).toEqual({ why: 'nobody-home', at: kolkataDateTime(addSeconds(now, -600)) });
    await visit('refused', addSeconds(now, 600));
    expect((await seenByCustomer()).attempt).toEqual({ why: 'refused', at: kolkataDateTime(now) });
    await customer.caller.send(customerReschedule, { userid: customer.userid, orderid, pickup_date: '2026-11-22' });
    expect((await seenByCustomer()).attempt).toBeNull();
    await visit('nobody-home');
    await weighed();
    expect(await visit('nobody-home')).toMatchObject({ code: 'wrong-stage' });
    expect((await seenByCustomer()).attempt).toBeNull();
    for (const stage of ['queue', 'washing', 'delivery']) await moved(stage);
    await visit('nobody-home');
    expect((await seenByCustomer()).attempt).toMatchObject({ why: 'nobody-home' });
    await moved('delivered', rider, { code: await code() });
    expect((await seenByCustomer()).attempt).toBeNull();
  });

  test('after a failed delivery the customer or the laundry chooses its evening, until the next visit', async () => {
    const choose = (delivery_date: string) => customer.caller.send(chooseDelivery, { orderid, delivery_date });
    const listed = async () => (await rider.caller.send(listOrders, { search: orderid })).data?.orders[0];
    const failed = async () => rider.caller.send(attempt, { orderid, version: await version(), why: 'nobody-home' });
    const none = fail(deliveryError('no-failed-delivery'));
    await failed();
    expect(await choose('2026-11-23')).toEqual(none);
    await outForDelivery();
    expect(await choose('2026-11-23')).toEqual(none);
    await failed();
    expect(await seenByCustomer()).toMatchObject({ attempt: { why: 'nobody-home' }, delivery_date: null });
    expect(await choose('2026-11-20')).toEqual(fail(deliveryError('delivery-day-closed', { deliveryDay: '2026-11-21' })));
    expect(await choose('2027-11-20')).toMatchObject({ code: 'pickup-day-too-far' });
    expect((await choose('2026-11-23')).data).toMatchObject({ orderid, delivery_date: '2026-11-23' });
    await choose('2026-11-23');
    expect(await seenByCustomer()).toMatchObject({ attempt: null, delivery_date: '2026-11-23', pickup_date: '2026-11-21' });
    expect(await listed()).toMatchObject({ attempt: null, delivery_date: '2026-11-23' });
    expect((await read()).history.slice(-2)).toMatchObject([
      { kind: 'attempted' },
      { kind: 'delivery-chosen', pickup_date: '2026-11-23', by: { kind: 'customer' } },
    ]);
    const reason = 'You asked for it on the phone';
    const later = { orderid, version: await version(), pickup_date: '2026-11-24', reason };
    expect((await operator.caller.send(rescheduleOrder, later)).data).toMatchObject({
      delivery_date: '2026-11-24',
      pickup_date: '2026-11-21',
    });
    expect((await seenByCustomer()).history.slice(-2)).toMatchObject([
      { kind: 'delivery-chosen', delivery_date: '2026-11-23' },
      { kind: 'delivery-chosen', delivery_date: '2026-11-24', reason },
    ]);
    await failed();
    expect(await seenByCustomer()).toMatchObject({ attempt: { why: 'nobody-home' }, delivery_date: null });
    expect(await listed()).toMatchObject({ attempt: { why: 'nobody-home' }, delivery_date: null });
    await moved('delivered', rider, { code: await code() });
    expect(await choose('2026-11-24')).toEqual(none);
  });

  test('a rider learns that the customer has moved or cancelled the pickup, and may collect a moved one', async () => {
    const seen = await version();
    const at = addSeconds(program.clock.now(), 60).toISOString();
    const request = { orderid, version: seen, weight: 7.53, items: 12, at };
    const send = async (more = {}) => {
      const { statusCode, body } = await rider.caller.post('staff/weigh', { ...request, ...more });
      const { code: refusal, params, data } = JSON.parse(body) as { code: string; params: object; data: object | null };
      return { statusCode, refusal, params, data };
    };
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-25' });
    const stale = { statusCode: 409, refusal: 'changed-meanwhile', data: null };
    const movedPickup = { ...stale, params: { cause: 'customer-moved-pickup', day: '2026-11-25', time: timeNow() } };
    expect(await send()).toEqual(movedPickup);
    // A version that the order never had.
    expect(await send({ version: seen - 1 })).toMatchObject({ statusCode: 200, refusal: 'order-not-found' });
    program.clock.advance(60);
    await customer.caller.send(cancelOrder, { orderid });
    const cancelled = { ...stale, params: { cause: 'customer-cancelled', time: timeNow() } };
    expect(await send()).toEqual(cancelled);
    expect(await send({ collect_now: true })).toEqual(cancelled);
    await customer.caller.send(undoCancel, { orderid });
    expect((await read()).history.at(-1)).toMatchObject({ kind: 'cancellation-undone', by: { kind: 'customer' } });
    expect(await send()).toEqual(movedPickup);
    expect((await seenByCustomer()).total_weight).toBeNull();
    expect(await send({ collect_now: true })).toMatchObject({ statusCode: 200, data: { pickup_date: '2026-11-21' } });
    expect(await seenByCustomer()).toMatchObject({ total_weight: 7530, pickup_date: '2026-11-21' });
    expect((await read()).history.slice(-2)).toMatchObject([
      { kind: 'rescheduled', pickup_date: '2026-11-21', by: { name: rider.name } },
      { kind: 'weighed', by: { name: rider.name } },
    ]);
  });

  test('a rider does not open an order of a later day with a version that the rider never saw', async () => {
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-25' });
    const guessed = { orderid, version: await version(), weight: 7530, items: 12, collect_now: true } as const;
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-26' });
    expect(await rider.caller.send(weigh, guessed)).toEqual(fail(orderError('order-not-found', { orderid })));
    expect((await read()).total_weight).toBeNull();
  });

  test('clothes that are weighed before their day were collected today, and customer and laundry see when they are back', async () => {
    await customer.caller.send(customerReschedule, { orderid, pickup_date: '2026-11-22' });
    expect(await seenByCustomer()).toMatchObject({ pickup_date: '2026-11-22', back_by: '2026-11-23 21:00:00' });
    const weighing = { orderid, version: await version(), weight: 7530, items: 12 };
    const early = { pickup_date: '2026-11-21', back_by: '2026-11-22 21:00:00', due_at: '2026-11-22 21:00:00' };
    expect((await rider.caller.send(weigh, weighing)).data).toMatchObject(early);
    expect(await seenByCustomer()).toMatchObject(early);
    expect((await rider.caller.send(listOrders, { search: orderid })).data?.orders).toMatchObject([early]);
  });

  test('the pickup day changes while in pickup', async () => {
    const to = async (pickup_date: string) =>
      operator.caller.send(rescheduleOrder, { orderid, version: await version(), pickup_date, reason: 'The machine is broken' });
    expect((await to('2026-11-25')).data).toMatchObject({ pickup_date: '2026-11-25' });
    expect(await to('2026-11-25')).toEqual(fail(deskError('same-day')));
    expect(await to('2026-11-20')).toEqual(fail(orderError('pickup-day-past', { pickupDay: '2026-11-21' })));
    // The console asks for a reason, the call does not.
    const withoutReason = await operator.caller.post('staff/reschedule', { orderid, version: await version(), pickup_date: '2026-11-26' });
    expect(withoutReason.json()).toMatchObject({ response: 'success', data: { pickup_date: '2026-11-26' } });
    await weighed();
    await moved('queue');
    expect(await to('2026-11-24')).toEqual(fail(deskError('wrong-stage')));
  });

  test('a cancellation while in pickup has a reason, and is undone within a minute', async () => {
    const { data } = await operator.caller.send(cancelDeskOrder, { orderid, version: await version(), reason: 'A double order' });
    expect(data).toMatchObject({ washing_stage: 'cancelled', undo_seconds: 60, notes: [] });
    expect(data?.history.at(-1)).toMatchObject({ kind: 'cancelled', note: 'A double order' });
    const { cancellation } = await seenByCustomer();
    expect(cancellation).toMatchObject({ by: 'laundry', reason: 'A double order' });
    expect(data?.cancellation).toEqual(cancellation);
    const undone = await operator.caller.send(moveBack, { orderid, version: data!.version });
    expect(undone.data).toMatchObject({ washing_stage: 'pickup', cancellation: null });
    expect((await seenByCustomer()).cancellation).toBeNull();
    await weighed();
    for (const stage of ['queue', 'washing']) await moved(stage);
    expect(await operator.caller.send(cancelDeskOrder, { orderid, version: await version(), reason: 'Late' })).toEqual(
      fail(deskError('wrong-stage')),
    );
  });

  test('the laundry cancels an order in the queue, and its clothes go back', async () => {
    await weighed();
    await moved('queue');
    const { data } = await operator.caller.send(cancelDeskOrder, { orderid, version: await version(), reason: 'The dryer is broken' });
    expect(data).toMatchObject({ washing_stage: 'cancelled', to_return: true, back_by: '2026-11-22 21:00:00' });
    const undone = await operator.caller.send(moveBack, { orderid, version: data!.version });
    expect(undone.data).toMatchObject({ washing_stage: 'queue', to_return: false });
  });

  test('an order is assigned to a person of the laundry', async () => {
    const to = async (personid: string | null) => operator.caller.send(assign, { orderid, version: await version(), rider: personid });
    expect((await to(rider.personid)).data?.rider).toEqual({ personid: rider.personid, name: rider.name });
    expect(await to(customer.userid)).toEqual(fail(deskError('unknown-rider')));
    const { data } = await to(null);
    expect(data?.rider).toBeNull();
    expect(data?.history.slice(-2)).toMatchObject([
      { kind: 'assigned', rider: rider.name },
      { kind: 'assigned', rider: null },
    ]);
  });
});

test('a rider notes the cash of a late delivery, and another rider does not see that order any more', async () => {
  await outForDelivery();
  await program.db.updateTable('orders').set({ pickup_day: '2026-11-18' }).where('id', '=', orderid).execute();
  const pay = async (who: TestStaff) => who.caller.send(receive, { orderid, method: 'cash', amount: asPaise(100) }, newKey());
  expect(await moved('delivered', rider, { code: await code() })).toMatchObject({ response: 'success' });
  const unknown = fail(orderError('order-not-found', { orderid }));
  expect(await pay(await newStaff(program, 'rider'))).toEqual(unknown);
  expect((await pay(rider)).data).toMatchObject({ amount_paid: 100 });
  program.clock.advance(DAY_SECONDS);
  const later = await newStaffSession(program, rider.personid);
  expect(await later.send(getDeskOrder, { orderid })).toEqual(unknown);
});

test("a rider sees the customer's numbers until a day after the delivery, the owner always", async () => {
  await outForDelivery();
  const options = newKey();
  const request = { orderid, version: await version(), stage: 'delivered', code: await code() };
  await rider.caller.send(move, request, options);
  const again = async ({ personid }: TestStaff) => newStaffSession(program, personid);
  const mobileFor = async (who: TestStaff) => (await (await again(who)).send(getDeskOrder, { orderid })).data?.customer.mobile;
  program.clock.advance(DAY_SECONDS);
  expect(await mobileFor(rider)).toBe(customer.mobile);
  program.clock.advance(1);
  const late = await again(rider);
  // The stored response to the delivery contains them.
  for (const { data } of [await late.send(getDeskOrder, { orderid }), await late.send(move, request, options)]) {
    expect(data).toMatchObject({ orderid, mobile: null, customer: { mobile: null } });
    expect(JSON.stringify(data)).not.toContain(customer.mobile);
  }
  expect(await mobileFor(owner)).toBe(customer.mobile);
});

test('the order has the stars of its customer, and the reports except for a rider', async () => {
  await outForDelivery();
  await moved('delivered', rider, { code: await code() });
  expect(await read()).toMatchObject({ stars: null, claims: [] });
  const { userid, caller } = customer;
  await caller.send(addReview, { userid, orderid, star: 4, message: 'Crisp shirts.' });
  const late = (await caller.send(addClaim, { userid, orderid, kind: 'late', message: 'An hour late.' })).data!;
  program.clock.advance(1);
  const missing = (await caller.send(addClaim, { userid, orderid, kind: 'missing', message: 'A white sock.' })).data!;
  await operator.caller.send(settleDeskClaim, { claimid: late.claimid, answer: 'We are sorry.', amount: asPaise(5000) });
  const claims = [
    { claimid: missing.claimid, kind: 'missing', status: 'open', answer_by: missing.answer_by, credited: null },
    { claimid: late.claimid, kind: 'late', status: 'settled', answer_by: late.answer_by, credited: 5000 },
  ];
  for (const who of [owner, operator]) expect(await read(who)).toMatchObject({ stars: 4, claims });
  expect(await read(rider)).toMatchObject({ stars: 4, claims: null });
});

test('bags that are counted again are in history and audit, and the number of the pickup stays', async () => {
  const request = { orderid, version: await version(), weight: 7530, items: 12, bags: 3 };
  expect((await rider.caller.send(weigh, request)).data?.history.at(-1)).toMatchObject({ kind: 'weighed', bags: 3 });
  await operator.caller.send(move, { orderid, version: await version(), stage: 'queue' });
  const { data } = await operator.caller.send(move, { orderid, version: await version(), stage: 'washing', bags: 2 });
  expect(data).toMatchObject({ bags: 3 });
  expect(data?.history.at(-1)).toMatchObject({ stage: 'washing', bags: 2 });
  const rows = program.db.selectFrom('staff_audit').select('after').where('subject_id', '=', orderid).orderBy('id', 'desc');
  expect((await rows.executeTakeFirstOrThrow()).after).toMatchObject({ stage: 'washing', counted_bags: 2 });
  const listed = async () => (await operator.caller.send(listOrders, { search: orderid })).data?.orders[0];
  expect(await listed()).toMatchObject({ bags: 3, counted_bags: 2 });
  await operator.caller.send(move, { orderid, version: await version(), stage: 'delivery', bags: 3 });
  expect(await listed()).toMatchObject({ bags: 3, counted_bags: 3 });
});

test('a payment that a phone repeats after its person was removed and added again is noted once', async () => {
  await weighed();
  await operator.caller.send(move, { orderid, version: await version(), stage: 'queue' });
  const former = await newStaff(program, 'rider');
  const body = { orderid, method: 'cash', amount: HALF, at: program.clock.now().toISOString() } as const;
  const header = newKey();
  const first = await former.caller.send(receive, body, header);
  await owner.caller.send(setPerson, { action: 'remove', personid: former.personid });
  const again = await newStaff(program, 'rider', { mobile: former.mobile });
  expect(await again.caller.send(receive, body, header)).toEqual(first);
  const payments = program.db.selectFrom('payments').select('amount_paise').where('order_id', '=', orderid);
  expect(await payments.execute()).toEqual([{ amount_paise: HALF }]);
});

// The last test, because it passes two days.
test('a payment of a phone whose clock is ahead is noted once, however late the phone repeats it', async () => {
  await weighed();
  await operator.caller.send(move, { orderid, version: await version(), stage: 'queue' });
  const body = { orderid, method: 'cash', amount: HALF, at: addSeconds(program.clock.now(), DAY_SECONDS - 60).toISOString() } as const;
  const header = newKey();
  const first = await rider.caller.send(receive, body, header);
  program.clock.advance(2 * DAY_SECONDS - 120);
  await deleteExpiredStaffData(program.db, program.clock.now());
  const phone = await newStaffSession(program, rider.personid);
  // The rider does not see the order any more. The phone takes this error for a success.
  await expect(phone.send(receive, body, header)).rejects.toMatchObject({ status: 400, code: 'done-before' });
  expect(first.data?.amount_paid).toBe(HALF);
  const payments = program.db.selectFrom('payments').select('amount_paise').where('order_id', '=', orderid);
  expect(await payments.execute()).toEqual([{ amount_paise: HALF }]);
});
