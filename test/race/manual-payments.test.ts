/** Concurrent payments and reversals by hand: equal ones count once, and money is never lost. */
import { expect, test } from 'vitest';
import { transaction } from '../../src/db/database.server.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { payWithWallet } from '../../src/domains/payments/contract.ts';
import { readOrderWithPayments } from '../../src/domains/payments/queries-service.server.ts';
import { recordManualPaymentOnce, reverseManualPayment } from '../../src/domains/manual-payments/service.server.ts';
import { auditLedger, creditWallet, isSound, reverseGrant } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { useProgram } from '../support/program.ts';
import { size } from '../support/size.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const program = useProgram();
const ROUNDS = size({ small: 5, full: 100 });
const AT_ONCE = 8;

/** The amount of 2.64 kg at ₹38. Half of it is ₹50.16. */
const DUE = asPaise(10_032);
const HALF = asPaise(5016);

async function debtor() {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  await weighOrder(program.db, orderid, 2640, 3, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  return { ...customer, orderid };
}

const receive = (orderid: string, amountPaise = DUE, mayOverpay = false) =>
  transaction(program.db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise, mayOverpay }, program.clock.now()),
  );
const reverse = (reference: string) =>
  reverseManualPayment(program.db, laundryCommand(), { reference, reason: 'A mistake' }, program.clock.now());
const atOnce = <Result>(run: () => Promise<Result>) => Promise.all(Array.from({ length: AT_ONCE }, run));
const statuses = (results: readonly { status: string }[]) => results.map(({ status }) => status).toSorted();
const once = (first: string, others: string) => [...Array.from({ length: AT_ONCE - 1 }, () => others), first].toSorted();

test(
  `${ROUNDS} times: of equal concurrent payments one is recorded, and of equal reversals one reverses`,
  { timeout: 120_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { orderid, userid } = await debtor();
      const overpaid = asPaise(2 * DUE);
      const received = await atOnce(() => receive(orderid, overpaid, true));
      expect(statuses(received)).toEqual(once('recorded', 'already-recorded'));
      expect(await readBalance(program.db, userid)).toBe(DUE);
      const reference = received.flatMap((result) => (result.status === 'recorded' ? [result.reference] : []))[0] ?? '';
      expect(statuses(await atOnce(() => reverse(reference)))).toEqual(once('reversed', 'already-reversed'));
      expect(await readBalance(program.db, userid)).toBe(0);
      expect(await readOrderWithPayments(program.db, orderid)).toMatchObject({ unpaidPaise: DUE });
    }
    expect(isSound(await auditLedger(program.db))).toBe(true);
  },
);

test('concurrent payments of different amounts never exceed what is left', { timeout: 120_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { orderid, userid } = await debtor();
    const results = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => receive(orderid, asPaise(HALF + index))));
    expect(statuses(results)).toEqual(once('recorded', 'exceeds-unpaid'));
    expect(await readBalance(program.db, userid)).toBe(0);
  }
});

test('change that is spent while its payment is reversed: one of the two happens', { timeout: 120_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const who = await debtor();
    const result = await receive(who.orderid, asPaise(DUE + HALF), true);
    const { orderid } = await place(who, { detergent: '' });
    await weighOrder(program.db, orderid, 2640, 3, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    const [paid, reversed] = await Promise.all([
      who.caller.send(payWithWallet, { userid: who.userid, orderid, walletpayment: HALF }),
      reverse(result.status === 'recorded' ? result.reference : ''),
    ]);
    expect([
      ['success', 'change-spent'],
      ['error', 'reversed'],
    ]).toContainEqual([paid.response, reversed.status]);
    expect(await readBalance(program.db, who.userid)).toBe(0);
  }
  expect(isSound(await auditLedger(program.db))).toBe(true);
});

test('of equal concurrent reversals of a grant one reverses', { timeout: 120_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { userid: customerId } = await debtor();
    const at = program.clock.now();
    const credit = { customerId, kind: 'compensation', amountPaise: DUE, reason: 'A test', at } as const;
    const reference = `grant:${newId()}`;
    await creditWallet(program.db, { ...credit, reference });
    // Covers a second reversal, which must not happen.
    await creditWallet(program.db, { ...credit, reference: `test:${newId()}` });
    const results = await atOnce(() => reverseGrant(program.db, { reference, reason: 'A mistake', at }));
    expect(statuses(results)).toEqual(once('reversed', 'already-reversed'));
    expect(await readBalance(program.db, customerId)).toBe(DUE);
  }
});
