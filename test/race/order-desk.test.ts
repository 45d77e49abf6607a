/** Members of the staff who change one order at once, through two processes. */
import { expect, test } from 'vitest';
import { getDeskOrder, MAX_WRONG_CODES, move, receive } from '../../src/domains/order-desk/desk/contract.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { getOrder } from '../../src/domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { CallRefused } from '../../src/contract/call-failures.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../support/ordering.ts';
import { size } from '../support/size.ts';
import { newStaff } from '../support/staff.ts';
import { useTestEnvironment } from '../support/test-environment.ts';

const ROUNDS = size({ small: 3, full: 60 });
const AT_ONCE = 8;

/** The amount of 2.64 kg at ₹38. */
const DUE = asPaise(10_032);

const twoProcesses = useTestEnvironment(2);

async function start() {
  const environment = twoProcesses();
  const { caller } = await newStaff(environment, 'operator');
  const placed = async () => {
    const customer = await newOrderingCustomer(environment);
    return { ...customer, ...(await place(customer)) };
  };
  const read = async (orderid: string) => (await caller.send(getDeskOrder, { orderid })).data!;
  return { environment, caller, placed, read };
}

const atOnce = <Result>(run: (index: number) => Promise<Result>) => Promise.all(Array.from({ length: AT_ONCE }, (_, index) => run(index)));
const outcome = (sent: Promise<{ response: string; code?: string }>) =>
  sent.then(
    ({ response, code }) => code ?? response,
    (error: unknown) => (error instanceof CallRefused ? `${error.status} ${error.code}` : String(error)),
  );
const once = (first: string, others: string) => [...Array.from({ length: AT_ONCE - 1 }, () => others), first].toSorted();

test(`${ROUNDS} times: of concurrent moves with one version one happens`, { timeout: 180_000 }, async () => {
  const { environment, caller, placed, read } = await start();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { orderid } = await placed();
    await weighOrder(environment.db, orderid, 2640, 3, environment.clock.now());
    const { version } = await read(orderid);
    const moved = await atOnce(() => outcome(caller.send(move, { orderid, version, stage: 'queue' }, { idempotencyKey: newId() })));
    expect(moved.toSorted()).toEqual(once('success', '409 changed-meanwhile'));
    const { history } = await read(orderid);
    expect(history.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
  }
});

test(`${ROUNDS} times: one key notes one payment, and several keys note no more than is due`, { timeout: 180_000 }, async () => {
  const { environment, caller, placed, read } = await start();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { orderid, userid } = await placed();
    await weighOrder(environment.db, orderid, 2640, 3, environment.clock.now());
    await moveOrder(environment.db, orderid, 'queue', environment.clock.now());
    const key = { idempotencyKey: newId() };
    const part = { orderid, method: 'cash', amount: asPaise(32) } as const;
    expect(new Set(await atOnce(() => outcome(caller.send(receive, part, key))))).toEqual(new Set(['success']));
    expect(await read(orderid)).toMatchObject({ amount_paid: 32, left_to_pay: DUE - 32 });
    const rest = { ...part, amount: asPaise(DUE - 32) };
    const outcomes = await atOnce(() => outcome(caller.send(receive, rest, { idempotencyKey: newId() })));
    expect(outcomes.toSorted()).toEqual(once('success', 'more-than-due'));
    expect(await read(orderid)).toMatchObject({ amount_paid: DUE, left_to_pay: 0 });
    expect(await readBalance(environment.db, userid)).toBe(0);
  }
  expect(isSound(await auditLedger(environment.db))).toBe(true);
});

test(
  `${ROUNDS} times: concurrent wrong codes are counted one by one, and then the right one is refused`,
  { timeout: 180_000 },
  async () => {
    const { environment, caller, placed, read } = await start();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { orderid, caller: customer, userid } = await placed();
      await moveOutForDelivery(environment, orderid);
      const { version } = await read(orderid);
      const code = (await customer.send(getOrder, { userid, orderid })).data![0]!.hand_over_code!;
      const deliver = (text: string, expected = version) =>
        outcome(caller.send(move, { orderid, version: expected, stage: 'delivered', code: text }, { idempotencyKey: newId() }));
      const wrongCode = (index: number) => String((Number(code) + 1 + index) % 10_000).padStart(4, '0');
      const outcomes = await atOnce((index) => deliver(wrongCode(index)));
      expect(outcomes.filter((text) => text === 'wrong-hand-over-code')).toHaveLength(MAX_WRONG_CODES - 1);
      // The last wrong code is in the history of the order, which has another version since.
      expect(outcomes.filter((text) => text === 'too-many-codes')).toHaveLength(1);
      expect(outcomes.filter((text) => text === '409 changed-meanwhile')).toHaveLength(AT_ONCE - MAX_WRONG_CODES);
      const locked = await read(orderid);
      expect(locked).toMatchObject({ washing_stage: 'delivery', code_tries_left: 0 });
      expect(await deliver(code, locked.version)).toBe('too-many-codes');
    }
  },
);
