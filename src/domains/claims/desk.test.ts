/** The staff lists, answers and settles claims. */
import type * as z from 'zod/mini';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { newId } from '../../lib/ids.ts';
import { blockBefore, waitingStatements } from '../../../test/support/blocked-statements.ts';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { uploadedPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer, newGuest, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { hashToken } from '../../security/tokens.server.ts';
import { setSessionOfGuestOrders } from '../orders/guest-orders-store.server.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { getDeskCustomer, grant, payOut, reverse } from '../customers/desk/contract.ts';
import { getBoard } from '../order-desk/desk/board-contract.ts';
import { getDeskOrder, weigh } from '../order-desk/desk/contract.ts';
import { getOrder } from '../orders/contract.ts';
import { lockMember } from '../staff/store.server.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { addClaim, addReply, getClaims, type ClaimRequest } from './contract.ts';
import { CLAIMS_PER_PAGE, answerDeskClaim, assignDeskClaim, deskPhotoPath, listDeskClaims, settleDeskClaim } from './desk/contract.ts';
import { MAX_ANSWERS_PER_DAY, MAX_REPLIES_PER_DAY } from './rules.ts';

const program = useProgram({ OPERATOR_CREDITS_A_DAY: '300' });

let operator: TestStaff;
let customer: OrderingCustomer & { orderid: string };
async function signIn() {
  operator = await newStaff(program, 'operator');
  const ordering = await newOrderingCustomer(program);
  customer = { ...ordering, orderid: (await place(ordering)).orderid };
}
beforeEach(signIn);

async function report(change: Partial<ClaimRequest> = {}, { caller, userid, orderid } = customer) {
  const body = { userid, orderid, kind: 'damaged', message: 'The blue shirt has a hole.', ...change } as const;
  const { data, message } = await caller.send(addClaim, body);
  if (!data) throw new Error(message);
  return data;
}

const settle = (claimid: string, rupees: number, { caller } = operator) =>
  caller.send(settleDeskClaim, { claimid, answer: 'We are sorry.', amount: asPaise(rupees * 100) });

const auditOf = (claimid: string) =>
  program.db
    .selectFrom('staff_audit')
    .select(['action', 'staff_id', 'before', 'after'])
    .where('subject_id', '=', claimid)
    .orderBy('id')
    .execute();

test('an owner reverses the credit of a report once, unless it is spent, and the report shows it', async () => {
  const { claimid } = await report();
  await settle(claimid, 250);
  const owner = await newStaff(program, 'owner');
  const { mobile } = customer;
  const credit = async () =>
    (await owner.caller.send(getDeskCustomer, { mobile })).data!.transactions.find(({ amount }) => amount === 25_000)!;
  expect(await credit()).toMatchObject({ kind: 'compensation', is_reversible: true });
  const { entryid } = await credit();
  const undo = () => owner.caller.send(reverse, { entryid, reason: 'Another shirt' }, { idempotencyKey: newId() });
  const payout = { mobile, amount: asPaise(100), reason: 'By UPI, 4711' };
  await owner.caller.send(payOut, payout, { idempotencyKey: newId() });
  expect(await undo()).toMatchObject({ code: 'credit-spent' });
  await owner.caller.send(
    grant,
    { mobile, kind: 'compensation', amount: asPaise(100), reason: 'A long wait' },
    { idempotencyKey: newId() },
  );
  expect(await undo()).toMatchObject({ data: { entryid, reversal: { reason: 'Another shirt' }, is_reversible: false } });
  expect(await undo()).toMatchObject({ code: 'credit-reversed' });
  expect(await readBalance(program.db, customer.userid)).toBe(0);
  const { data } = await owner.caller.send(listDeskClaims, { claimid });
  expect(data?.claims[0]).toMatchObject({ status: 'settled', credited: 25_000, reversed: 25_000 });
  const { data: seen } = await customer.caller.send(getClaims, { userid: customer.userid });
  expect(seen).toMatchObject([{ credited: 25_000, reversed: 25_000, reversed_at: '2026-11-21 10:30:00' }]);
  expect(isSound(await auditLedger(program.db))).toBe(true);
});

describe('settling', () => {
  test('credits the wallet, answers the customer and records who did it, in one transaction', async () => {
    const { claimid } = await report();
    const response = await settle(claimid, 250);
    expect(response).toMatchObject({
      response: 'success',
      data: { claimid, status: 'settled', credited: 25_000, is_overdue: false, customer: { name: 'Meera', mobile: customer.mobile } },
    });
    expect(await readBalance(program.db, customer.userid)).toBe(25_000);
    const { data: seen } = await customer.caller.send(getClaims, { userid: customer.userid });
    expect(seen?.[0]).toMatchObject({ status: 'settled', credited: 25_000 });
    expect(seen?.[0]?.messages.at(-1)).toMatchObject({ author: 'staff', message: 'We are sorry.' });
    expect(await auditOf(claimid)).toEqual([
      {
        action: 'settle-claim',
        staff_id: operator.personid,
        before: { status: 'open' },
        after: { status: 'settled', amount_paise: 25_000 },
      },
    ]);
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('happens once: a repeated request gets the first response, another one an error', async () => {
    const { claimid } = await report();
    const body = { claimid, answer: 'We are sorry.', amount: asPaise(1000) };
    const options = { idempotencyKey: newId() };
    const first = await operator.caller.send(settleDeskClaim, body, options);
    expect(await operator.caller.send(settleDeskClaim, body, options)).toEqual(first);
    expect(await settle(claimid, 10)).toMatchObject({ response: 'error', code: 'claim-settled' });
    expect(await readBalance(program.db, customer.userid)).toBe(1000);
    expect((await auditOf(claimid)).map(({ action }) => action)).toEqual(['settle-claim', 'refused']);
  });

  test('needs no amount', async () => {
    const { claimid } = await report();
    const { data } = await operator.caller.send(settleDeskClaim, { claimid, answer: 'It was late because of the rain.' });
    expect(data).toMatchObject({ status: 'settled', credited: null });
    expect(await readBalance(program.db, customer.userid)).toBe(0);
  });

  test('needs a fresh log-in for an amount', async () => {
    const { claimid } = await report();
    program.clock.advance(601);
    await expect(settle(claimid, 1)).rejects.toMatchObject({ status: 403, code: 'login-too-old' });
    expect(await readBalance(program.db, customer.userid)).toBe(0);
    expect(await operator.caller.send(settleDeskClaim, { claimid, answer: 'We found it.' })).toMatchObject({ response: 'success' });
  });

  test('an operator credits up to a daily limit in total, which starts again the next day; an owner has none', async () => {
    program.clock.set('2026-11-22T18:25:00Z');
    await signIn();
    const owner = await newStaff(program, 'owner');
    const ids = [
      (await report({ message: 'One' })).claimid,
      (await report({ message: 'Two' })).claimid,
      (await report({ message: 'Three' })).claimid,
    ];
    expect(await settle(ids[0]!, 200)).toMatchObject({ response: 'success' });
    const before = await dumpDatabase(program, ['staff_audit']);
    expect(await settle(ids[1]!, 100.01)).toMatchObject({ response: 'error', code: 'over-daily-credits', params: { left: '100' } });
    expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
    expect(await settle(ids[1]!, 100)).toMatchObject({ response: 'success' });
    expect(await settle(ids[2]!, 0.01)).toMatchObject({ code: 'over-daily-credits', params: { left: '0' } });
    // Midnight in Asia/Kolkata.
    program.clock.set('2026-11-22T18:30:00Z');
    expect(await settle(ids[2]!, 300)).toMatchObject({ response: 'success' });
    const { claimid } = await report({ message: 'Four' });
    expect(await settle(claimid, 301, owner)).toMatchObject({ response: 'success' });
  });

  test('concurrent credits of an operator do not pass the limit together', async () => {
    const [first, second] = [await report({ message: 'One' }), await report({ message: 'Two' })];
    const block = await blockBefore(program, 'insert', 'ledger_entries');
    const outcomes = Promise.all([settle(first.claimid, 200), settle(second.claimid, 200)]);
    await waitingStatements(program, 2);
    await block.release();
    expect((await outcomes).map(({ response }) => response).toSorted()).toEqual(['error', 'success']);
    expect(await readBalance(program.db, customer.userid)).toBe(20_000);
  });

  test('beside a change of the order by the same person does not deadlock', async () => {
    const { claimid } = await report();
    const change = { orderid: customer.orderid, version: 1, weight: 2000, items: 5 };
    const answers = await program.db.transaction().execute(async (tx) => {
      await lockMember(tx, operator.personid);
      const settled = settle(claimid, 10);
      await waitingStatements(program, 1);
      const weighed = operator.caller.send(weigh, change);
      await waitingStatements(program, 2);
      return { settled, weighed };
    });
    expect(await answers.settled).toMatchObject({ response: 'success' });
    await expect(answers.weighed).rejects.toMatchObject({ status: 409 });
  });

  test('that waits for an answer records the status that the answer left', async () => {
    const { claimid } = await report();
    const block = await blockBefore(program, 'update', 'claims');
    const answered = operator.caller.send(answerDeskClaim, { claimid, answer: 'We are looking for it.' });
    await block.reached();
    const settled = settle(claimid, 10);
    await waitingStatements(program, 2);
    await block.release();
    expect((await Promise.all([answered, settled])).map(({ response }) => response)).toEqual(['success', 'success']);
    expect((await auditOf(claimid)).at(-1)).toMatchObject({ action: 'settle-claim', before: { status: 'answered' } });
  });

  test('concurrent requests with keys all settle: the key of a request must not block the others', async () => {
    const claims: string[] = [];
    for (let number = 0; number < 5; number += 1) claims.push((await report({ message: `Report ${number}` })).claimid);
    const settled = await Promise.all(
      claims.map((claimid) =>
        operator.caller.send(settleDeskClaim, { claimid, answer: 'We are sorry.', amount: asPaise(100) }, { idempotencyKey: newId() }),
      ),
    );
    expect(settled.map(({ response }) => response)).toEqual(claims.map(() => 'success'));
    expect(await readBalance(program.db, customer.userid)).toBe(500);
  });

  test('crediting the mobile of the caller is refused', async () => {
    const owner = await newStaff(program, 'owner', { mobile: customer.mobile });
    const { claimid } = await report();
    expect(await settle(claimid, 1, owner)).toMatchObject({ response: 'error', code: 'own-mobile' });
    expect(await settle(claimid, 0, owner)).toMatchObject({ response: 'success' });
  });

  test('crediting the mobile of the caller through a report with another number is refused', async () => {
    const [ordering, reporting] = [await newOrderingGuest(program), await newGuest(program)];
    const { orderid } = await place(ordering);
    const sessionHashOf = ({ caller }: TestCustomer) => hashToken(caller.cookies.get('session') ?? '');
    // After a new proof, the orders of a browser move to its new session.
    await setSessionOfGuestOrders(program.db, {
      customerId: reporting.userid,
      sessionHash: sessionHashOf(reporting),
      replacedSessionHash: sessionHashOf(ordering),
      placedAfter: program.clock.now(),
    });
    const { data } = await reporting.caller.send(addClaim, { orderid, kind: 'damaged', message: 'A hole' });
    const owner = await newStaff(program, 'owner', { mobile: ordering.mobile });
    const [seen] = (await owner.caller.send(listDeskClaims, { orderid })).data?.claims ?? [];
    expect(seen?.customer.mobile).toBe(ordering.mobile);
    expect(await settle(data?.claimid ?? '', 1, owner)).toMatchObject({ response: 'error', code: 'own-mobile' });
    expect(await readBalance(program.db, ordering.userid)).toBe(0);
  });

  test.each([-1, 10_000.01])('refuses ₹%d, and writes nothing', async (rupees) => {
    const owner = await newStaff(program, 'owner');
    const { claimid } = await report();
    const before = await dumpDatabase(program, ['staff_audit']);
    expect(await settle(claimid, rupees, owner)).toMatchObject({ response: 'error', code: 'impossible-compensation' });
    expect(await settle(newId(), 1, owner)).toMatchObject({ response: 'error', code: 'claim-not-found' });
    expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
  });

  test('credits no account whose number a guest used', async () => {
    const ordering = await newOrderingGuest(program);
    const guest = { ...ordering, orderid: (await place(ordering)).orderid };
    const { claimid } = await report({}, guest);
    await program.db.updateTable('customers').set({ name: 'Asha', password_hash: 'no password' }).where('id', '=', guest.userid).execute();
    expect((await operator.caller.send(listDeskClaims, { claimid })).data?.claims).toMatchObject([{ has_wallet: false }]);
    expect(await settle(claimid, 10)).toMatchObject({ response: 'error', code: 'claim-without-wallet' });
    expect(await readBalance(program.db, guest.userid)).toBe(0);
  });
});

describe('assigning', () => {
  const assign = (claimid: string, person: string | null, read?: string | null, options = {}) =>
    operator.caller.send(assignDeskClaim, { claimid, person, ...(read !== undefined && { person_read: read }) }, options);
  const mine = async ({ caller }: TestStaff) =>
    (await caller.send(listDeskClaims, { mine: true, orderid: customer.orderid })).data?.claims.map(({ claimid }) => claimid);

  test('names the person, who finds the report among the own ones, and is in the audit once', async () => {
    const { claimid } = await report();
    const owner = await newStaff(program, 'owner');
    const options = { idempotencyKey: newId() };
    const first = await assign(claimid, owner.personid, null, options);
    expect(first).toMatchObject({ response: 'success', data: { claimid, assigned: { personid: owner.personid } } });
    expect(await assign(claimid, owner.personid, null, options)).toEqual(first);
    // Without a key, too.
    expect(await assign(claimid, owner.personid, null)).toMatchObject({ response: 'success' });
    expect(await mine(owner)).toEqual([claimid]);
    expect(await mine(operator)).toEqual([]);
    expect(await assign(claimid, null, owner.personid)).toMatchObject({ data: { assigned: null } });
    expect(await mine(owner)).toEqual([]);
    expect(await auditOf(claimid)).toEqual([
      { action: 'assign-claim', staff_id: operator.personid, before: { assigned_to: null }, after: { assigned_to: owner.personid } },
      { action: 'assign-claim', staff_id: operator.personid, before: { assigned_to: owner.personid }, after: { assigned_to: null } },
    ]);
  });

  test('of a report that another person has assigned meanwhile is refused, and so is a rider or an unknown person', async () => {
    const { claimid } = await report();
    const [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
    await assign(claimid, owner.personid);
    expect(await assign(claimid, operator.personid, null)).toMatchObject({ response: 'error', code: 'claim-assigned' });
    for (const person of [rider.personid, 'unknown']) {
      expect(await assign(claimid, person)).toMatchObject({ response: 'error', code: 'unknown-claim-person' });
    }
    expect(await assign('unknown', owner.personid)).toMatchObject({ response: 'error', code: 'claim-not-found' });
    expect(await mine(owner)).toEqual([claimid]);
    expect((await auditOf(claimid)).map(({ action }) => action)).toEqual(['assign-claim', 'refused', 'refused', 'refused']);
  });

  test('two people at once: one assigns the report, the other is refused', async () => {
    const { claimid } = await report();
    const owner = await newStaff(program, 'owner');
    const responses = await Promise.all([assign(claimid, owner.personid, null), assign(claimid, operator.personid, null)]);
    expect(responses.map(({ response }) => response).toSorted()).toEqual(['error', 'success']);
    expect((await auditOf(claimid)).map(({ action }) => action)).toEqual(['assign-claim', 'refused']);
  });

  test('makes no change of the order stale, and the customer reads nothing about it', async () => {
    const { claimid } = await report();
    const { orderid } = customer;
    const read = async () => (await operator.caller.send(getDeskOrder, { orderid })).data!;
    const { version } = await read();
    const history = async () => (await customer.caller.send(getOrder, { orderid })).data?.[0]?.history;
    const before = await history();
    await assign(claimid, operator.personid);
    expect(await history()).toEqual(before);
    expect((await read()).history.at(-1)).toMatchObject({ kind: 'claim-assigned' });
    expect((await operator.caller.send(weigh, { orderid, version, weight: 7530, items: 12 })).response).toBe('success');
  });

  test('lists the owners and operators, and forgets a person who was removed', async () => {
    const { claimid } = await report();
    const [owner, rider] = [await newStaff(program, 'owner'), await newStaff(program, 'rider')];
    await assign(claimid, owner.personid);
    await program.db.updateTable('staff_members').set({ removed_at: program.clock.now() }).where('id', '=', owner.personid).execute();
    const { data } = await operator.caller.send(listDeskClaims, { claimid });
    expect(data?.claims[0]?.assigned).toBeNull();
    const listed = data?.people.map(({ personid }) => personid);
    expect(listed).toContain(operator.personid);
    expect(listed).not.toContain(owner.personid);
    expect(listed).not.toContain(rider.personid);
    expect(data?.people.filter(({ is_me: isMe }) => isMe)).toMatchObject([{ personid: operator.personid }]);
  });
});

describe('answering', () => {
  test('adds to the thread once and leaves the report unsettled', async () => {
    const { claimid } = await report();
    const send = () => operator.caller.send(answerDeskClaim, { claimid, answer: 'Which shirt is it?' });
    expect(await send()).toMatchObject({ response: 'success', data: { status: 'answered' } });
    const { data } = await send();
    expect(data?.messages.map(({ message }) => message)).toEqual(['The blue shirt has a hole.', 'Which shirt is it?']);
    expect(await auditOf(claimid)).toMatchObject([{ action: 'answer-claim', staff_id: operator.personid }]);
  });

  test.each([
    ['no words', ''],
    ['spaces', '   '],
    ['too many words', 'x'.repeat(1001)],
  ])('refuses %s', async (_what, answer) => {
    const { claimid } = await report();
    const { statusCode } = await operator.caller.post(answerDeskClaim.path, { claimid, answer });
    expect(statusCode).toBe(400);
    expect(await auditOf(claimid)).toEqual([]);
  });
});

describe('a reply', () => {
  const reply = (claimid: string, message: string, { caller, userid } = customer) => caller.send(addReply, { userid, claimid, message });
  const answer = (claimid: string, text = 'Which colour is it?') => operator.caller.send(answerDeskClaim, { claimid, answer: text });

  test('of the customer is in the thread of both sides, and the claim waits again with a new deadline', async () => {
    program.clock.set('2026-11-22T10:40:00Z');
    await signIn();
    const { claimid } = await report();
    await answer(claimid);
    program.clock.advance(24 * 3600);
    operator = await newStaff(program, 'operator');
    const { data } = await reply(claimid, 'It is the blue one.');
    const authors = [{ author: 'customer' }, { author: 'staff' }, { author: 'customer', message: 'It is the blue one.' }];
    expect(data).toMatchObject({ claimid, status: 'open', answer_by: '2026-11-25 16:00:00', messages: authors });
    const listed = async () => (await operator.caller.send(listDeskClaims, { claimid })).data?.claims[0];
    expect(await listed()).toMatchObject({ status: 'open', is_overdue: false, messages: authors });
    program.clock.advance(48 * 3600);
    operator = await newStaff(program, 'operator');
    expect(await listed()).toMatchObject({ is_overdue: true });
    // The same answer as before the reply is another message.
    expect((await answer(claimid)).data).toMatchObject({ status: 'answered', messages: [{}, {}, {}, { author: 'staff' }] });
  });

  test('that the staff has not read refuses an answer and a settlement, and writes nothing', async () => {
    const { claimid } = await report();
    await answer(claimid);
    await reply(claimid, 'It is the blue one.');
    const before = await dumpDatabase(program, ['staff_audit']);
    const body = { claimid, answer: 'We are sorry.', messages_read: 2 };
    expect(await operator.caller.send(answerDeskClaim, body)).toMatchObject({ response: 'error', code: 'claim-has-reply' });
    expect(await operator.caller.send(settleDeskClaim, body)).toMatchObject({ response: 'error', code: 'claim-has-reply' });
    expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
    // An answer of a colleague needs no reading.
    await answer(claimid, 'We have found it.');
    const read = { ...body, messages_read: 3 };
    expect(await operator.caller.send(settleDeskClaim, read)).toMatchObject({ response: 'success', data: { status: 'settled' } });
  });

  test('of a guest is the same, and a retry is not repeated', async () => {
    const ordering = await newOrderingGuest(program);
    const guest = { ...ordering, userid: undefined, orderid: (await place(ordering)).orderid };
    const body = { orderid: guest.orderid, kind: 'late', message: 'It is late.' } as const;
    const { data: claim } = await guest.caller.send(addClaim, body);
    const claimid = claim?.claimid ?? '';
    for (let tries = 0; tries < 2; tries += 1) {
      const { data } = await guest.caller.send(addReply, { claimid, message: 'I leave tomorrow.' });
      // An open claim keeps its deadline.
      expect(data).toMatchObject({ status: 'open', answer_by: claim?.answer_by, messages: [{}, { message: 'I leave tomorrow.' }] });
    }
  });

  test('within 14 days opens a settled claim again; a second settlement adds its amount', async () => {
    program.clock.set('2026-11-22T10:40:00Z');
    await signIn();
    const { claimid } = await report();
    await settle(claimid, 100);
    const listed = async () => (await customer.caller.send(getClaims, { userid: customer.userid })).data?.[0];
    expect(await listed()).toMatchObject({ status: 'settled', credited: 10_000, reply_until: '2026-12-06 16:10:00' });
    program.clock.advance(14 * 24 * 3600 - 1);
    const { data } = await reply(claimid, 'The shirt cost more.');
    expect(data).toMatchObject({ status: 'open', credited: 10_000, reply_until: null, answer_by: '2026-12-08 16:00:00' });
    operator = await newStaff(program, 'operator');
    // A repetition of the first settlement.
    expect(await settle(claimid, 100)).toMatchObject({ code: 'claim-settled' });
    const { data: waiting } = await operator.caller.send(listDeskClaims, { status: 'open', orderid: customer.orderid });
    expect(waiting?.claims).toMatchObject([{ claimid, settled_at: '2026-11-22 16:10:00', is_overdue: false }]);
    expect(await settle(claimid, 50)).toMatchObject({ response: 'success', data: { status: 'settled', credited: 15_000 } });
    expect(await settle(claimid, 50)).toMatchObject({ code: 'claim-settled' });
    expect(await readBalance(program.db, customer.userid)).toBe(15_000);
    expect(await reply(claimid, 'Thank you.')).toMatchObject({ response: 'success' });
  });

  test('to a claim that was settled 14 days ago, to that of another customer and beyond the limit of a day writes nothing', async () => {
    const { claimid } = await report();
    const stranger = await newOrderingCustomer(program);
    expect(await reply(claimid, 'Hello', { ...stranger, orderid: '' })).toMatchObject({ code: 'unknown-claim', data: null });
    for (let index = 0; index < MAX_REPLIES_PER_DAY; index += 1) {
      expect(await reply(claimid, `Message ${index}`)).toMatchObject({ response: 'success' });
    }
    expect(await reply(claimid, 'One more')).toMatchObject({ code: 'too-many-replies' });
    program.clock.advance(24 * 3600);
    operator = await newStaff(program, 'operator');
    await settle(claimid, 0);
    program.clock.advance(14 * 24 * 3600);
    expect(await reply(claimid, 'And now?')).toMatchObject({ code: 'claim-is-settled' });
    const { data } = await customer.caller.send(getClaims, { userid: customer.userid });
    expect(data?.[0]?.messages).toHaveLength(MAX_REPLIES_PER_DAY + 2);
  });
});

describe('the list', () => {
  const list = async (filter: z.output<typeof listDeskClaims.body> = {}) => (await operator.caller.send(listDeskClaims, filter)).data!;

  test('begins with the most urgent report that is not settled, and marks overdue ones', async () => {
    program.clock.set('2027-01-10T10:00:00Z');
    await signIn();
    const first = await report({ kind: 'late' });
    program.clock.advance(3600);
    const second = await report({ kind: 'missing' });
    const { claimid } = await report({ kind: 'amount' });
    await settle(claimid, 0);
    await operator.caller.send(answerDeskClaim, { claimid: second.claimid, answer: 'We are looking for it.' });
    program.clock.advance(48 * 3600);
    operator = await newStaff(program, 'operator');
    const { claims, reasons, counts } = await list();
    const own = claims.filter(({ orderid }) => orderid === customer.orderid);
    expect(own.map((row) => [row.claimid, row.is_overdue])).toEqual([
      [first.claimid, true],
      [second.claimid, false],
    ]);
    // Only these claims are of the last 30 days.
    expect(reasons).toEqual([
      { kind: 'damaged', claims: 0, credited: 0 },
      { kind: 'missing', claims: 1, credited: 0 },
      { kind: 'late', claims: 1, credited: 0 },
      { kind: 'amount', claims: 1, credited: 0 },
      { kind: 'other', claims: 0, credited: 0 },
    ]);
    expect(counts.open).toBeGreaterThan(0);
    const board = await operator.caller.send(getBoard, {});
    expect(board.data?.open_claims).toBe(counts.open);
    const rider = await newStaff(program, 'rider');
    expect((await rider.caller.send(getBoard, {})).data?.open_claims).toBeNull();
    expect((await list({ orderid: customer.orderid, status: 'settled' })).claims).toMatchObject([
      { claimid, settled_at: '2027-01-10 16:30:00', customer: { mobile: customer.mobile, is_guest: false } },
    ]);
    expect((await list({ kind: 'late', orderid: customer.orderid })).claims).toHaveLength(1);
    expect((await list({ claimid })).claims).toMatchObject([{ claimid, status: 'settled' }]);
  });

  test.each(['open', 'settled'] as const)('pages of %s reports have every report once, also with equal times', async (status) => {
    program.clock.advance(3600);
    const ids: string[] = [];
    for (let count = 0; count <= CLAIMS_PER_PAGE; count += 5) {
      const ordering = await newOrderingCustomer(program);
      const other = { ...ordering, orderid: (await place(ordering)).orderid };
      for (let number = 1; number <= 5; number += 1)
        ids.push((await report({ message: `Report ${number}`, kind: 'amount' }, other)).claimid);
    }
    if (status === 'settled') for (const claimid of ids) await settle(claimid, 0);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list({ status, kind: 'amount', ...(cursor && { cursor }) });
      found.push(...page.claims.map(({ claimid }) => claimid));
      cursor = page.next;
    }
    expect(new Set(found).size).toBe(found.length);
    expect(ids.filter((id) => !found.includes(id))).toEqual([]);
  });
});

describe('photos', () => {
  test('are served to the people who may see reports, and to no one else', async () => {
    const photo = await uploadedPhoto(customer.caller);
    const unsent = await uploadedPhoto(customer.caller);
    await report({ photos: [photo] });
    const { statusCode, headers } = await operator.caller.get(deskPhotoPath(photo).slice(1));
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/jpeg', 'no-store']);
    expect((await operator.caller.get(deskPhotoPath(unsent).slice(1))).statusCode).toBe(404);
    const rider = await newStaff(program, 'rider');
    expect((await rider.caller.get(deskPhotoPath(photo).slice(1))).statusCode).toBe(403);
    const { caller: stranger } = await newCustomer(program);
    expect((await stranger.get(deskPhotoPath(photo).slice(1))).statusCode).toBe(401);
  });
});

test('a person answers and assigns a report fifty times a day, and an equal answer does not count', async () => {
  const { claimid } = await report();
  const answered = (answer: string, { caller } = operator) => caller.send(answerDeskClaim, { claimid, answer });
  const tooMany = { response: 'error', code: 'too-many-answers', params: { max: MAX_ANSWERS_PER_DAY } };
  expect(await answered('We are looking for it.')).toMatchObject({ response: 'success' });
  const setAnswersToday = (taken: number) =>
    program.db.updateTable('limit_windows').set({ taken }).where('name', '=', 'answers to a report by a person').execute();
  await setAnswersToday(MAX_ANSWERS_PER_DAY - 1);
  expect(await answered('We found it.')).toMatchObject({ response: 'success' });
  expect(await answered('We found it.')).toMatchObject({ response: 'success' });
  expect(await answered('Here it is.')).toMatchObject(tooMany);
  expect(await operator.caller.send(assignDeskClaim, { claimid, person: operator.personid })).toMatchObject(tooMany);
  const { data } = await customer.caller.send(getClaims, { userid: customer.userid, orderid: customer.orderid });
  expect(data?.[0]?.messages.at(-1)?.message).toBe('We found it.');
  expect(await answered('Here it is.', await newStaff(program, 'operator'))).toMatchObject({ response: 'success' });
  await program.db
    .updateTable('staff_sessions')
    .set({ expires_at: new Date('2030-01-01') })
    .execute();
  program.clock.advance(DAY_SECONDS);
  expect(await answered('Is it there?')).toMatchObject({ response: 'success' });
});
