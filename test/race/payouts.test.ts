/** Payouts beside payments of the same money through two processes (docs/security.md). */
import { expect, test } from 'vitest';
import { payOut } from '../../src/domains/customers/desk/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { payWithWallet } from '../../src/domains/payments/contract.ts';
import { auditLedger, creditWallet, isSound } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { useProcesses } from '../support/program.ts';
import { size } from '../support/size.ts';
import { newStaff } from '../support/staff.ts';

const program = useProcesses(2);
const ROUNDS = size({ small: 8, full: 100 });
const PAYOUTS = 4;

/** Half of an order of 2.64 kg at ₹38, which is ₹100.32. */
const HALF = asPaise(5016);

test(`${ROUNDS} times ${PAYOUTS} payouts and a payment of the same money at once: one of them moves it`, { timeout: 180_000 }, async () => {
  const owner = await newStaff(program, 'owner');
  for (let round = 0; round < ROUNDS; round += 1) {
    const customer = await newOrderingCustomer(program);
    const { caller, userid, mobile } = customer;
    const { orderid } = await place(customer);
    const at = program.clock.now();
    await weighOrder(program.db, orderid, 2640, 3, at);
    await moveOrder(program.db, orderid, 'queue', at);
    const credit = { kind: 'compensation', amountPaise: HALF, reason: 'A test', reference: `test:${userid}` } as const;
    await creditWallet(program.db, { ...credit, customerId: userid, at });
    const pay = () => caller.send(payWithWallet, { userid, orderid, walletpayment: HALF, walletbalance: 0 });
    const payBack = () => owner.caller.send(payOut, { mobile, amount: HALF, reason: 'By UPI' }, { idempotencyKey: newId() });
    const results = await Promise.all([payBack(), pay(), ...Array.from({ length: PAYOUTS - 1 }, payBack)]);
    expect(results.filter(({ response }) => response === 'success')).toHaveLength(1);
    const codes = results.flatMap((result) => (result.response === 'success' ? [] : [result.code]));
    expect(new Set(['payout-above-balance', 'insufficient-balance', ...codes]).size).toBe(2);
    expect(await readBalance(program.db, userid)).toBe(0);
  }
  expect(isSound(await auditLedger(program.db))).toBe(true);
});
