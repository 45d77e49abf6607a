/**
 * All kinds of ledger entries while the program is killed (docs/security.md, M3). Every audit is
 * balanced, and nothing is lost or duplicated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { paymentMessages, payWithWallet } from '../../src/domains/payments/contract.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { giveReferralBonus, MAX_BONUSES, REFERRAL_BONUS_PAISE } from '../../src/domains/referrals/contract.ts';
import { getTransactions } from '../../src/domains/wallet/contract.ts';
import { auditLedger, creditWallet, isSound } from '../../src/domains/wallet/service.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { freePort } from '../support/program-process.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { newCustomer } from '../support/seed-customers.ts';
import { createRandom, newSeed, type Random } from '../support/random.ts';
import { size } from '../support/size.ts';

const seed = newSeed();
const kills = size({ small: 2, full: 12 });
const KILL_EVERY_MS = size({ small: 1500, full: 5000 });
const customerCount = size({ small: 4, full: 8 });
const ordersEach = size({ small: 40, full: 400 });
const OPENING = asPaise(10_000_000);

/** Half of an order of 2.64 kg at ₹38, which is ₹100.32. */
const HALF = asPaise(5016);

async function newMover(environment: TestEnvironment) {
  const customer = await newOrderingCustomer(environment);
  const { orderid } = await place(customer);
  await environment.db.updateTable('orders').set({ weight_grams: 2640, items: 3, stage: 'queue' }).where('id', '=', orderid).execute();
  const { id: _, ...row } = await environment.db.selectFrom('orders').selectAll().where('id', '=', orderid).executeTakeFirstOrThrow();
  const copies = Array.from({ length: ordersEach - 1 }, () => Object.assign({ id: newId().slice(0, 12) }, row));
  await environment.db.insertInto('orders').values(copies).execute();
  const credit = {
    kind: 'promotion',
    amountPaise: OPENING,
    reason: 'A test',
    reference: `test:${customer.userid}`,
    at: environment.clock.now(),
  } as const;
  await creditWallet(environment.db, { ...credit, customerId: customer.userid });
  return {
    ...customer,
    unpaid: [orderid, ...copies.map(({ id }) => id)],
    paid: [] as string[],
    bonuses: 0,
    expectedPaise: Number(OPENING),
  };
}
type Mover = Awaited<ReturnType<typeof newMover>>;

/** Repeats a request until it gets a response, which may report an earlier success. */
async function retryUntilResponse<Result>(send: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch {
      await sleep(20);
    }
  }
}

async function payHalf(mover: Mover) {
  const orderid = mover.unpaid.pop();
  if (!orderid) return;
  const { message } = await retryUntilResponse(() =>
    mover.caller.send(payWithWallet, { userid: mover.userid, orderid, walletpayment: HALF, walletbalance: 0 }),
  );
  expect([paymentMessages.alreadyPaid, `Paid ₹50.16 for order ${orderid} with wallet`]).toContain(message);
  mover.paid.push(orderid);
  mover.expectedPaise -= HALF;
}

/** Creates a referred customer, whose session requests the bonus. */
async function bringFriend(environment: TestEnvironment, mover: Mover) {
  if (mover.bonuses >= MAX_BONUSES) return;
  const friend = await newCustomer(environment);
  await environment.db.updateTable('customers').set({ referred_by: mover.userid }).where('id', '=', friend.userid).execute();
  await retryUntilResponse(() => friend.caller.send(giveReferralBonus, { mob: mover.mobile, newuser: friend.mobile }));
  mover.bonuses += 1;
  mover.expectedPaise += REFERRAL_BONUS_PAISE;
}

/** Credits the wallet like the command `grant`. Called twice, it credits once. */
async function creditTwice(
  environment: TestEnvironment,
  mover: Mover,
  credit: { amountPaise: number; reference: string; orderId?: string },
) {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const entry = { ...credit, amountPaise: asPaise(credit.amountPaise), kind: 'compensation', reason: 'A test' } as const;
    await creditWallet(environment.db, { ...entry, customerId: mover.userid, at: environment.clock.now() });
  }
  mover.expectedPaise += credit.amountPaise;
}

async function makeEntry(environment: TestEnvironment, mover: Mover, random: Random) {
  switch (random.below(5)) {
    case 0:
      return bringFriend(environment, mover);
    case 1:
      return creditTwice(environment, mover, { amountPaise: 1 + random.below(50_000), reference: `grant:${newId()}` });
    case 2: {
      // A new entry reverses a payment (docs/ledger.md).
      const orderId = mover.paid.pop();
      return orderId && creditTwice(environment, mover, { amountPaise: HALF, reference: `reversal:${orderId}`, orderId });
    }
    default:
      return payHalf(mover);
  }
}

const audited = async (environment: TestEnvironment) => {
  const audit = await auditLedger(environment.db);
  return isSound(audit) ? 'sound' : JSON.stringify(audit);
};

test(
  `M3: bonuses, compensations, payments and reversals by ${customerCount} customers while the program is killed ${kills} times (seed ${seed})`,
  { timeout: size({ small: 180_000, full: 600_000 }) },
  async () => {
    const environment = await newTestEnvironment();
    const port = await freePort();
    await environment.start(port);
    const movers = await Promise.all(Array.from({ length: customerCount }, () => newMover(environment)));

    const stop = new AbortController();
    const moving = movers.map(async (mover, index) => {
      const random = createRandom(seed + index);
      while (!stop.signal.aborted) await makeEntry(environment, mover, random);
    });
    const audits: string[] = [];
    const auditing = (async () => {
      while (!stop.signal.aborted) {
        audits.push(await audited(environment));
        await sleep(20);
      }
    })();
    // The customer never reads a negative balance.
    const balances: number[] = [];
    const reading = (async () => {
      const random = createRandom(seed - 1);
      while (!stop.signal.aborted) {
        const { caller, userid } = random.pick(movers);
        const { data } = await retryUntilResponse(() => caller.send(getUserDetails, { token: userid }));
        await retryUntilResponse(() => caller.send(getTransactions, { userid }));
        if (data) balances.push(data.wallet);
      }
    })();

    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(KILL_EVERY_MS);
      await environment.programs.pop()?.kill();
      await environment.start(port);
    }
    await sleep(KILL_EVERY_MS);
    stop.abort();
    await Promise.all([...moving, auditing, reading]);

    expect(new Set(audits)).toEqual(new Set(['sound']));
    expect(balances.filter((balance) => balance < 0)).toEqual([]);
    expect([audits.length, balances.length].every((count) => count > kills)).toBe(true);
    expect(movers.reduce((sum, { bonuses }) => sum + bonuses, 0)).toBeGreaterThan(0);
    for (const { caller, userid, expectedPaise } of movers) {
      expect((await caller.send(getUserDetails, { token: userid })).data?.wallet).toBe(expectedPaise);
    }
    expect(await audited(environment)).toBe('sound');
  },
);
