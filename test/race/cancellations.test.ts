/** Cancellations against weighings, payments and each other, through two processes. */
import { expect, test } from 'vitest';
import { cancelOrder, getOrder, reschedule, undoCancel } from '../../src/domains/orders/contract.ts';
import * as cancelling from '../../src/domains/orders/cancelling-service.server.ts';
import * as orders from '../../src/domains/orders/service.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { payWithWallet } from '../../src/domains/payments/contract.ts';
import { readPaidPaise } from '../../src/domains/payments/store.server.ts';
import { auditLedger, creditWallet, isSound } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { transaction } from '../../src/db/database.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { size } from '../support/size.ts';
import { useTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const ROUNDS = size({ small: 8, full: 150 });
const AT_ONCE = 6;
/** Half of 2.64 kg at ₹38. */
const HALF = asPaise(5016);

const twoProcesses = useTestEnvironment(2);

async function ordered(environment: TestEnvironment) {
  const customer = await newOrderingCustomer(environment);
  return { ...customer, ...(await place(customer)) };
}

async function debtor(environment: TestEnvironment) {
  const who = await ordered(environment);
  const now = environment.clock.now();
  await orders.weighOrder(environment.db, who.orderid, 2640, 3, environment.clock.now());
  await orders.moveOrder(environment.db, who.orderid, 'queue', now);
  const credit = { customerId: who.userid, kind: 'promotion', reason: 'A test', reference: `test:${who.userid}`, at: now } as const;
  await creditWallet(environment.db, { ...credit, amountPaise: HALF });
  return who;
}
type Ordered = Awaited<ReturnType<typeof ordered>>;

const laundryOf = ({ db }: TestEnvironment) => ({ db, readPaidPaise });
const stageOf = async ({ caller, orderid }: Ordered) => (await caller.send(getOrder, { orderid })).data?.[0]?.washing_stage;
const atOnce = <Result>(run: () => Promise<Result>) => Promise.all(Array.from({ length: AT_ONCE }, run));

test(`${ROUNDS} times: of a cancellation, a weighing and a new pickup day, the order keeps one state`, { timeout: 300_000 }, async () => {
  const environment = twoProcesses();
  for (let round = 0; round < ROUNDS; round += 1) {
    const who = await ordered(environment);
    const { orderid } = who;
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const [cancelled, weighed] = await Promise.all([
      who.caller.send(cancelOrder, { orderid }),
      orders.weighOrder(environment.db, orderid, 2640, 3, environment.clock.now()),
      who.caller.send(reschedule, { orderid, pickup_date: day }),
    ]);
    expect([
      ['success', 'wrong-stage', 'cancelled'],
      ['error', 'done', 'pickup'],
    ]).toContainEqual([cancelled.response, weighed, await stageOf(who)]);
  }
});

test(
  `${ROUNDS} times: cancelled ${AT_ONCE} times during payments, everything paid is in the wallet once`,
  { timeout: 300_000 },
  async () => {
    const environment = twoProcesses();
    const { db, clock } = environment;
    for (let round = 0; round < ROUNDS; round += 1) {
      const who = await debtor(environment);
      const { orderid } = who;
      const cash = { orderid, method: 'cash', amountPaise: HALF } as const;
      const [cancelled, paid, received] = await Promise.all([
        atOnce(() => cancelling.cancelOrder(laundryOf(environment), laundryCommand(), { orderid }, clock.now())),
        who.caller.send(payWithWallet, { orderid, walletpayment: HALF }),
        transaction(db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, clock.now())),
      ]);
      expect(new Set(cancelled.map(({ status }) => status))).toEqual(new Set(['cancelled']));
      expect(await stageOf(who)).toBe('cancelled');
      expect(paid.response === 'success' || paid.code === 'order-cancelled').toBe(true);
      expect(['recorded', 'exceeds-unpaid']).toContain(received.status);
      expect(await readBalance(db, who.userid)).toBe(HALF + (received.status === 'recorded' ? HALF : 0));
    }
    expect(isSound(await auditLedger(db))).toBe(true);
  },
);

test(`${ROUNDS} times: cancelled, undone and the refund spent at once: the amounts agree`, { timeout: 300_000 }, async () => {
  const environment = twoProcesses();
  const { db, clock } = environment;
  for (let round = 0; round < ROUNDS; round += 1) {
    const who = await debtor(environment);
    const other = { ...who, ...(await place(who, { detergent: '' })) };
    await orders.weighOrder(db, other.orderid, 2640, 3, clock.now());
    await orders.moveOrder(db, other.orderid, 'queue', clock.now());
    await who.caller.send(payWithWallet, { orderid: who.orderid, walletpayment: HALF });
    await cancelling.cancelOrder(laundryOf(environment), laundryCommand(), { orderid: who.orderid }, clock.now());
    const [undone, spent] = await Promise.all([
      atOnce(() => cancelling.undoCancellation(laundryOf(environment), laundryCommand(), who.orderid, clock.now())),
      who.caller.send(payWithWallet, { orderid: other.orderid, walletpayment: HALF }),
    ]);
    const statuses = new Set(undone.map(({ status }) => status));
    expect([
      [['active'], 'error', 'queue'],
      [['spent'], 'success', 'cancelled'],
    ]).toContainEqual([[...statuses], spent.response, await stageOf(who)]);
    expect(await readBalance(db, who.userid)).toBe(0);
  }
  expect(isSound(await auditLedger(db))).toBe(true);
});

test('customers who cancel and undo at once through two processes always have one state', { timeout: 120_000 }, async () => {
  const environment = twoProcesses();
  for (let round = 0; round < ROUNDS; round += 1) {
    // A customer may change orders 60 times a day.
    const who = await ordered(environment);
    const { orderid } = who;
    const results = await Promise.all([
      ...Array.from({ length: AT_ONCE }, () => who.caller.send(cancelOrder, { orderid })),
      ...Array.from({ length: AT_ONCE }, () => who.caller.send(undoCancel, { orderid })),
    ]);
    expect(results.map(({ response }) => response)).toEqual(results.map(() => 'success'));
    const [order] = (await who.caller.send(getOrder, { orderid })).data ?? [];
    expect([
      ['cancelled', true],
      ['pickup', false],
    ]).toContainEqual([order?.washing_stage, order?.undo_seconds !== null]);
  }
});
