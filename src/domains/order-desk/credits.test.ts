/**
 * The credits of the staff to customers with payments, weighings and cancellations.
 * docs/decisions/0063.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { transaction } from '../../db/database.server.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { newOrderWithStaff, readDeskOrder, targetOf } from '../../../test/support/desk-order.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, newStaffSession, type TestStaff } from '../../../test/support/staff.ts';
import { addClaim, addReply } from '../claims/contract.ts';
import { settleDeskClaim } from '../claims/desk/contract.ts';
import { getDeskCustomer, grant, reverse } from '../customers/desk/contract.ts';
import { cancelOrder } from '../orders/contract.ts';
import { getOrderPayments, payWithWallet, startPayment } from '../payments/contract.ts';
import { staffError } from '../staff/desk/contract.ts';
import { auditLedger, creditWallet, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { cancelDeskOrder, deskError, move, moveBack, receive, reversePayment, weigh } from './desk/contract.ts';
import { listUpiPayments } from './desk/upi-contract.ts';

/** In paise. */
const CREDITS = 30_000;
const CASH_CHANGE = 10_000;

const program = useProgram({ OPERATOR_CREDITS_A_DAY: '300', CHANGE_PER_CASH_PAYMENT: '100' });

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
let customer: OrderingCustomer;
let orderid: string;

beforeEach(async () => {
  ({ owner, operator, rider, customer, orderid } = await newOrderWithStaff(program));
});

const target = (id = orderid) => targetOf(owner, id);

const weighed = async (who: TestStaff, weight: number, id = orderid) =>
  who.caller.send(weigh, { ...(await target(id)), weight, items: 1, reason: 'The scale was wrong' }, newKey());
const moved = async (who: TestStaff, stage: string, id = orderid) => who.caller.send(move, { ...(await target(id)), stage }, newKey());
const movedBack = async (who: TestStaff, id = orderid) =>
  who.caller.send(moveBack, { ...(await target(id)), reason: 'Weighed wrongly' }, newKey());
const cancelled = async (who: TestStaff, id = orderid) =>
  who.caller.send(cancelDeskOrder, { ...(await target(id)), reason: 'A double order' }, newKey());
const paid = (who: TestStaff, paise: number, method: 'cash' | 'upi' = 'upi', id = orderid) =>
  who.caller.send(receive, { orderid: id, method, amount: asPaise(paise), overpaid: true }, newKey());
/** Places an order with the number of an account, which is not assigned to it. */
async function placeUnassigned() {
  const guest = await newOrderingGuest(program);
  const placed = await place(guest);
  const account = { name: 'Meera', password_hash: 'no password fits this' };
  await program.db.updateTable('customers').set(account).where('id', '=', guest.userid).execute();
  return { ...placed, userid: guest.userid };
}

const wallet = () => readBalance(program.db, customer.userid);
const auditOf = async (who: TestStaff) =>
  (await program.db.selectFrom('staff_audit').select(['action', 'after']).where('staff_id', '=', who.personid).orderBy('id').execute()).at(
    -1,
  );

/** 10 kg at ₹38. */
const DUE = 38_000;
const inQueue = async (weight = 10_000) => {
  await weighed(operator, weight);
  await moved(operator, 'queue');
};

test('the customer reads the change of an order that was moved back to its pickup', async () => {
  await inQueue();
  await paid(owner, DUE + 5000);
  await movedBack(operator);
  expect(await wallet()).toBe(5000);
  expect((await customer.caller.send(getOrderPayments, { orderid })).data).toMatchObject({ rest: null, returned: 5000 });
});

describe('more than is left to pay', () => {
  beforeEach(() => inQueue());

  test('by UPI is noted by an owner only: nothing confirms it', async () => {
    for (const who of [rider, operator]) expect(await paid(who, DUE + 1)).toEqual(fail(deskError('upi-more-than-due', { rest: '380' })));
    expect(await wallet()).toBe(0);
    expect(await paid(owner, DUE + CREDITS + 1)).toMatchObject({ response: 'success' });
    expect(await wallet()).toBe(CREDITS + 1);
  });

  test('in cash goes to the wallet up to the change of one payment, and up to the limit of the day', async () => {
    expect(await paid(rider, DUE + CASH_CHANGE + 1, 'cash')).toEqual(fail(deskError('too-much-change', { max: '100', rest: '380' })));
    expect(await paid(rider, DUE + CASH_CHANGE, 'cash')).toMatchObject({ response: 'success' });
    expect(await auditOf(rider)).toMatchObject({ action: 'receive-payment', after: { credited_paise: CASH_CHANGE } });
    for (let count = 1; count < CREDITS / CASH_CHANGE; count += 1) await paid(rider, CASH_CHANGE, 'cash');
    expect(await wallet()).toBe(CREDITS);
    expect(await paid(rider, 1, 'cash')).toEqual(fail(staffError('over-daily-credits', { left: '0' })));
    expect(await auditOf(rider)).toMatchObject({ action: 'refused', after: { call: 'staff/receive', error: 'over-daily-credits' } });
    expect([await wallet(), (await readDeskOrder(owner, orderid)).amount_paid]).toEqual([CREDITS, DUE + CREDITS]);
    expect(await paid(owner, DUE, 'cash')).toMatchObject({ response: 'success' });
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('is refused if the order belongs to the mobile of the caller', async () => {
    for (const role of ['owner', 'operator', 'rider'] as const) {
      const own = await newStaff(program, role, { mobile: customer.mobile });
      expect(await paid(own, DUE + 1, 'cash')).toEqual(fail(role === 'owner' ? staffError('own-mobile') : deskError('own-order')));
      await program.db.updateTable('staff_members').set({ removed_at: program.clock.now() }).where('id', '=', own.personid).execute();
    }
    expect(await wallet()).toBe(0);
  });
});

describe('an order of the own mobile', () => {
  const handOver = async (who: TestStaff) =>
    who.caller.send(move, { ...(await target()), stage: 'delivered', reason: 'I was at home' }, newKey());

  test.each(['operator', 'rider'] as const)(
    'is not weighed, paid, handed over without the code, moved back or cancelled by its %s',
    async (role) => {
      const own = await newStaff(program, role, { mobile: customer.mobile });
      const refused = fail(deskError('own-order'));
      expect(await weighed(own, 10)).toEqual(refused);
      await inQueue();
      expect(await paid(own, DUE)).toEqual(refused);
      for (const stage of ['washing', 'delivery']) await moved(operator, stage);
      expect(await handOver(own)).toEqual(refused);
      if (role === 'operator') {
        expect(await movedBack(own)).toEqual(refused);
        expect(await cancelled(own)).toEqual(refused);
      }
      expect(await auditOf(own)).toMatchObject({ action: 'refused' });
      expect(await readDeskOrder(owner, orderid)).toMatchObject({ washing_stage: 'delivery', amount_paid: 0 });
    },
  );

  test('is handled by its owner, who can be the only person', async () => {
    const own = await newStaff(program, 'owner', { mobile: customer.mobile });
    expect(await weighed(own, 10_000)).toMatchObject({ response: 'success' });
    for (const stage of ['queue', 'washing', 'delivery']) expect(await moved(own, stage)).toMatchObject({ response: 'success' });
    expect(await paid(own, DUE, 'cash')).toMatchObject({ response: 'success' });
    expect(await handOver(own)).toMatchObject({ response: 'success' });
  });
});

describe('what is owed for washed clothes', () => {
  const washAndMoveBack = async (id = orderid) => {
    for (const stage of ['washing', 'delivery']) await moved(operator, stage, id);
    for (const who of [operator, operator, owner]) expect((await movedBack(who, id)).response).toBe('success');
  };

  test('is not waived by a customer whose order an operator moves back to pickup', async () => {
    await inQueue();
    await moved(operator, 'washing');
    expect(await movedBack(operator)).toMatchObject({ response: 'success' });
    expect(await movedBack(operator)).toEqual(fail(deskError('washed-order')));
    expect(await customer.caller.send(cancelOrder, { orderid })).toMatchObject({ code: 'already-picked-up' });
  });

  test.each([
    ['a lower weight', (who: TestStaff) => weighed(who, 10)],
    ['a cancellation', (who: TestStaff) => cancelled(who)],
  ])('is not waived beyond the limit of the day by %s', async (_name, waive) => {
    await inQueue();
    await washAndMoveBack();
    expect(await waive(operator)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await waive(owner)).toMatchObject({ response: 'success' });
  });

  test('counts in the limit together with credits, without the part that the wallet gets back', async () => {
    await inQueue(5000);
    await paid(owner, 9000);
    await washAndMoveBack();
    expect(await weighed(operator, 2000)).toMatchObject({ response: 'success' });
    expect(await auditOf(operator)).toMatchObject({
      action: 'weigh-order',
      after: { credited_paise: 1400, waived_paise: 10_000 },
    });
    const gift = (rupees: number) => ({
      mobile: customer.mobile,
      kind: 'compensation' as const,
      amount: asPaise(rupees * 100),
      reason: 'Late',
    });
    expect(await operator.caller.send(grant, gift(187), newKey())).toEqual(fail(staffError('over-daily-credits', { left: '186' })));
  });

  test('is corrected without a limit before the washing', async () => {
    await inQueue();
    await movedBack(operator);
    expect(await weighed(operator, 10)).toMatchObject({ response: 'success' });
    expect(await cancelled(operator)).toMatchObject({ response: 'success' });
  });
});

describe('a noted UPI payment', () => {
  test('becomes no credit beyond the limit when the order is weighed again', async () => {
    await inQueue(1_000_000);
    await paid(rider, 3_800_000);
    await movedBack(operator);
    for (const who of [rider, operator]) {
      expect(await weighed(who, 10)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    }
    expect(await wallet()).toBe(0);
    expect(await weighed(operator, 1_000_000 - 7890)).toMatchObject({ response: 'success' });
    expect(await wallet()).toBe(29_982);
    const grantBody = { mobile: customer.mobile, kind: 'compensation', amount: asPaise(19), reason: 'Late' } as const;
    expect(await operator.caller.send(grant, grantBody, newKey())).toEqual(fail(staffError('over-daily-credits', { left: '0.18' })));
    expect(await weighed(owner, 10)).toMatchObject({ response: 'success' });
    expect(await wallet()).toBe(3_799_962);
  });

  test('becomes no credit beyond the limit when the order is cancelled', async () => {
    await inQueue();
    await paid(operator, DUE);
    await movedBack(operator);
    expect(await cancelled(operator)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await readDeskOrder(owner, orderid)).toMatchObject({ washing_stage: 'pickup', amount_paid: DUE });
    expect(await cancelled(owner)).toMatchObject({ response: 'success' });
    expect(await wallet()).toBe(DUE);
  });

  test('of an unassigned order counts too, although the wallet gets its change later', async () => {
    ({ orderid } = await placeUnassigned());
    await inQueue(1_000_000);
    await paid(rider, 3_800_000);
    await movedBack(operator);
    expect(await weighed(operator, 10)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await cancelled(operator)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
  });
});

describe("the customer's own money", () => {
  /** More than an operator gives in a day. */
  const PAID = asPaise(3_800_000 / 2);
  const paidFromWallet = async () => {
    await inQueue(1_000_000);
    await transaction(program.db, (tx) =>
      creditWallet(tx, {
        customerId: customer.userid,
        kind: 'promotion',
        amountPaise: PAID,
        reason: 'A gift',
        reference: newId(),
        at: program.clock.now(),
      }),
    );
    await customer.caller.send(payWithWallet, { userid: customer.userid, orderid, walletpayment: PAID });
    expect(await wallet()).toBe(0);
    await movedBack(operator);
  };
  const spendTheLimit = async () => {
    const body = { mobile: customer.mobile, kind: 'compensation', amount: asPaise(CREDITS), reason: 'Late' } as const;
    expect((await operator.caller.send(grant, body, newKey())).response).toBe('success');
  };

  test('is free again with a lower weight and a cancellation, also beyond the limit of the day', async () => {
    await paidFromWallet();
    await spendTheLimit();
    expect((await weighed(operator, 10_000)).response).toBe('success');
    expect(await wallet()).toBe(CREDITS + PAID - DUE);
    expect(await auditOf(operator)).toMatchObject({ after: { credited_paise: PAID - DUE, own_money_paise: PAID - DUE } });
    expect((await cancelled(operator)).response).toBe('success');
    expect(await wallet()).toBe(CREDITS + PAID);
    const more = { mobile: customer.mobile, kind: 'compensation', amount: asPaise(1), reason: 'Late' } as const;
    expect(await operator.caller.send(grant, more, newKey())).toEqual(fail(staffError('over-daily-credits', { left: '0' })));
  });

  test.each([
    ['washing', 0],
    ['delivered', 0],
    ['delivered', 3600],
  ])('counts for the limit of the day once the order was in %s for %d s', async (last, seconds) => {
    await paidFromWallet();
    const stages = ['queue', 'washing', 'delivery', 'delivered'];
    const entered = stages.slice(0, stages.indexOf(last) + 1);
    for (const stage of entered) {
      const body = { ...(await target()), stage, ...(stage === 'delivered' && { reason: 'No phone at the door' }) };
      expect((await operator.caller.send(move, body, newKey())).response).toBe('success');
    }
    program.clock.advance(seconds);
    operator = { ...operator, caller: await newStaffSession(program, operator.personid) };
    for (let stages = entered.length; stages > 1; stages -= 1) expect((await movedBack(operator)).response).toBe('success');
    owner = { ...owner, caller: await newStaffSession(program, owner.personid) };
    expect((await movedBack(owner)).response).toBe('success');
    expect(await weighed(operator, 10_000)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await cancelled(operator)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await wallet()).toBe(0);
    expect((await cancelled(owner)).response).toBe('success');
    expect(await wallet()).toBe(PAID);
  });

  test('does not cover what the staff noted for the same order', async () => {
    await paidFromWallet();
    await moved(operator, 'queue');
    await paid(rider, PAID);
    await movedBack(operator);
    expect(await weighed(operator, 10)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await cancelled(operator)).toEqual(fail(staffError('over-daily-credits', { left: '300' })));
    expect(await wallet()).toBe(0);
  });
});

test('a credit needs a fresh log-in, any other change of the order does not', async () => {
  await inQueue();
  program.clock.advance(601);
  const tooOld = { status: 403, code: 'login-too-old' };
  await expect(paid(owner, DUE + 1, 'upi')).rejects.toMatchObject(tooOld);
  await expect(paid(owner, DUE + 1, 'cash')).rejects.toMatchObject(tooOld);
  expect(await paid(rider, DUE, 'cash')).toMatchObject({ response: 'success' });
  await movedBack(operator);
  await expect(weighed(operator, 9000)).rejects.toMatchObject(tooOld);
  await expect(cancelled(owner)).rejects.toMatchObject(tooOld);
  expect(await weighed(operator, 11_000)).toMatchObject({ response: 'success' });
  expect(await wallet()).toBe(0);
  const again = { ...owner, caller: await newStaffSession(program, owner.personid) };
  expect(await cancelled(again)).toMatchObject({ response: 'success' });
  expect(await wallet()).toBe(DUE);
});

test('change for cash needs no fresh log-in within its limit, and counts in the limit of the day', async () => {
  await inQueue();
  program.clock.advance(601);
  expect(await paid(rider, DUE + CASH_CHANGE, 'cash')).toMatchObject({ response: 'success' });
  expect(await wallet()).toBe(CASH_CHANGE);
  for (const total of [2, 3]) {
    expect(await paid(rider, CASH_CHANGE, 'cash')).toMatchObject({ response: 'success' });
    expect(await wallet()).toBe(total * CASH_CHANGE);
  }
  expect(await paid(rider, 1, 'cash')).toEqual(fail(staffError('over-daily-credits', { left: '0' })));
});

test('a reversed payment does not count in the limit of the day any more', async () => {
  await inQueue();
  program.clock.advance(1);
  await paid(operator, DUE, 'cash');
  for (const seconds of [1, 1, 1]) {
    program.clock.advance(seconds);
    expect(await paid(operator, CASH_CHANGE, 'cash')).toMatchObject({ response: 'success' });
  }
  program.clock.advance(1);
  const beyond = await paid(operator, CASH_CHANGE, 'cash');
  expect(beyond).toEqual(fail(staffError('over-daily-credits', { left: '0' })));
  const { payments } = await readDeskOrder(owner, orderid);
  await owner.caller.send(reversePayment, { tid: payments.at(-1)!.tid, reason: 'Typed twice' }, newKey());
  expect(await paid(operator, CASH_CHANGE, 'cash')).toMatchObject({ response: 'success' });
  program.clock.advance(1);
  expect(await paid(operator, CASH_CHANGE, 'cash')).toEqual(fail(staffError('over-daily-credits', { left: '0' })));
});

describe('of credits of one millisecond', () => {
  const left = async () => (await operator.caller.send(getDeskCustomer, { mobile: customer.mobile })).data?.limits?.credits_today;
  const reversed = async (tid: string) => {
    const { response } = await owner.caller.send(reversePayment, { tid, reason: 'Typed twice' }, newKey());
    expect(response).toBe('success');
  };
  const tidsOf = async (amount: number) =>
    (await readDeskOrder(owner, orderid)).payments.filter((payment) => payment.amount === amount).map(({ tid }) => tid);

  beforeEach(async () => {
    await inQueue();
    await paid(owner, DUE, 'cash');
  });

  test.each([
    [[2000, 100], 100],
    [[100, 2000], 2000],
  ])('of payments of %j paise, the reversed one of %d does not count any more', async (amounts, amount) => {
    for (const paise of amounts) await paid(operator, paise, 'cash');
    expect(await left()).toBe(CREDITS - 2100);
    const [tid = ''] = await tidsOf(amount);
    await reversed(tid);
    expect(await left()).toBe(CREDITS - 2100 + amount);
  });

  test.each(['rider', 'operator'] as const)('of equal payments, that of the %s does not count any more', async (name) => {
    const tids: string[] = [];
    for (const who of [rider, operator]) {
      await paid(who, 2000, 'cash');
      tids.push(...(await tidsOf(2000)).filter((tid) => !tids.includes(tid)));
    }
    await reversed(tids[name === 'rider' ? 0 : 1] ?? '');
    expect(await left()).toBe(name === 'rider' ? CREDITS - 2000 : CREDITS);
  });

  test('a reversed grant gives its own amount back to the limit of its author', async () => {
    const body = { mobile: customer.mobile, kind: 'cashback', reason: 'A long wait' } as const;
    const give = async (paise: number, who = operator) => {
      const { data } = await who.caller.send(grant, { ...body, amount: asPaise(paise) }, newKey());
      return data?.entry?.entryid ?? '';
    };
    const other = await newStaff(program, 'operator');
    const entries = [await give(2000), await give(100), await give(100, other)];
    for (const entryid of [entries[1], entries[2]] as string[]) {
      await owner.caller.send(reverse, { entryid, reason: 'Typed twice' }, newKey());
      expect(await left()).toBe(CREDITS - 2000);
    }
  });

  test('a reversed credit of a report gives its own amount back, also if the report was settled twice', async () => {
    const add = { orderid, kind: 'missing', message: 'The red sari is missing' } as const;
    const { data: claim } = await customer.caller.send(addClaim, add);
    const claimid = claim?.claimid ?? '';
    const settled = async (paise: number, messages_read: number) => {
      const body = { claimid, answer: 'Sorry', amount: asPaise(paise), messages_read };
      expect(await operator.caller.send(settleDeskClaim, body, newKey())).toMatchObject({ response: 'success' });
    };
    await settled(2000, 1);
    await customer.caller.send(addReply, { claimid, message: 'And the blue one' });
    await settled(100, 3);
    expect(await left()).toBe(CREDITS - 2100);
    const { data } = await owner.caller.send(getDeskCustomer, { mobile: customer.mobile });
    const entry = data?.transactions.find(({ amount }) => amount === 100);
    const undone = await owner.caller.send(reverse, { entryid: entry?.entryid ?? '', reason: 'Found' }, newKey());
    expect(undone).toMatchObject({ response: 'success' });
    expect(await left()).toBe(CREDITS - 2000);
  });
});

test('the owner compares the UPI payments of a day with the bank', async () => {
  await inQueue();
  program.clock.set('2026-11-22T18:29:59.999Z');
  [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
  await paid(rider, 100, 'cash');
  await paid(rider, 200);
  const { data } = await paid(rider, 300);
  program.clock.advance(0.001);
  await paid(rider, 400);
  const of = async (day: string) => (await owner.caller.send(listUpiPayments, { day })).data;
  expect(await of('2026-11-22')).toMatchObject({ total: 500 });
  const tid = data?.payments.find(({ amount }) => amount === 300)?.tid ?? '';
  await owner.caller.send(reversePayment, { tid, reason: 'Not at the bank' }, newKey());
  const listed = await of('2026-11-22');
  expect(listed).toMatchObject({ total: 200 });
  expect(listed?.payments.map(({ amount, orderid: id, received_by }) => [amount, id, received_by]).toSorted()).toEqual([
    [200, orderid, rider.name],
    [300, orderid, rider.name],
  ]);
  expect(listed?.payments.find((payment) => payment.tid === tid)?.reversal).toMatchObject({ reason: 'Not at the bank' });
  expect(await of('2026-11-23')).toMatchObject({ total: 400, payments: [{ amount: 400 }] });
});

test('a UPI payment that a customer began waits for the owner until it is noted', async () => {
  await inQueue();
  const begun = await customer.caller.send(startPayment, { userid: customer.userid, orderid, method: 'upi', amount: asPaise(DUE) });
  const reference = /[?&]tr=([^&]+)/.exec(begun.data?.url ?? '')?.[1];
  const begunAt = kolkataDateTime(program.clock.now());
  const waiting = (left: number) => ({ orderid, amount: DUE, reference, begun_at: begunAt, reported_at: null, left_to_pay: left });
  const seen = async () => {
    const listed = (await owner.caller.send(listUpiPayments, { day: '2026-11-21' })).data?.begun.filter((row) => row.orderid === orderid);
    return [listed, (await readDeskOrder(rider, orderid)).begun_upi];
  };
  expect(await seen()).toEqual([[waiting(DUE)], waiting(DUE)]);
  await paid(owner, 100, 'cash');
  expect(await seen()).toEqual([[waiting(DUE - 100)], waiting(DUE - 100)]);
  await paid(owner, DUE - 100);
  expect(await seen()).toEqual([[], null]);
  await movedBack(owner);
  expect((await weighed(owner, 30_000)).response).toBe('success');
  await moved(owner, 'queue');
  // The order costs more than it did, and the payment that was begun may come all the same.
  expect(await seen()).toEqual([[waiting(2 * DUE)], waiting(2 * DUE)]);
  await paid(owner, DUE);
  expect((await readDeskOrder(owner, orderid)).left_to_pay).toBeGreaterThan(0);
  expect(await seen()).toEqual([[], null]);
});

describe('in any sequence of calls of riders and operators', () => {
  const who = fc.constantFrom('rider', 'operator');
  const order = fc.nat({ max: 1 });
  const grams = fc.constantFrom(10, 10_000, 20_000, 1_000_000);
  const step = fc.oneof(
    fc.record({ do: fc.constant('weigh' as const), who, order, grams }),
    fc.record({ do: fc.constant('forward' as const), who, order }),
    fc.record({ do: fc.constant('back' as const), who, order }),
    fc.record({ do: fc.constant('cancel' as const), who, order }),
    fc.record({
      do: fc.constant('receive' as const),
      who,
      order,
      method: fc.constantFrom('cash', 'upi'),
      paise: fc.constantFrom(1, 5000, 76_000, 86_000, 3_800_000),
    }),
    fc.record({ do: fc.constant('grant' as const), who, paise: fc.constantFrom(100, 10_000, 30_000) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  test('customers get no more than the limits of these people, change of unassigned orders included', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
        const people = { rider: await newStaff(program, 'rider'), operator: await newStaff(program, 'operator') };
        const account = await newOrderingCustomer(program);
        const guest = await placeUnassigned();
        const ids = [(await place(account)).orderid, guest.orderid] as const;
        for (const id of ids) {
          await weighed(people.operator, 20_000, id);
          await moved(people.operator, 'queue', id);
        }
        const run = async (next: Step) => {
          const person = people[next.who];
          const id = 'order' in next ? ids[next.order]! : '';
          switch (next.do) {
            case 'weigh':
              return weighed(person, next.grams, id);
            case 'forward':
              return moved(person, 'queue', id);
            case 'back':
              return movedBack(person, id);
            case 'cancel':
              return cancelled(person, id);
            case 'receive':
              return paid(person, next.paise, next.method, id);
            case 'grant': {
              const body = { mobile: account.mobile, kind: 'compensation', amount: asPaise(next.paise), reason: 'Late' } as const;
              return person.caller.send(grant, body, newKey());
            }
          }
        };
        // A role may not make each call.
        for (const next of steps) await run(next).catch(() => undefined);
        const unassigned = await program.db
          .selectFrom('desk_orders')
          .select(['received_paise', 'weight_grams', 'rate_paise', 'stage'])
          .where('id', '=', ids[1])
          .executeTakeFirstOrThrow();
        const owed = unassigned.stage === 'cancelled' ? 0 : ((unassigned.weight_grams ?? 0) * (unassigned.rate_paise ?? 0)) / 1000;
        const unassignedPaise = Math.max(0, (unassigned.received_paise ?? 0) - owed);
        const walletPaise = (await readBalance(program.db, account.userid)) + (await readBalance(program.db, guest.userid));
        expect(walletPaise + unassignedPaise).toBeLessThanOrEqual(2 * CREDITS);
      }),
      { numRuns: 8 },
    );
  });
});
