/** Cash that the staff holds, hands in and counts. */
import { beforeEach, expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { reverseManualPayment } from '../manual-payments/service.server.ts';
import { receive, reversePayment } from '../order-desk/desk/contract.ts';
import { cashError, explainDifference, getCash, handIn } from './desk/contract.ts';

const program = useProgram();

let owner: TestStaff;
let operator: TestStaff;
let rider: TestStaff;
beforeEach(async () => {
  [owner, operator, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'operator'), await newStaff(program, 'rider')];
});

const key = () => ({ idempotencyKey: newId() });

async function take(who: TestStaff, paise: number, method: 'cash' | 'upi' = 'cash') {
  const { orderid } = await place(await newOrderingCustomer(program));
  await moveOutForDelivery(program, orderid);
  const { data } = await who.caller.send(receive, { orderid, method, amount: asPaise(paise) }, key());
  return data!.payments[0]!.tid;
}
const heldBy = async ({ personid }: TestStaff) =>
  (await owner.caller.send(getCash, {})).data?.holders.find((holder) => holder.personid === personid)?.held ?? 0;
const count = (who: TestStaff, holder: TestStaff, paise: number, options = key()) =>
  who.caller.send(handIn, { personid: holder.personid, counted: asPaise(paise) }, options);

test('cash is held by the person who received it, UPI by nobody; a reversal takes it back', async () => {
  const tid = await take(rider, 5000);
  await take(rider, 2000);
  await take(rider, 1000, 'upi');
  expect(await heldBy(rider)).toBe(7000);
  await owner.caller.send(reversePayment, { tid, reason: 'A wrong order' }, key());
  expect(await heldBy(rider)).toBe(2000);
});

test('a reversal with the command takes the cash back too', async () => {
  const tid = await take(rider, 5000);
  const { reference } = await program.db.selectFrom('payments').select('reference').where('tid', '=', tid).executeTakeFirstOrThrow();
  const reversal = { reference: reference ?? '', reason: 'A wrong order' };
  expect(await reverseManualPayment(program.db, reversal, program.clock.now())).toMatchObject({ status: 'reversed' });
  expect(await heldBy(rider)).toBe(0);
});

test('a hand-in moves the counted cash to the counter, once, and leaves a difference until the owner explains it', async () => {
  await take(rider, 7000);
  const options = key();
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

test('nobody but an owner counts the own cash, which then leaves the laundry', async () => {
  await take(operator, 3000);
  expect(await count(operator, operator, 3000)).toEqual(fail(cashError('own-cash')));
  await count(owner, operator, 3000);
  expect(await heldBy(owner)).toBe(3000);
  await count(owner, owner, 3000);
  expect(await heldBy(owner)).toBe(0);
});

test('impossible hand-ins are refused and write nothing', async () => {
  await take(rider, 1000);
  expect(await count(operator, owner, 1000)).toEqual(fail(cashError('nothing-held')));
  expect(await count(operator, rider, -1)).toEqual(fail(cashError('impossible-count')));
  expect(await operator.caller.send(handIn, { personid: newId(), counted: asPaise(1000) }, key())).toEqual(
    fail(cashError('unknown-holder')),
  );
  expect(await heldBy(rider)).toBe(1000);
});

test('of concurrent hand-ins of one person one is noted', async () => {
  await take(rider, 7000);
  const results = await Promise.all(Array.from({ length: 6 }, (_, index) => count(index % 2 ? owner : operator, rider, 7000)));
  expect(results.filter(({ response }) => response === 'success')).toHaveLength(1);
  expect((await heldBy(owner)) + (await heldBy(operator))).toBe(7000);
});

test('a rider sees only the own cash', async () => {
  const other = await newStaff(program, 'rider');
  await take(rider, 1000);
  await take(other, 2000);
  const { data } = await rider.caller.send(getCash, {});
  expect(data?.holders).toEqual([{ personid: rider.personid, name: rider.name, held: 1000, is_me: true }]);
});
