/** The daily limit of credits of one person, under concurrent credits to two processes. */
import { expect, test } from 'vitest';
import { grant } from '../../src/domains/customers/desk/contract.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newOrderingCustomer } from '../support/ordering.ts';
import { useProcesses } from '../support/program.ts';
import { size } from '../support/size.ts';
import { newStaff } from '../support/staff.ts';

const LIMIT = 30_000;
const CREDIT = 10_000;
const AT_ONCE = 8;
const ROUNDS = size({ small: 4, full: 60 });

const program = useProcesses(2, { OPERATOR_CREDITS_A_DAY: String(LIMIT / 100) });

test(`${ROUNDS} times ${AT_ONCE} credits at once to two processes: the limit of the day holds`, { timeout: 180_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const operator = await newStaff(program, 'operator');
    // Different wallets, so that no lock of a wallet makes the credits wait for each other.
    const customers = await Promise.all(Array.from({ length: AT_ONCE }, () => newOrderingCustomer(program)));
    const given = await Promise.all(
      customers.map(({ mobile }) => {
        const body = { kind: 'cashback', mobile, amount: asPaise(CREDIT), reason: 'A long wait' } as const;
        return operator.caller.send(grant, body, { idempotencyKey: newId() });
      }),
    );
    const refused = given.filter(({ response }) => response === 'error');
    expect(refused.length).toBe(AT_ONCE - LIMIT / CREDIT);
    for (const refusal of refused) expect(refusal).toMatchObject({ code: 'over-daily-credits', params: { left: '0' } });
    const balances = await Promise.all(customers.map(({ userid }) => readBalance(program.db, userid)));
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(LIMIT);
  }
});
