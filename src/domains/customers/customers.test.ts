/** The staff looks customers up, and gives credits and offers within limits. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { newId } from '../../lib/ids.ts';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { newKey } from '../../../test/support/caller.ts';
import { moveOutForDelivery, newOrderingCustomer, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newGuest, randomMobile } from '../../../test/support/seed-customers.ts';
import { newStaff, newStaffSession, type TestStaff } from '../../../test/support/staff.ts';
import { getOffers } from '../offers/contract.ts';
import { getOrder } from '../orders/contract.ts';
import { cancelOrder } from '../orders/cancelling-service.server.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { payWithWallet, walletPayment } from '../payments/contract.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { getTransactions } from '../wallet/contract.ts';
import { readBalance } from '../wallet/store.server.ts';
import {
  MAX_OPERATOR_OFFERS_PER_DAY,
  MAX_OPERATOR_OFFER_DAYS,
  endOffer,
  getDeskCustomer,
  grant,
  payOut,
  reverse,
  type Grant,
  type GRANTED_CREDITS,
} from './desk/contract.ts';

const program = useProgram({ OPERATOR_CREDITS_A_DAY: '300', OPERATOR_OFFER_PERCENT: '20' });

let owner: TestStaff;
let operator: TestStaff;
let customer: OrderingCustomer;
beforeEach(async () => {
  owner = await newStaff(program, 'owner');
  operator = await newStaff(program, 'operator');
  customer = await newOrderingCustomer(program);
});

const credit = (rupees: number, change: Partial<Extract<Grant, { kind: (typeof GRANTED_CREDITS)[number] }>> = {}) =>
  ({ kind: 'cashback', mobile: customer.mobile, amount: asPaise(rupees * 100), reason: 'A long wait', ...change }) as const;
const offer = (percent: number, days: number) => ({ kind: 'offer', mobile: customer.mobile, percent, days, reason: 'A birthday' }) as const;
const give = (body: Grant, { caller } = owner) => caller.send(grant, body, newKey());
const lookUp = async ({ caller } = owner, mobile = customer.mobile) => caller.send(getDeskCustomer, { mobile });

const auditOf = (subject: string) =>
  program.db.selectFrom('staff_audit').select(['action', 'staff_id', 'after']).where('subject_id', '=', subject).orderBy('id').execute();

describe('the look-up', () => {
  test('has name, orders, wallet, movements and offers, and is in the audit', async () => {
    const { orderid } = await place(customer);
    await give(credit(120));
    await give(offer(10, 7));
    program.clock.advance(1);
    const { data } = await lookUp(operator);
    expect(data).toMatchObject({
      name: 'Meera',
      mobile: customer.mobile,
      is_guest: false,
      wallet: 12_000,
      wallet_promotional: 12_000,
      orders: [{ orderid, stage: 'pickup' }],
      has_more_orders: false,
      transactions: [{ kind: 'cashback', amount: 12_000, reason: 'A long wait', orderid: null, reversal: null, is_reversible: true }],
      offers: [{ percent: 10, days: 7, is_active: true, reason: 'A birthday' }],
    });
    expect((await auditOf(customer.mobile)).at(-1)).toEqual({
      action: 'look-up-customer',
      staff_id: operator.personid,
      after: { is_known: true },
    });
  });

  test('finds a guest, and no stranger; both look-ups are in the audit', async () => {
    const { mobile } = await newGuest(program);
    expect((await lookUp(operator, mobile)).data).toMatchObject({ name: null, is_guest: true, wallet: 0, orders: [], transactions: [] });
    const unknown = randomMobile();
    expect(await lookUp(operator, unknown)).toMatchObject({ response: 'error', code: 'unknown-customer' });
    expect([...(await auditOf(mobile)), ...(await auditOf(unknown))]).toMatchObject([
      { action: 'look-up-customer', after: { is_known: true } },
      { action: 'look-up-customer', after: { is_known: false } },
    ]);
  });
});

test('the look-up has what an operator may still give today, and no limit for an owner', async () => {
  expect((await lookUp(owner)).data?.limits).toBeNull();
  await give(credit(120), operator);
  expect((await lookUp(operator)).data?.limits).toEqual({ credits_today: 18_000, offer_percent: 20, offer_days: MAX_OPERATOR_OFFER_DAYS });
});

describe('a credit', () => {
  test('reaches the wallet once for each key, with an audit row', async () => {
    const key = newKey();
    const first = await owner.caller.send(grant, credit(250), key);
    expect(first).toMatchObject({ response: 'success', data: { entry: { kind: 'cashback', amount: 25_000 }, offer: null } });
    expect(await owner.caller.send(grant, credit(250), key)).toEqual(first);
    expect(await readBalance(program.db, customer.userid)).toBe(25_000);
    // The same words again are another credit.
    await give(credit(250));
    expect(await readBalance(program.db, customer.userid)).toBe(50_000);
    expect(await auditOf(customer.mobile)).toMatchObject([
      { action: 'grant-credit', staff_id: owner.personid, after: { kind: 'cashback', amount_paise: 25_000, reason: 'A long wait' } },
      { action: 'grant-credit' },
    ]);
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('needs a key', async () => {
    const before = await dumpDatabase(program, ['staff_audit']);
    const refused = { status: 400, code: 'staff-key-required' };
    await expect(owner.caller.send(grant, credit(1))).rejects.toMatchObject(refused);
    await expect(owner.caller.send(reverse, { entryid: 'any', reason: 'A mistake' })).rejects.toMatchObject(refused);
    expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
  });

  test('of an operator has a limit for the day, whatever its kind', async () => {
    expect(await give(credit(200, { kind: 'compensation' }), operator)).toMatchObject({ response: 'success' });
    expect(await give(credit(100.01), operator)).toMatchObject({ code: 'over-daily-credits', params: { left: '100' } });
    expect(await give(credit(100, { kind: 'promotion' }), operator)).toMatchObject({ response: 'success' });
    expect(await give(credit(0.01), operator)).toMatchObject({ code: 'over-daily-credits' });
    expect(await readBalance(program.db, customer.userid)).toBe(30_000);
    expect(await give(credit(10_000))).toMatchObject({ response: 'success' });
  });

  test('counts in the limit of the day without the trigger for older versions', async () => {
    const trigger = (state: string) => sql`alter table staff_audit ${sql.raw(state)} trigger staff_audit_copies_credit`.execute(program.db);
    await trigger('disable');
    onTestFinished(async () => {
      await trigger('enable');
    });
    await give(credit(200), operator);
    expect((await lookUp(operator)).data?.limits).toMatchObject({ credits_today: 10_000 });
  });

  test('of an older version, which writes only the audit, counts in the limit of the day', async () => {
    const at = program.clock.now();
    const written = (action: string, after: object) =>
      sql`insert into staff_audit (at, staff_id, action, subject_kind, subject_id, after)
        values (${at}, ${operator.personid}, ${action}, 'customer', ${customer.mobile}, ${JSON.stringify(after)}::jsonb)`.execute(
        program.db,
      );
    await written('grant-credit', { amount_paise: 4000 });
    await written('weigh-order', { credited_paise: 9000, own_money_paise: 2000, amount_paise: 1 });
    await written('cancel-order', { credited_paise: 500, own_money_paise: 500 });
    await written('settle-claim', { amount_paise: 0 });
    await written('move-order', { stage: 'queue' });
    await written('reverse-grant', { reversed_paise: 100 });
    expect((await lookUp(operator)).data?.limits).toMatchObject({ credits_today: 30_000 - 4000 - 7000 });
    await give(credit(1), operator);
    expect((await lookUp(operator)).data?.limits).toMatchObject({ credits_today: 30_000 - 4000 - 7000 - 100 });
  });

  test.each([0, -1, 10_000.01])('is not ₹%d', async (rupees) => {
    // The refusal is stored, as the response to a repeated request.
    const before = await dumpDatabase(program, ['staff_answers', 'staff_audit']);
    expect(await give(credit(rupees))).toMatchObject({ response: 'error', code: 'impossible-credit' });
    expect(await dumpDatabase(program, ['staff_answers', 'staff_audit'])).toBe(before);
  });

  test('reaches no guest, no stranger and not the own mobile', async () => {
    const self = await newStaff(program, 'owner', { mobile: customer.mobile });
    expect(await give(credit(1), self)).toMatchObject({ code: 'own-mobile' });
    expect(await give(offer(1, 1), self)).toMatchObject({ code: 'own-mobile' });
    const { mobile } = await newGuest(program);
    expect(await give(credit(1, { mobile }))).toMatchObject({ code: 'customer-without-account' });
    expect(await give(credit(1, { mobile: randomMobile() }))).toMatchObject({ code: 'customer-without-account' });
    expect(await readBalance(program.db, customer.userid)).toBe(0);
  });

  test('needs a reason', async () => {
    const { statusCode } = await owner.caller.post(grant.path, { ...credit(1), reason: 'no' }, { 'idempotency-key': newId() });
    expect(statusCode).toBe(400);
  });
});

describe('an offer', () => {
  test('is the customer’s, and an operator has limits', async () => {
    expect(await give(offer(21, 7), operator)).toMatchObject({ code: 'offer-above-limit', params: { percent: 20, days: 31 } });
    expect(await give(offer(20, MAX_OPERATOR_OFFER_DAYS + 1), operator)).toMatchObject({ code: 'offer-above-limit' });
    expect(await give(offer(20, MAX_OPERATOR_OFFER_DAYS), operator)).toMatchObject({
      response: 'success',
      data: { entry: null, offer: { percent: 20 } },
    });
    expect(await give(offer(100, 3650))).toMatchObject({ response: 'success' });
    const { data } = await customer.caller.send(getOffers, { userid: customer.userid });
    expect(data?.map(({ offer_rate }) => offer_rate).toSorted()).toEqual([100, 20]);
  });

  test.each([
    [0, 7],
    [101, 7],
    [10, 0],
    [10, 3651],
  ])('is not %d %% for %d days', async (percent, days) => {
    expect(await give(offer(percent, days))).toMatchObject({ code: 'impossible-offer' });
  });
});

describe('offers of an operator', () => {
  const newRecipients = (count: number) => Promise.all(Array.from({ length: count }, () => newOrderingCustomer(program)));
  const offerTo = ({ mobile }: OrderingCustomer) => ({ ...offer(10, 7), mobile });
  const resultOf = ({ response, ...refused }: { response: string; code?: string }) => refused.code ?? response;

  test('have a limit for the day, also together, and an owner has none', async () => {
    const recipients = await newRecipients(MAX_OPERATOR_OFFERS_PER_DAY + 3);
    const results = await Promise.all(recipients.map((recipient) => give(offerTo(recipient), operator)));
    const counts = Map.groupBy(results.map(resultOf), (result) => result);
    expect(counts.get('success')).toHaveLength(MAX_OPERATOR_OFFERS_PER_DAY);
    expect(counts.get('over-daily-offers')).toHaveLength(3);
    expect(await give(offer(10, 7))).toMatchObject({ response: 'success' });
    expect(await give(offer(10, 7), await newStaff(program, 'operator'))).toMatchObject({ response: 'success' });
    program.clock.advance(DAY_SECONDS);
    expect(await give(offer(10, 7), { ...operator, caller: await newStaffSession(program, operator.personid) })).toMatchObject({
      response: 'success',
    });
  });

  test('do not replace a better active offer, and an owner’s do', async () => {
    await give(offer(50, 7));
    program.clock.advance(1);
    expect(await give(offer(20, 7), operator)).toMatchObject({ code: 'better-offer-active', params: { percent: 50 } });
    expect(await give(offer(1, 1))).toMatchObject({ response: 'success' });
    program.clock.advance(1);
    // The newest applies: the operator replaces an offer of 1 %.
    expect(await give(offer(20, 7), operator)).toMatchObject({ response: 'success' });
  });
});

describe('the end of an offer', () => {
  const offeridOf = async (percent: number) => (await give(offer(percent, 7))).data?.offer?.offerid ?? '';
  const end = (offerid: string, { caller } = owner) => caller.send(endOffer, { offerid, reason: 'The wrong number' }, newKey());

  test('takes the offer from the customer, once, with an audit row, and the older one applies again', async () => {
    await give(offer(10, 7));
    program.clock.advance(1);
    const offerid = await offeridOf(50);
    program.clock.advance(1);
    expect(await end(offerid)).toMatchObject({ response: 'success', data: { offerid, is_active: false, can_end: false } });
    expect(await end(offerid)).toMatchObject({ code: 'offer-ended' });
    const { data } = await customer.caller.send(getOffers, { userid: customer.userid });
    expect(data?.map(({ offer_rate }) => offer_rate)).toEqual([10]);
    expect(await place(customer, { offerid: data?.[0]?.offerid, offerrate: 10, orderrate: asPaise(3420) })).toMatchObject({
      offerrate: 10,
    });
    expect((await auditOf(customer.mobile)).at(-1)).toMatchObject({
      action: 'end-offer',
      staff_id: owner.personid,
      after: { offer: offerid, percent: 50 },
    });
    expect((await lookUp()).data?.offers.map(({ percent, is_active, can_end }) => [percent, is_active, can_end])).toEqual([
      [50, false, false],
      [10, true, true],
    ]);
  });

  test('keeps the offer of an order that was placed with it', async () => {
    const offerid = await offeridOf(50);
    program.clock.advance(1);
    const { orderid } = await place(customer, { offerid, offerrate: 50, orderrate: asPaise(1900) });
    await end(offerid);
    const { data } = await customer.caller.send(getOrder, { orderid });
    expect(data?.[0]).toMatchObject({ offerid, offer_rate: 50 });
  });

  test('happens once if two owners end it at the same time', async () => {
    const offerid = await offeridOf(50);
    const other = await newStaff(program, 'owner');
    const results = await Promise.all([end(offerid), end(offerid, other)]);
    expect(results.map(({ response }) => response).toSorted()).toEqual(['error', 'success']);
  });

  test('is refused for an offer that is over, an unknown one and an operator', async () => {
    const offerid = await offeridOf(50);
    await expect(end(offerid, operator)).rejects.toMatchObject({ status: 403 });
    expect(await end('unknown')).toMatchObject({ code: 'offer-not-found' });
    program.clock.advance(8 * DAY_SECONDS);
    expect(await end(offerid, await newStaff(program, 'owner'))).toMatchObject({ code: 'offer-ended' });
  });
});

describe('a reversal', () => {
  const entryOf = async (rupees: number) => (await give(credit(rupees))).data?.entry?.entryid ?? '';
  const send = (entryid: string) => owner.caller.send(reverse, { entryid, reason: 'The wrong number' }, newKey());

  test('gives the amount back to the limit of the day', async () => {
    const limits = async () => (await operator.caller.send(getDeskCustomer, { mobile: customer.mobile })).data?.limits;
    const before = await limits();
    const { data } = await operator.caller.send(grant, credit(80), newKey());
    expect(await limits()).not.toEqual(before);
    expect(await send(data?.entry?.entryid ?? '')).toMatchObject({ response: 'success' });
    expect(await limits()).toEqual(before);
  });

  test('takes the whole credit back, once', async () => {
    const entryid = await entryOf(80);
    program.clock.advance(1);
    expect(await send(entryid)).toMatchObject({ data: { entryid, reversal: { reason: 'The wrong number' }, is_reversible: false } });
    expect(await readBalance(program.db, customer.userid)).toBe(0);
    expect(await send(entryid)).toMatchObject({ code: 'credit-reversed' });
    expect((await lookUp()).data?.transactions.map(({ amount, is_reversible }) => [amount, is_reversible])).toEqual([
      [-8000, false],
      [8000, false],
    ]);
    expect((await auditOf(customer.mobile)).map(({ action }) => action)).toEqual(['grant-credit', 'reverse-grant', 'look-up-customer']);
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('is refused for what the customer has spent, for payments and for unknown movements', async () => {
    const entryid = await entryOf(80);
    program.clock.advance(1);
    const { orderid } = await place(customer);
    await moveOutForDelivery(program, orderid);
    const { message } = await customer.caller.send(payWithWallet, {
      userid: customer.userid,
      orderid,
      walletpayment: asPaise(3800),
      walletbalance: asPaise(8000),
    });
    expect(message).toContain('Paid ₹38');
    expect(await send(entryid)).toMatchObject({ code: 'credit-spent', params: { balance: '42', amount: '80' } });
    const [paid] = (await lookUp()).data?.transactions ?? [];
    expect(paid).toMatchObject({ kind: 'paid', amount: -3800, orderid, is_reversible: false });
    expect(await send(paid?.entryid ?? '')).toMatchObject({ code: 'not-a-grant' });
    expect(await send('unknown')).toMatchObject({ code: 'entry-not-found' });
    expect(await readBalance(program.db, customer.userid)).toBe(4200);
  });
});

describe('a payout', () => {
  const send = (rupees: number, { caller } = owner, mobile = customer.mobile) =>
    caller.send(payOut, { mobile, amount: asPaise(Math.round(rupees * 100)), reason: 'By UPI, 4711' }, newKey());

  test('debits the wallet once for each key, with an audit row, and the customer reads why', async () => {
    await give(credit(80, { kind: 'compensation' }));
    program.clock.advance(1);
    const body = { mobile: customer.mobile, amount: asPaise(5000), reason: 'By UPI, 4711' };
    const key = newKey();
    const first = await owner.caller.send(payOut, body, key);
    expect(first).toMatchObject({
      response: 'success',
      data: { kind: 'payout', amount: -5000, reason: 'By UPI, 4711', orderid: null, is_reversible: false },
    });
    expect(await owner.caller.send(payOut, body, key)).toEqual(first);
    expect(await readBalance(program.db, customer.userid)).toBe(3000);
    const { data } = await customer.caller.send(getTransactions, { userid: customer.userid });
    expect(data).toMatchObject([
      { t_type: 'paid', t_amount: 5000, t_order: null, t_cause: null, t_paid_back: 'By UPI, 4711' },
      { t_type: 'compensation', t_amount: 8000, t_paid_back: null },
    ]);
    expect((await auditOf(customer.mobile)).at(-1)).toEqual({
      action: 'pay-out',
      staff_id: owner.personid,
      after: { paid_back_paise: 5000, reason: 'By UPI, 4711', entry: first.data?.entryid },
    });
    // A payout is no credit.
    const undo = owner.caller.send(reverse, { entryid: first.data?.entryid ?? '', reason: 'A mistake' }, newKey());
    expect(await undo).toMatchObject({ code: 'not-a-grant' });
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('is at most the balance, which the look-up shows with its part from promotions', async () => {
    await give(credit(30, { kind: 'promotion' }));
    await give(credit(50, { kind: 'compensation' }));
    expect(await send(80.01)).toMatchObject({ code: 'payout-above-balance', params: { balance: '80' } });
    expect((await lookUp()).data).toMatchObject({ wallet: 8000, wallet_promotional: 3000 });
    expect(await send(60)).toMatchObject({ response: 'success' });
    expect((await lookUp()).data).toMatchObject({ wallet: 2000, wallet_promotional: 2000 });
    // Given after the last debit: no debit can have spent it.
    program.clock.advance(1);
    const { data: late } = await give(credit(50, { kind: 'compensation' }));
    expect((await lookUp()).data).toMatchObject({ wallet: 7000, wallet_promotional: 2000 });
    program.clock.advance(1);
    await owner.caller.send(reverse, { entryid: late!.entry!.entryid, reason: 'A mistake' }, newKey());
    expect((await lookUp()).data).toMatchObject({ wallet: 2000, wallet_promotional: 2000 });
    expect(await send(20)).toMatchObject({ response: 'success' });
    expect(await send(0.01)).toMatchObject({ code: 'payout-above-balance', params: { balance: '0' } });
    expect((await lookUp()).data).toMatchObject({ wallet: 0, wallet_promotional: 0 });
  });

  test('counts as a promotion what an order returns of a wallet payment that a promotion made', async () => {
    await give(credit(200, { kind: 'promotion' }));
    const { orderid } = await place(customer);
    const at = () => program.clock.now();
    await weighOrder(program.db, orderid, 7530, 12, at());
    await moveOrder(program.db, orderid, 'queue', at());
    const { data: part } = await customer.caller.send(walletPayment, { userid: customer.userid, orderid });
    program.clock.advance(1);
    const amount = part![0]!.walletpayment;
    const paid = await customer.caller.send(payWithWallet, { userid: customer.userid, orderid, walletpayment: amount });
    expect(paid).toMatchObject({ response: 'success' });
    program.clock.advance(1);
    const dependencies = { db: program.db, readPaidPaise };
    await cancelOrder(dependencies, laundryCommand(), { orderid }, at());
    expect((await lookUp()).data).toMatchObject({ wallet: 20_000, wallet_promotional: 20_000 });
  });

  test.each([0, -1])('is not ₹%d', async (rupees) => {
    await give(credit(80));
    expect(await send(rupees)).toMatchObject({ response: 'error', code: 'impossible-payout' });
    expect(await readBalance(program.db, customer.userid)).toBe(8000);
  });

  test('is refused to the own mobile, a guest and a stranger', async () => {
    await give(credit(80));
    const self = await newStaff(program, 'owner', { mobile: customer.mobile });
    expect(await send(1, self)).toMatchObject({ code: 'own-mobile' });
    expect(await send(1, owner, (await newGuest(program)).mobile)).toMatchObject({ code: 'customer-without-account' });
    expect(await send(1, owner, randomMobile())).toMatchObject({ code: 'customer-without-account' });
    expect(await readBalance(program.db, customer.userid)).toBe(8000);
  });

  test('needs an owner, a key, a reason and a fresh log-in', async () => {
    await give(credit(80));
    await expect(send(1, operator)).rejects.toMatchObject({ status: 403, code: 'not-permitted' });
    const body = { mobile: customer.mobile, amount: asPaise(100), reason: 'By UPI' };
    await expect(owner.caller.send(payOut, body)).rejects.toMatchObject({ status: 400, code: 'staff-key-required' });
    await expect(owner.caller.send(payOut, { ...body, reason: 'no' }, newKey())).rejects.toThrow();
    program.clock.advance(11 * 60);
    await expect(send(1)).rejects.toMatchObject({ status: 403, code: 'login-too-old' });
    expect(await readBalance(program.db, customer.userid)).toBe(8000);
  });
});
