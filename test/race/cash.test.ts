/** Payments in cash, their reversals and hand-ins of one person at once, through two processes. */
import { expect, test } from 'vitest';
import { getCash, handIn } from '../../src/domains/cash/desk/contract.ts';
import type { ReversedCash } from '../../src/domains/orders/events-contract.ts';
import { receive, reversePayment } from '../../src/domains/order-desk/desk/contract.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newKey } from '../support/caller.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../support/ordering.ts';
import { size } from '../support/size.ts';
import { newStaff } from '../support/staff.ts';
import { newTestEnvironment } from '../support/test-environment.ts';

const ROUNDS = size({ small: 3, full: 100 });
const PAISE = 1000;

const sum = (amounts: readonly number[]) => amounts.reduce((total, paise) => total + paise, 0);

test(`${ROUNDS} times: payments, reversals and hand-ins at once lose no cash`, { timeout: 180_000 }, async () => {
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(), environment.start()]);
  const { caller: owner } = await newStaff(environment, 'owner');
  for (let round = 0; round < ROUNDS; round += 1) {
    const { caller: rider, personid } = await newStaff(environment, 'rider');
    const { caller: operator, personid: counterid } = await newStaff(environment, 'operator');
    const customers = await Promise.all(Array.from({ length: 4 }, () => newOrderingCustomer(environment)));
    const orderids = await Promise.all(customers.map(async (customer) => (await place(customer)).orderid));
    for (const orderid of orderids) await moveOutForDelivery(environment, orderid);
    const pay = async (orderid: string) =>
      (await rider.send(receive, { orderid, method: 'cash', amount: asPaise(PAISE) }, newKey())).data!.payments[0]!.tid;
    const [first, second] = [await pay(orderids[0]!), await pay(orderids[1]!)];
    const count = () => operator.send(handIn, { personid, counted: asPaise(PAISE) }, newKey());
    const reverse = (tid: string, cash: ReversedCash) => owner.send(reversePayment, { tid, reason: 'A mistake', cash }, newKey());
    await Promise.all([
      count(),
      reverse(first, 'given-back'),
      pay(orderids[2]!),
      count(),
      reverse(second, 'never-received'),
      pay(orderids[3]!),
      count(),
    ]);
    const handins = await environment.db.selectFrom('cash_handins').selectAll().where('holder_id', '=', personid).execute();
    const reversed = await environment.db
      .selectFrom('cash_movements')
      .select('amount_paise')
      .where('kind', '=', 'reversed')
      .where('staff_id', 'in', [personid, counterid])
      .execute();
    const { data } = await owner.send(getCash, {});
    const held = [personid, counterid].map((id) => data!.holders.find((holder) => holder.personid === id)?.held ?? 0);
    for (const paise of held) expect(paise).toBeGreaterThanOrEqual(0);
    // Four payments were received. A count changes the sum of both by its difference.
    const takenBack = -sum(reversed.map((row) => row.amount_paise));
    const differences = handins.map((row) => row.counted_paise - row.expected_paise);
    expect(sum(held)).toBe(4 * PAISE - takenBack + sum(differences));
    // The second reversal takes its amount or corrects a hand-in. The first one may find less cash.
    const reversedPaise = takenBack + sum(handins.map((row) => row.reversed_paise));
    expect(reversedPaise).toBeGreaterThanOrEqual(PAISE);
    expect(reversedPaise).toBeLessThanOrEqual(2 * PAISE);
  }
});
