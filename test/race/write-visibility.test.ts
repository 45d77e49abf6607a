/**
 * A write through one process is visible to the other at once (docs/security.md, R6, with O9, M5,
 * I1 and R5): processes cache no prices, amounts or sessions. In each test both processes have read
 * the data before, and both read it again.
 */
import { toErrorMessage } from '../../src/contract/errors.ts';
import { fail } from '../../src/contract/route.server.ts';
import type { Envelope } from '../../src/contract/define-call.ts';
import type { ErrorMessage } from '../../src/i18n/messages.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { transaction } from '../../src/db/database.server.ts';
import { logout } from '../../src/domains/accounts/contract.ts';
import { addAddress, deleteAddress } from '../../src/domains/addresses/contract.ts';
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { setRate, setSurcharge } from '../../src/domains/catalogue/service.server.ts';
import { grantOffer } from '../../src/domains/offers/service.server.ts';
import { addOrder, orderError, orderMessages, type OrderRequest } from '../../src/domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { getOrderPayments, paymentError, paymentMessages, payWithWallet, walletPayment } from '../../src/domains/payments/contract.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { SESSION_DAYS } from '../../src/domains/sessions/authentication.server.ts';
import { getTransactions } from '../../src/domains/wallet/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { DAY_SECONDS, addSeconds } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { rows } from '../matrix/rows.ts';
import { testAccessMatrix } from '../matrix/access-matrix.ts';
import { newParties, type Parties } from '../matrix/parties.ts';
import { home, newOrderingCustomer, place, type OrderingCustomer } from '../support/ordering.ts';
import { newSession } from '../support/seed-customers.ts';
import { useProcesses } from '../support/program.ts';
import { size } from '../support/size.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const program = useProcesses(2, { BOT_CHECK: 'off' });

/** Sends the request to each of the two processes: requests alternate. */
const throughBoth = async <Result>(send: () => Promise<Result>): Promise<[Result, Result]> => [await send(), await send()];
const twice = <Value>(value: Value) => [value, value];

/** The text of a success, or the error of a failure. */
const outcomeOf = (response: Envelope<unknown>) => (response.response === 'success' ? response.message : toErrorMessage(response));

const order = async ({ caller, order }: OrderingCustomer, change: Partial<OrderRequest>) =>
  outcomeOf(await caller.send(addOrder, { ...order, ...change }, { idempotencyKey: newId() }));

describe('I1: access to calls about money', () => {
  let parties: Parties;
  beforeEach(async () => {
    parties = await newParties(program);
  });
  const moneyRows = rows.filter(({ title }) => /^(?:combinedata\/(?:wallet|pay)|payments|offers|transactions|orders)/.test(title));
  testAccessMatrix(program, size({ small: moneyRows, full: rows }), () => parties);
});

test('O9: only the current offer applies: after a grant, a newer grant, and expiry', async () => {
  const meera = await newOrderingCustomer(program);
  const grant = (percent: number) => {
    const now = program.clock.now();
    return grantOffer(
      program.db,
      { customerId: meera.userid, percent, validDays: 7, reason: 'A test', startsAt: addSeconds(now, -60) },
      now,
    );
  };
  const displayedRates = (offerid?: string, percent = 0) => ({ offerid, offerrate: percent, orderrate: asPaise(38 * (100 - percent)) });
  const expectOnly = async (right: Partial<OrderRequest>, ...wrong: Partial<OrderRequest>[]) => {
    expect(await throughBoth(() => order(meera, right))).toEqual(twice(orderMessages.placed));
    for (const change of wrong) expect(await throughBoth(() => order(meera, change))).toEqual(twice(orderError('offer-changed')));
  };

  await expectOnly(displayedRates());
  const first = displayedRates(await grant(15), 15);
  await expectOnly(first, displayedRates());
  program.clock.advance(1);
  const second = displayedRates(await grant(30), 30);
  await expectOnly(second, first, displayedRates());
  program.clock.advance(8 * DAY_SECONDS);
  await expectOnly(displayedRates(), first, second);
});

test('O9: a changed rate or surcharge applies and is returned', async () => {
  onTestFinished(async () => {
    await setRate(program.db, 'wash', asPaise(3800));
    await setSurcharge(program.db, 'wash', 'vatika', asPaise(1000));
  });
  const meera = await newOrderingCustomer(program);
  const { data: inVatika } = await meera.caller.send(addAddress, home);
  const addressids = { manesar: meera.order.addressid, vatika: inVatika?.addressid };
  const at = (area: 'manesar' | 'vatika', rate: number) => ({
    area,
    addressid: addressids[area],
    programrate: asPaise(rate),
    orderrate: asPaise(rate),
  });
  const shown = async () => {
    const { data } = await program.caller().send(programsAndReviews, {});
    return data?.variations.filter(({ programid }) => programid === 'wash').map(({ area, rate }) => ({ area, rate }));
  };
  const expectRates = async (manesar: number, vatika: number, ...before: ReturnType<typeof at>[]) => {
    const both = [
      { area: 'manesar', rate: manesar },
      { area: 'vatika', rate: vatika },
    ];
    expect(await throughBoth(shown)).toEqual(twice(both));
    for (const right of [at('manesar', manesar), at('vatika', vatika)])
      expect(await throughBoth(() => order(meera, right))).toEqual(twice(orderMessages.placed));
    for (const stale of before) expect(await throughBoth(() => order(meera, stale))).toEqual(twice(orderError('rates-changed')));
  };

  await expectRates(3800, 4800);
  await setRate(program.db, 'wash', asPaise(3950));
  await expectRates(3950, 4950, at('manesar', 3800), at('vatika', 4800));
  await setSurcharge(program.db, 'wash', 'vatika', asPaise(500));
  await expectRates(3950, 4450, at('vatika', 4950));
});

test('O9: a deleted address is rejected', async () => {
  const meera = await newOrderingCustomer(program);
  const { data } = await meera.caller.send(addAddress, { ...home, userid: meera.userid });
  const there = { addressid: data?.addressid };
  expect(await throughBoth(() => order(meera, there))).toEqual(twice(orderMessages.placed));
  await meera.caller.send(deleteAddress, { userid: meera.userid, addressid: data?.addressid ?? '' });
  expect(await throughBoth(() => order(meera, there))).toEqual(twice(orderError('unknown-address')));
});

/** Creates a customer with ₹200 and a weighed order of ₹286.14, whose half is ₹143.07. */
async function payer() {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  const { userid: customerId } = customer;
  const credit = { kind: 'promotion', amountPaise: asPaise(20_000), reason: 'A test', reference: `test:${customerId}` } as const;
  await creditWallet(program.db, { ...credit, customerId, at: program.clock.now() });
  // Later entries must have a later time: at the same time the order depends on the id.
  program.clock.advance(1);
  return { ...customer, orderid };
}
type Payer = Awaited<ReturnType<typeof payer>>;

const HALF = asPaise(14_307);
const pay = ({ caller, userid, orderid }: Payer) => caller.send(payWithWallet, { userid, orderid, walletpayment: HALF, walletbalance: 0 });
const readWalletPayment = ({ caller, userid, orderid }: Payer) => caller.send(walletPayment, { userid, orderid });

/** Returns wallet, transactions and rest as a process returns them. */
const readAmounts = async ({ caller, userid, orderid }: Payer) => ({
  wallet: (await caller.send(getUserDetails, { token: userid })).data?.wallet,
  amounts: (await caller.send(getTransactions, { userid })).data?.map(({ t_amount }) => t_amount),
  rest: (await caller.send(getOrderPayments, { userid, orderid })).data?.rest,
});
const readAmountsThroughBoth = async (who: Payer) => {
  // An odd number of requests, so each goes to the other process the second time.
  const [one, other] = await throughBoth(() => readAmounts(who));
  expect(other).toEqual(one);
  return one;
};

test('M5: both processes show an order that was paid through one', async () => {
  const who = await payer();
  expect(await throughBoth(() => readWalletPayment(who))).toMatchObject(
    twice({ message: paymentMessages.payable, data: [{ wallet: 20_000 }] }),
  );
  expect(await readAmountsThroughBoth(who)).toEqual({ wallet: 20_000, amounts: [20_000], rest: 28_614 });
  expect(await pay(who)).toMatchObject({ response: 'success' });
  expect(await throughBoth(() => readWalletPayment(who))).toMatchObject(
    twice({ message: 'Already Paid', data: [{ wallet: 5693, walletpayment: HALF, already_paid: true }] }),
  );
  expect(await throughBoth(() => pay(who))).toMatchObject(twice({ response: 'error', code: 'already-paid', message: 'Already Paid' }));
  expect(await readAmountsThroughBoth(who)).toEqual({ wallet: 5693, amounts: [HALF, 20_000], rest: 14_307 });
});

test.each<[string, (who: Payer) => Promise<unknown>, ErrorMessage]>([
  [
    'paid in cash',
    ({ orderid }) =>
      transaction(program.db, (tx) =>
        recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: asPaise(14_308) }, program.clock.now()),
      ),
    paymentError('nothing-to-pay'),
  ],
  [
    'delivered',
    async ({ orderid }) => {
      for (const stage of ['washing', 'delivery', 'delivered'] as const)
        await moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
    },
    paymentError('order-delivered'),
  ],
])('M5: an order that was %s debits nothing from the wallet, although both processes have read it', async (_what, change, error) => {
  const who = await payer();
  expect(await throughBoth(() => readWalletPayment(who))).toMatchObject(twice({ message: paymentMessages.payable }));
  await change(who);
  expect(await throughBoth(() => readWalletPayment(who))).toEqual(twice(fail(error)));
  expect(await throughBoth(() => pay(who))).toEqual(twice(fail(error)));
  expect(await readAmountsThroughBoth(who)).toMatchObject({ wallet: 20_000, amounts: [20_000] });
});

describe('I1, R5: an ended session', () => {
  const statusOf = async ({ caller, userid, orderid, order }: Payer) => {
    const body = { userid, orderid, walletpayment: 1, walletbalance: 0 };
    const paths = [
      'combinedata/walletpayment',
      'combinedata/paywithwallet',
      'transactions/gettransaction.php',
      'offers/getoffertransaction',
    ];
    const ordering = caller.post('orders/addorder', { ...order, programrate: 1, orderrate: 1 });
    return Promise.all([ordering, ...paths.map((path) => caller.post(path, body))].map(async (response) => (await response).statusCode));
  };
  const atBothOf = async (who: Payer) => new Set((await throughBoth(() => statusOf(who))).flat());

  test('is rejected by both after a log-out everywhere from another browser', async () => {
    const who = await payer();
    const other = { ...who, caller: await newSession(program, who.userid, 'customer') };
    expect(await atBothOf(other)).toEqual(new Set([200]));
    await who.caller.send(logout, { everywhere: true });
    expect(await atBothOf(other)).toEqual(new Set([401]));
  });

  test('is rejected by both after its thirty days, exact to the millisecond', async () => {
    const startedAt = program.clock.now();
    const who = await payer();
    const end = addSeconds(startedAt, SESSION_DAYS * DAY_SECONDS);
    program.clock.set(new Date(end.getTime() - 1));
    expect(await atBothOf(who)).toEqual(new Set([200]));
    program.clock.set(end);
    expect(await atBothOf(who)).toEqual(new Set([401]));
    program.clock.set(startedAt);
  });
});
