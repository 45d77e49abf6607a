/** Concurrent wallet payments through two processes (docs/security.md, M1 and M2). */
import { fail } from '../../src/contract/route.server.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { paymentError, payWithWallet } from '../../src/domains/payments/contract.ts';
import { transaction } from '../../src/db/database.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { auditLedger, creditWallet, isSound } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { CallRefused } from '../../src/contract/call-failures.ts';
import { useTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { createRandom, newSeed } from '../support/random.ts';
import { size } from '../support/size.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const twoProcesses = useTestEnvironment(2);

/** Half of an order of 2.64 kg at ₹38, which is ₹100.32. */
const HALF = asPaise(5016);

/**
 * Creates a customer with orders in stage `queue`. A call places the first; the others are copies
 * of its row.
 */
async function payer(environment: TestEnvironment, orders: number, walletPaise: number) {
  const customer = await newOrderingCustomer(environment);
  const { orderid } = await place(customer);
  await environment.db.updateTable('orders').set({ weight_grams: 2640, items: 3, stage: 'queue' }).where('id', '=', orderid).execute();
  const orderids = [orderid, ...Array.from({ length: orders - 1 }, () => newId().slice(0, 12))];
  const { id: _, ...row } = await environment.db.selectFrom('orders').selectAll().where('id', '=', orderid).executeTakeFirstOrThrow();
  const copies = orderids.slice(1).map((id) => Object.assign({ id }, row));
  if (copies.length > 0) await environment.db.insertInto('orders').values(copies).execute();
  await creditWallet(environment.db, {
    customerId: customer.userid,
    kind: 'promotion',
    amountPaise: asPaise(walletPaise),
    reason: 'A test',
    reference: `test:${customer.userid}`,
    at: environment.clock.now(),
  });
  return { ...customer, orderids };
}
type Payer = Awaited<ReturnType<typeof payer>>;

const REJECTED = { response: 'rejected' } as const;

/** Under load a call may be rejected with 503, without an attempt. */
const pay = ({ caller, userid }: Payer, orderid: string, walletpayment = HALF) =>
  caller.send(payWithWallet, { userid, orderid, walletpayment, walletbalance: 0 }).catch((error: unknown) => {
    if (error instanceof CallRefused && error.status === 503) return REJECTED;
    throw error;
  });

/** Returns the customer's debits from the payments and from the ledger. */
async function debitsOf({ db }: TestEnvironment, { userid }: Payer) {
  const paid = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(['order_id', 'amount_paise'])
    .where('customer_id', '=', userid)
    .orderBy('order_id')
    .execute();
  const entries = await sql<{ order_id: string; amount_paise: number }>`
    select entry.order_id, -posting.amount_paise as amount_paise
      from ledger_entries entry join ledger_postings posting on posting.entry_id = entry.id
     where posting.account_id = ${`wallet:${userid}`} and entry.kind = 'paid' order by 1`.execute(db);
  return { paid, entries: entries.rows };
}

const seed = newSeed();
const ORDERS = size({ small: 8, full: 200 });
const TRIES = 50;

test(
  `M1: ${ORDERS} orders, each paid ${TRIES} times concurrently through two processes, with right and wrong amounts: each is debited once (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const random = createRandom(seed);
    const environment = twoProcesses();
    const who = await payer(environment, ORDERS, ORDERS * HALF + 4000);
    for (let from = 0; from < ORDERS; from += 4) {
      const tries = who.orderids.slice(from, from + 4).flatMap((orderid) =>
        Array.from({ length: TRIES }, (_, index) => ({
          orderid,
          amount: index === 0 || random.oneIn(2) ? HALF : asPaise(HALF + random.below(200) - 100),
        })),
      );
      const results = await Promise.all(
        tries.map(async ({ orderid, amount }) => Object.assign(await pay(who, orderid, amount), { orderid, amount })),
      );
      for (const orderid of who.orderids.slice(from, from + 4)) {
        const accepted = results.filter((result) => result.orderid === orderid && result.response === 'success');
        expect(accepted.map(({ amount }) => amount)).toEqual([HALF]);
      }
    }
    const { paid, entries } = await debitsOf(environment, who);
    expect(paid).toEqual(who.orderids.toSorted().map((order_id) => ({ order_id, amount_paise: HALF })));
    expect(entries).toEqual(paid);
    expect(await readBalance(environment.db, who.userid)).toBe(4000);
    expect(isSound(await auditLedger(environment.db))).toBe(true);
  },
);

const ROUNDS = size({ small: 3, full: 100 });

test(
  `M2: a wallet that covers two of forty halves, all paid concurrently through two processes, ${ROUNDS} rounds: exactly two are debited each time`,
  { timeout: 600_000 },
  async () => {
    const environment = twoProcesses();
    for (let round = 0; round < ROUNDS; round += 1) {
      const who = await payer(environment, 40, 2 * HALF);
      const results = await Promise.all(who.orderids.map((orderid) => pay(who, orderid)));
      expect(results.filter(({ response }) => response === 'success')).toHaveLength(2);
      const errors = results.filter(({ response }) => response !== 'success').filter((result) => result !== REJECTED);
      for (const error of errors) expect(error).toEqual(fail(paymentError('insufficient-balance')));
      expect(errors.length).toBeGreaterThan(0);
      const { paid, entries } = await debitsOf(environment, who);
      expect(paid).toHaveLength(2);
      expect(entries).toEqual(paid);
      expect(await readBalance(environment.db, who.userid)).toBe(0);
    }
    expect(isSound(await auditLedger(environment.db))).toBe(true);
  },
);

/** More than the amount of an order, so that each cash payment also credits the wallet. */
const CASH = asPaise(12_000);
const EXCESS = asPaise(CASH - 2 * HALF);

test('concurrent wallet and cash payments of four orders: no deadlock, each excess is credited', { timeout: 120_000 }, async () => {
  const environment = twoProcesses();
  for (let round = 0; round < size({ small: 10, full: 200 }); round += 1) {
    const who = await payer(environment, 4, 40_000);
    const cash = (orderid: string) =>
      transaction(environment.db, (tx) =>
        recordManualPaymentOnce(
          tx,
          laundryCommand(),
          { orderid, method: 'cash', amountPaise: CASH, mayOverpay: true },
          environment.clock.now(),
        ),
      );
    const [results] = await Promise.all([
      Promise.all(who.orderids.map((orderid) => pay(who, orderid))),
      Promise.all(who.orderids.map(cash)),
    ]);
    // In any order of the payments, the excess of the cash is returned to the wallet.
    expect(await readBalance(environment.db, who.userid), JSON.stringify(results)).toBe(40_000 + 4 * EXCESS);
    const { paid } = await debitsOf(environment, who);
    expect(paid).toHaveLength(4 + results.filter(({ response }) => response === 'success').length);
  }
  // A deadlock of a wallet payment becomes a 503 and a line with its code in the log.
  for (const { output } of environment.programs) expect(output).not.toContain('40P01');
  expect(isSound(await auditLedger(environment.db))).toBe(true);
});

test('a wallet payment that waits for its order has not locked the wallet', { timeout: 60_000 }, async () => {
  const environment = twoProcesses();
  const { db } = environment;
  const who = await payer(environment, 1, 10_000);
  const [orderid = ''] = who.orderids;
  const payment = await transaction(db, async (tx) => {
    await tx.selectFrom('orders').select('id').where('id', '=', orderid).forUpdate().execute();
    const waitingPayment = pay(who, orderid);
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting.execute(db)).rows.length === 0) await sleep(5);
    const unlocked = db.selectFrom('ledger_accounts').select('id').where('customer_id', '=', who.userid).forUpdate().skipLocked();
    expect(await unlocked.execute()).toHaveLength(1);
    return { result: waitingPayment };
  });
  expect(await payment.result).toMatchObject({ response: 'success' });
});
