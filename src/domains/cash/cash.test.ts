/** Cash that the staff holds, hands in and counts. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { newKey } from '../../../test/support/caller.ts';
import { blockBefore, waitingStatements } from '../../../test/support/blocked-statements.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, newStaffOfEachRole, newStaffSession, type TestStaff } from '../../../test/support/staff.ts';
import { reverseManualPayment } from '../manual-payments/service.server.ts';
import { getBoard } from '../order-desk/desk/board-contract.ts';
import { receive, reversePayment } from '../order-desk/desk/contract.ts';
import { getAudit } from '../staff/desk/audit-contract.ts';
import { deleteExpiredStaffData } from '../staff/service.server.ts';
import { cashError, explainDifference, getCash, handIn } from './desk/contract.ts';
import type { ReversedCash } from '../orders/events-contract.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram({ OPERATOR_CREDITS_A_DAY: '100000' });

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
beforeEach(async () => {
  ({ owner, operator, rider } = await newStaffOfEachRole(program));
});

async function take(who: TestStaff, paise: number, method: 'cash' | 'upi' = 'cash') {
  const { orderid } = await place(await newOrderingCustomer(program));
  await moveOutForDelivery(program, orderid);
  const { data } = await who.caller.send(receive, { orderid, method, amount: asPaise(paise) }, newKey());
  return data!.payments[0]!.tid;
}
const heldBy = async ({ personid }: TestStaff) =>
  (await owner.caller.send(getCash, {})).data?.holders.find((holder) => holder.personid === personid)?.held ?? 0;
const count = (who: TestStaff, holder: TestStaff, paise: number, options = newKey()) =>
  who.caller.send(handIn, { personid: holder.personid, counted: asPaise(paise) }, options);

test('the person who receives cash holds it until a reversal; UPI is held by no person', async () => {
  const tid = await take(rider, 5000);
  await take(rider, 2000);
  await take(rider, 1000, 'upi');
  expect(await heldBy(rider)).toBe(7000);
  await owner.caller.send(reversePayment, { tid, reason: 'A wrong order' }, newKey());
  expect(await heldBy(rider)).toBe(2000);
});

test('the cash of a person is listed since the last hand-in: the order, the amount and the time of each payment', async () => {
  const movements = async ({ personid }: TestStaff, { caller } = owner) =>
    (await caller.send(getCash, {})).data?.holders.find((holder) => holder.personid === personid)?.movements;
  const orderOf = async (tid: string) =>
    (await program.db.selectFrom('payments').select('order_id').where('tid', '=', tid).executeTakeFirstOrThrow()).order_id;
  await take(rider, 7000);
  await count(operator, rider, 7000);
  const tids = [await take(rider, 5000), await take(rider, 2000)] as const;
  const [first, second] = [await orderOf(tids[0]), await orderOf(tids[1])];
  await owner.caller.send(reversePayment, { tid: tids[0], reason: 'A wrong order' }, newKey());
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const ofRider = [
    { orderid: first, colleague: null, amount: -5000, at },
    { orderid: second, colleague: null, amount: 2000, at },
    { orderid: first, colleague: null, amount: 5000, at },
  ];
  expect(await movements(rider)).toEqual(ofRider);
  expect(await movements(rider, rider)).toEqual(ofRider);
  expect(await movements(operator)).toEqual([{ orderid: null, colleague: rider.name, amount: 7000, at }]);
});

test('a payment that a phone repeats after weeks is recorded once, and known as done', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  await moveOutForDelivery(program, orderid);
  const payment = { orderid, method: 'cash', amount: asPaise(5000), at: program.clock.now().toISOString() } as const;
  const options = newKey();
  const repeated = async () => (await newStaffSession(program, rider.personid)).send(receive, payment, options);
  const first = await repeated();
  const cleanUp = async (seconds: number) => {
    program.clock.advance(seconds);
    await deleteExpiredStaffData(program.db, program.clock.now());
  };
  const { version } = first.data!;
  for (const seconds of [2 * DAY_SECONDS, 1, 28 * DAY_SECONDS - 1]) {
    await cleanUp(seconds);
    expect(await repeated()).toMatchObject({ response: 'success', data: { version, payments: [{ amount: 5000 }] } });
  }
  const payments = program.db.selectFrom('payments').select('amount_paise').where('order_id', '=', orderid);
  expect(await payments.execute()).toEqual([{ amount_paise: 5000 }]);
  const kept = program.db.selectFrom('staff_answers').select('answer').where('key', '=', options.idempotencyKey);
  expect(await kept.execute()).toEqual([{ answer: null }]);
  await cleanUp(1);
  expect(await kept.execute()).toEqual([]);
});

test('the key of a refused payment is deleted with its response, and the repeated payment is decided again', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const payment = { orderid, method: 'cash', amount: asPaise(5000) } as const;
  const options = newKey();
  const repeated = async () => (await newStaffSession(program, rider.personid)).send(receive, payment, options);
  expect(await repeated()).toMatchObject({ response: 'error' });
  await moveOutForDelivery(program, orderid);
  const countKeys = async () =>
    (await program.db.selectFrom('staff_answers').select('key').where('key', '=', options.idempotencyKey).execute()).length;
  const cleanUp = async (seconds: number) => {
    program.clock.advance(seconds);
    await deleteExpiredStaffData(program.db, program.clock.now());
    return countKeys();
  };
  expect(await cleanUp(2 * DAY_SECONDS)).toBe(1);
  expect(await repeated()).toMatchObject({ response: 'error' });
  expect(await cleanUp(1)).toBe(0);
  expect(await repeated()).toMatchObject({ response: 'success' });
});

test('a reversal with the command reduces the cash of the holder too', async () => {
  const tid = await take(rider, 5000);
  const { reference } = await program.db.selectFrom('payments').select('reference').where('tid', '=', tid).executeTakeFirstOrThrow();
  const reversal = { reference: reference ?? '', reason: 'A wrong order' };
  expect(await reverseManualPayment(program.db, laundryCommand(), reversal, program.clock.now())).toMatchObject({ status: 'reversed' });
  expect(await heldBy(rider)).toBe(0);
});

test('a hand-in moves the counted cash to the counter, once, and leaves a difference until the owner explains it', async () => {
  await take(rider, 7000);
  const options = newKey();
  const first = await count(operator, rider, 6500, options);
  expect(await count(operator, rider, 6500, options)).toEqual(first);
  expect([await heldBy(rider), await heldBy(operator)]).toEqual([0, 6500]);
  const { data } = await owner.caller.send(getCash, {});
  const difference = data?.differences.find(({ holder }) => holder.personid === rider.personid);
  expect(difference).toMatchObject({
    expected: 7000,
    counted: 6500,
    difference: -500,
    counter: { name: operator.name },
    explanation: null,
  });
  const explain = () => owner.caller.send(explainDifference, { handinid: difference?.handinid ?? '', explanation: 'Fuel' });
  expect((await explain()).data?.differences).toEqual([]);
  expect(await explain()).toEqual(fail(cashError('handin-not-found')));
  expect((await owner.caller.send(getCash, {})).data?.handins[0]).toMatchObject({ explanation: 'Fuel' });
});

test('only an owner counts their own cash, which then leaves the laundry', async () => {
  await take(operator, 3000);
  expect(await count(operator, operator, 3000)).toEqual(fail(cashError('own-cash')));
  await count(owner, operator, 3000);
  expect(await heldBy(owner)).toBe(3000);
  await count(owner, owner, 3000);
  expect(await heldBy(owner)).toBe(0);
});

const reverse = (tid: string, cash?: ReversedCash) =>
  owner.caller.send(reversePayment, { tid, reason: 'A wrong order', ...(cash && { cash }) }, newKey());

test('cash that is given back after the hand-in leaves the person who counted it, and the shortage of the hand-in stays', async () => {
  const tid = await take(rider, 5000);
  await count(owner, rider, 4000);
  const handIn = async () => (await owner.caller.send(getCash, {})).data?.handins.find(({ holder }) => holder.personid === rider.personid);
  const handinid = (await handIn())?.handinid ?? '';
  await owner.caller.send(explainDifference, { handinid, explanation: 'The rider brings it tomorrow' });
  await reverse(tid);
  expect([await heldBy(rider), await heldBy(owner)]).toEqual([0, 0]);
  expect(await handIn()).toMatchObject({ reversed: 0, difference: -1000, explanation: 'The rider brings it tomorrow' });
});

test('cash that is given back leaves the person who holds it after several hand-ins, and nobody if it left the laundry', async () => {
  const tid = await take(rider, 5000);
  await take(rider, 2000);
  await count(operator, rider, 7000);
  await take(rider, 1000);
  await count(owner, operator, 7000);
  await reverse(tid, 'given-back');
  expect([await heldBy(rider), await heldBy(operator), await heldBy(owner)]).toEqual([1000, 0, 2000]);
  const other = await take(rider, 3000);
  await count(owner, rider, 4000);
  await count(owner, owner, 6000);
  await take(owner, 4000);
  await reverse(other, 'given-back');
  expect(await heldBy(owner)).toBe(4000);
});

test('a handed-in payment that was never received is a difference to explain, and the next cash is held', async () => {
  const tid = await take(rider, 5000);
  await take(rider, 2000);
  await count(operator, rider, 7000);
  await reverse(tid, 'never-received');
  await take(rider, 1000);
  expect([await heldBy(rider), await heldBy(operator)]).toEqual([1000, 7000]);
  const { data } = await owner.caller.send(getCash, {});
  const difference = data?.differences.find(({ holder }) => holder.personid === rider.personid);
  expect(difference).toMatchObject({ expected: 7000, reversed: 5000, counted: 7000, difference: 5000, explanation: null });
});

test('a reversal with a reason of two letters is refused', async () => {
  const tid = await take(rider, 5000);
  const refused = await owner.caller.post(reversePayment.path, { tid, reason: 'no' }, { 'idempotency-key': newId() });
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'reason-required']);
});

test('a reversal ends the difference of cash that was never there, and opens an explained one', async () => {
  const [mistake, second] = [await take(rider, 5000), await take(rider, 2000)];
  await count(operator, rider, 2000);
  const open = async () =>
    (await owner.caller.send(getCash, {})).data?.differences.find(({ holder }) => holder.personid === rider.personid);
  const handinid = (await open())?.handinid ?? '';
  await reverse(mistake, 'never-received');
  expect(await open()).toBeUndefined();
  await reverse(second, 'never-received');
  expect(await open()).toMatchObject({ difference: 2000 });
  await owner.caller.send(explainDifference, { handinid, explanation: 'Given back' });
  expect(await open()).toBeUndefined();
  const { data } = await owner.caller.send(getCash, {});
  expect(data?.handins.find((row) => row.handinid === handinid)).toMatchObject({ reversed: 7000, explanation: 'Given back' });
});

test('a hand-in of another amount than the screen has shown is refused', async () => {
  await take(rider, 5000);
  const send = (expected: number) =>
    operator.caller.send(handIn, { personid: rider.personid, counted: asPaise(5000), expected: asPaise(expected) }, newKey());
  await take(rider, 1000);
  await expect(send(5000)).rejects.toMatchObject({ status: 409, ...cashError('cash-changed') });
  expect(await heldBy(rider)).toBe(6000);
  expect(await send(6000)).toMatchObject({ response: 'success' });
});

test('a reversal waits for a hand-in that has begun', async () => {
  const tid = await take(rider, 5000);
  const block = await blockBefore(program, 'insert', 'cash_handins');
  const counted = count(operator, rider, 5000);
  await block.reached();
  const reversed = owner.caller.send(reversePayment, { tid, reason: 'A wrong order' }, newKey());
  await waitingStatements(program, 2);
  await block.release();
  expect((await Promise.all([counted, reversed])).map(({ response }) => response)).toEqual(['success', 'success']);
  expect([await heldBy(rider), await heldBy(operator)]).toEqual([0, 0]);
});

describe('a part of the cash', () => {
  const countPart = (who: TestStaff, holder: TestStaff, paise: number, rest: 'kept' | 'missing') => {
    // Hand-ins are listed by their time.
    program.clock.advance(1);
    return who.caller.send(handIn, { personid: holder.personid, counted: asPaise(paise), rest }, newKey());
  };
  const readHolder = async ({ personid }: TestStaff) =>
    (await owner.caller.send(getCash, {})).data?.holders.find((holder) => holder.personid === personid);

  test('that is handed in leaves the rest with its holder, without a difference', async () => {
    await take(rider, 7000);
    const { data } = await countPart(operator, rider, 4000, 'kept');
    expect([await heldBy(rider), await heldBy(operator)]).toEqual([3000, 4000]);
    expect(data?.handins[0]).toMatchObject({ expected: 4000, counted: 4000, kept: 3000, difference: 0 });
    expect(data?.differences.filter(({ holder }) => holder.personid === rider.personid)).toEqual([]);
    await take(rider, 1000);
    expect(await readHolder(rider)).toMatchObject({ held: 4000, kept: 3000, movements: [{ amount: 1000 }] });
    expect(await readHolder(operator)).toMatchObject({ held: 4000, kept: 0 });
    const audit = await owner.caller.send(getAudit, { subject: data!.handins[0]!.handinid });
    expect(audit.data?.entries[0]?.after).toMatchObject({ expected_paise: 4000, counted_paise: 4000, kept_paise: 3000 });
  });

  test('that is banked leaves the rest with the owner, also for a caller that names no rest', async () => {
    await take(owner, 7000);
    await count(owner, owner, 4000);
    expect(await heldBy(owner)).toBe(3000);
    await countPart(owner, owner, 1000, 'kept');
    expect(await heldBy(owner)).toBe(2000);
    await countPart(owner, owner, 1500, 'missing');
    expect(await heldBy(owner)).toBe(0);
    const { data } = await owner.caller.send(getCash, {});
    expect(data?.differences.find(({ holder }) => holder.personid === owner.personid)).toMatchObject({ difference: -500 });
  });

  test('of ₹0 is refused, if the rest stays', async () => {
    await take(rider, 7000);
    await take(owner, 7000);
    expect(await countPart(operator, rider, 0, 'kept')).toEqual(fail(cashError('nothing-counted')));
    expect(await count(owner, owner, 0)).toEqual(fail(cashError('nothing-counted')));
    expect(await countPart(operator, rider, 0, 'missing')).toMatchObject({ response: 'success' });
  });

  test('given back after a part was handed in leaves the person who counted, then the one who kept the rest', async () => {
    const tids = [await take(rider, 5000), await take(rider, 2000)] as const;
    await countPart(operator, rider, 4000, 'kept');
    await reverse(tids[0], 'given-back');
    expect([await heldBy(rider), await heldBy(operator)]).toEqual([2000, 0]);
    await reverse(tids[1], 'given-back');
    expect([await heldBy(rider), await heldBy(operator)]).toEqual([0, 0]);
  });

  test('given back after a part was banked leaves the owner, at most the rest', async () => {
    const tid = await take(owner, 5000);
    await count(owner, owner, 4000);
    await take(owner, 2000);
    await reverse(tid, 'given-back');
    expect(await heldBy(owner)).toBe(2000);
  });

  test('never received and not handed in yet is a part of the rest, and changes no hand-in', async () => {
    const tid = await take(rider, 5000);
    await take(rider, 2000);
    await countPart(operator, rider, 2000, 'kept');
    await reverse(tid, 'never-received');
    expect([await heldBy(rider), await heldBy(operator)]).toEqual([0, 2000]);
    const { data } = await owner.caller.send(getCash, {});
    expect(data?.handins[0]).toMatchObject({ reversed: 0, difference: 0 });
  });

  test('never received corrects the first hand-in that left no rest', async () => {
    const tid = await take(rider, 5000);
    await take(rider, 2000);
    await countPart(operator, rider, 1000, 'kept');
    await countPart(operator, rider, 1000, 'missing');
    await reverse(tid, 'never-received');
    expect([await heldBy(rider), await heldBy(operator)]).toEqual([0, 2000]);
    const { data } = await owner.caller.send(getCash, {});
    expect(data?.handins.slice(0, 2)).toMatchObject([
      { reversed: 5000, difference: 0 },
      { reversed: 0, difference: 0 },
    ]);
  });

  const person = fc.constantFrom('rider', 'other', 'operator', 'owner');
  const step = fc.oneof(
    fc.record({ do: fc.constant('receive' as const), by: person, paise: fc.integer({ min: 1, max: 9000 }) }),
    fc.record({
      do: fc.constant('count' as const),
      by: fc.constantFrom('operator', 'owner'),
      holder: person,
      percent: fc.constantFrom(30, 55, 100, 100, 101),
      rest: fc.constantFrom('kept' as const, 'missing' as const, undefined),
    }),
    fc.record({ do: fc.constant('explain' as const), difference: fc.nat() }),
  );

  test('in any sequence: received cash is held, banked or in a difference', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const people: Record<string, TestStaff> = { rider: await newStaff(program, 'rider'), other: await newStaff(program, 'rider') };
        Object.assign(people, { operator: await newStaff(program, 'operator'), owner: await newStaff(program, 'owner') });
        const ids = Object.values(people).map(({ personid }) => personid);
        const { orderid } = await place(await newOrderingCustomer(program));
        await moveOutForDelivery(program, orderid);
        let [received, banked, differences] = [0, 0, 0];
        for (const next of steps) {
          program.clock.advance(1);
          const { data: before } = await owner.caller.send(getCash, {});
          if (next.do === 'receive') {
            const body = { orderid, method: 'cash', amount: asPaise(next.paise), overpaid: true } as const;
            expect(await people[next.by]!.caller.send(receive, body, newKey())).toMatchObject({ response: 'success' });
            received += next.paise;
          } else if (next.do === 'explain') {
            const open = before!.differences.filter(({ holder }) => ids.includes(holder.personid));
            if (open.length === 0) continue;
            const { handinid } = open[next.difference % open.length]!;
            await owner.caller.send(explainDifference, { handinid, explanation: 'Fuel' });
          } else {
            const [counter, holder] = [people[next.by]!, people[next.holder]!];
            const held = await heldBy(holder);
            const counted = Math.floor((held * next.percent) / 100);
            const body = { personid: holder.personid, counted: asPaise(counted), ...(next.rest && { rest: next.rest }) };
            const { response } = await counter.caller.send(handIn, body, newKey());
            if (response !== 'success') continue;
            if (counter === holder) banked += counted;
            const isKept = counted < held && (next.rest ?? (counter === holder ? 'kept' : 'missing')) === 'kept';
            if (!isKept) differences += counted - held;
            expect(await heldBy(holder)).toBe(isKept ? held - counted : 0);
          }
          const { data } = await owner.caller.send(getCash, {});
          const holders = data!.holders.filter(({ personid }) => ids.includes(personid));
          const sum = (amounts: readonly number[]) => amounts.reduce((total, paise) => total + paise, 0);
          expect(sum(holders.map(({ held }) => held)) + banked - differences).toBe(received);
          for (const { held, kept, movements } of holders) expect(kept + sum(movements.map(({ amount }) => amount))).toBe(held);
        }
        const handins = await program.db.selectFrom('cash_handins').selectAll().where('holder_id', 'in', ids).execute();
        expect(handins.reduce((total, row) => total + row.counted_paise - row.expected_paise, 0)).toBe(differences);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

describe('in any sequence', () => {
  const person = fc.constantFrom('rider', 'other', 'operator', 'owner');
  const step = fc.oneof(
    fc.record({ do: fc.constant('receive' as const), by: person, paise: fc.integer({ min: 1, max: 9000 }) }),
    fc.record({
      do: fc.constant('reverse' as const),
      payment: fc.nat(),
      cash: fc.constantFrom('given-back' as const, 'never-received' as const),
    }),
    fc.record({
      do: fc.constant('count' as const),
      by: fc.constantFrom('operator', 'owner'),
      holder: person,
      off: fc.constantFrom(0, 0, -100, 70),
    }),
  );

  test('what is held is what was received, less what was reversed and left, with the differences', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const people: Record<string, TestStaff> = { rider: await newStaff(program, 'rider'), other: await newStaff(program, 'rider') };
        Object.assign(people, { operator: await newStaff(program, 'operator'), owner: await newStaff(program, 'owner') });
        const { orderid } = await place(await newOrderingCustomer(program));
        await moveOutForDelivery(program, orderid);
        const payments: { tid: string; paise: number }[] = [];
        let [left, reversed] = [0, 0];
        for (const next of steps) {
          // Payments are listed by their time.
          program.clock.advance(1);
          if (next.do === 'receive') {
            const body = { orderid, method: 'cash', amount: asPaise(next.paise), overpaid: true } as const;
            const { data } = await people[next.by]!.caller.send(receive, body, newKey());
            payments.push({ tid: data!.payments.at(-1)!.tid, paise: next.paise });
          } else if (next.do === 'reverse') {
            const [payment] = payments.splice(next.payment % Math.max(payments.length, 1), 1);
            if (!payment) continue;
            const body = { tid: payment.tid, reason: 'A mistake', cash: next.cash };
            await people.owner!.caller.send(reversePayment, body, newKey());
            reversed += payment.paise;
          } else {
            const holder = people[next.holder]!;
            const counted = Math.max(0, (await heldBy(holder)) + next.off);
            const { response } = await count(people[next.by]!, holder, counted);
            if (response === 'success' && next.by === next.holder) left += counted;
          }
        }
        const ids = Object.values(people).map(({ personid }) => personid);
        const { data } = await owner.caller.send(getCash, {});
        const held = data!.holders.filter(({ personid }) => ids.includes(personid)).map((holder) => holder.held as number);
        const handins = await program.db.selectFrom('cash_handins').selectAll().where('holder_id', 'in', ids).execute();
        const differences = handins.map((row) => row.counted_paise - row.expected_paise + row.reversed_paise);
        expect(held.filter((paise) => paise < 0)).toEqual([]);
        // Reversed cash that no person had: it was missing at a count, or had left the laundry.
        const returns = await listReturns(ids);
        const elsewhere = reversed - sum(handins.map((row) => row.reversed_paise)) - sum(returns);
        const missing = sum(handins.map((row) => Math.max(row.expected_paise - row.counted_paise, 0)));
        expect(elsewhere).toBeGreaterThanOrEqual(0);
        expect(elsewhere).toBeLessThanOrEqual(missing + left);
        expect(sum(held)).toBe(sum(payments.map(({ paise }) => paise)) + sum(differences) - left + elsewhere);
        expect(await sumsOfMovements(ids)).toEqual(
          new Map(data!.holders.filter(({ personid }) => ids.includes(personid)).map(({ personid, held: paise }) => [personid, paise])),
        );
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  const sum = (amounts: readonly number[]) => amounts.reduce((total, paise) => total + paise, 0);

  const listReturns = async (ids: readonly string[]) => {
    const rows = program.db.selectFrom('cash_movements').select('amount_paise').where('kind', '=', 'reversed');
    return (await rows.where('staff_id', 'in', ids).execute()).map((row) => -row.amount_paise);
  };

  const sumsOfMovements = async (ids: readonly string[]) => {
    const rows = await program.db.selectFrom('cash_movements').select(['staff_id', 'amount_paise']).where('staff_id', 'in', ids).execute();
    const sums = new Map<string, number>();
    for (const row of rows) sums.set(row.staff_id, (sums.get(row.staff_id) ?? 0) + row.amount_paise);
    return new Map([...sums].filter(([, paise]) => paise !== 0));
  };
});

test('the board has the number of open differences for the owner only', async () => {
  const differences = async ({ caller }: TestStaff) => (await caller.send(getBoard, {})).data?.cash_differences;
  const before = (await differences(owner)) ?? 0;
  await take(rider, 5000);
  await count(operator, rider, 4000);
  expect([await differences(owner), await differences(operator), await differences(rider)]).toEqual([before + 1, null, null]);
  const { data } = await owner.caller.send(getCash, {});
  const { handinid } = data!.differences.find(({ holder }) => holder.personid === rider.personid)!;
  await owner.caller.send(explainDifference, { handinid, explanation: 'Fuel' });
  expect(await differences(owner)).toBe(before);
});

test('impossible hand-ins are refused and write nothing', async () => {
  await take(rider, 1000);
  expect(await count(operator, owner, 1000)).toEqual(fail(cashError('nothing-held')));
  expect(await count(operator, rider, -1)).toEqual(fail(cashError('impossible-count')));
  expect(await operator.caller.send(handIn, { personid: newId(), counted: asPaise(1000) }, newKey())).toEqual(
    fail(cashError('unknown-holder')),
  );
  expect(await heldBy(rider)).toBe(1000);
});

test('of concurrent hand-ins of one person one is recorded', async () => {
  await take(rider, 7000);
  const results = await Promise.all(Array.from({ length: 6 }, (_, index) => count(index % 2 ? owner : operator, rider, 7000)));
  expect(results.filter(({ response }) => response === 'success')).toHaveLength(1);
  expect((await heldBy(owner)) + (await heldBy(operator))).toBe(7000);
});

test('a rider sees only their own cash', async () => {
  const other = await newStaff(program, 'rider');
  await take(rider, 1000);
  await take(other, 2000);
  const { data } = await rider.caller.send(getCash, {});
  expect(data?.holders).toEqual([
    {
      personid: rider.personid,
      name: rider.name,
      held: 1000,
      is_me: true,
      kept: 0,
      movements: [expect.objectContaining({ amount: 1000 })],
    },
  ]);
});
