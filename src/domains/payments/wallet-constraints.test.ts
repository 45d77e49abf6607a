/**
 * Wallet payments at the exact balance, their records, and the constraints of the database that
 * refuse them after the read.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { blockBefore } from '../../../test/support/blocked-statements.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { OrderRequest } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { paymentError, payWithWallet } from './contract.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram();

/** Half of an order of 7.53 kg at ₹38, which costs ₹286.14. */
const HALF = asPaise(14_307);
const DUE = 28_614;

async function payer(balancePaise: number) {
  const person = await newOrderingCustomer(program);
  const credit = { kind: 'promotion', reason: 'A test', reference: `test:${newId()}`, at: program.clock.now() } as const;
  await creditWallet(program.db, { ...credit, customerId: person.userid, amountPaise: asPaise(balancePaise) });
  return { ...person, orderid: await weighedOrder(person) };
}

async function weighedOrder(person: OrderingCustomer, change: Partial<OrderRequest> = {}) {
  const { orderid } = await place(person, change);
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  return orderid;
}

const pay = ({ caller, userid }: Awaited<ReturnType<typeof payer>>, orderid: string) =>
  caller.send(payWithWallet, { userid, orderid, walletpayment: HALF });

const walletPayments = (...orderids: string[]) =>
  program.db.selectFrom('payments').selectAll().where('order_id', 'in', orderids).where('method', '=', 'wallet').execute();

/** Resolves once this number of statements wait for a lock. */
const statementsWaiting = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(program.db);
      return rows[0]?.waiting;
    })
    .toBe(count);

test('pays with a balance of exactly the half', async () => {
  const who = await payer(HALF);
  expect(await pay(who, who.orderid)).toMatchObject({ response: 'success' });
  expect(await readBalance(program.db, who.userid)).toBe(0);
});

test('rejects a payment if one paisa is missing', async () => {
  const who = await payer(HALF - 1);
  expect(await pay(who, who.orderid)).toEqual(fail(paymentError('insufficient-balance')));
  expect(await readBalance(program.db, who.userid)).toBe(HALF - 1);
});

test('records the payment with its entry of the ledger', async () => {
  const who = await payer(20_000);
  await pay(who, who.orderid);
  const entry = await program.db.selectFrom('ledger_entries').selectAll().where('order_id', '=', who.orderid).executeTakeFirstOrThrow();
  const at = program.clock.now();
  expect(entry).toMatchObject({ kind: 'paid', reason: 'Paid from the wallet', reference: `order:${who.orderid}:wallet`, created_at: at });
  expect(await walletPayments(who.orderid)).toMatchObject([
    {
      tid: expect.stringMatching(/^[\w-]{22}$/),
      state: 'received',
      amount_paise: HALF,
      due_paise: DUE,
      transaction_id: entry.id,
      created_at: at,
      settled_at: at,
      gateway: null,
    },
  ]);
});

test('pays once if a concurrent request of the same order has read the same state', async () => {
  const who = await payer(20_000);
  const block = await blockBefore(program, 'insert', 'payments');
  const requests = [pay(who, who.orderid), pay(who, who.orderid)];
  await statementsWaiting(2);
  await block.release();
  const responses = await Promise.all(requests);
  expect(responses.map(({ response }) => response).toSorted()).toEqual(['error', 'success']);
  expect(responses.find(({ response }) => response === 'error')).toEqual(fail(paymentError('already-paid')));
  expect(await walletPayments(who.orderid)).toHaveLength(1);
  expect(await readBalance(program.db, who.userid)).toBe(20_000 - HALF);
});

test('pays one of two orders if both have read a balance that covers only one', async () => {
  const who = await payer(20_000);
  const second = await weighedOrder(who, { detergent: '' });
  const block = await blockBefore(program, 'insert', 'payments');
  const requests = [pay(who, who.orderid), pay(who, second)];
  await statementsWaiting(2);
  await block.release();
  const responses = await Promise.all(requests);
  expect(responses.find(({ response }) => response === 'error')).toEqual(fail(paymentError('insufficient-balance')));
  expect(await walletPayments(who.orderid, second)).toHaveLength(1);
  expect(await readBalance(program.db, who.userid)).toBe(20_000 - HALF);
});

test('rejects a payment if cash is received after the read and less than half is left', async () => {
  const who = await payer(20_000);
  const block = await blockBefore(program, 'insert', 'ledger_entries');
  const request = pay(who, who.orderid);
  await block.reached();
  const cash = { orderid: who.orderid, method: 'cash', amountPaise: asPaise(DUE - HALF + 1) } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  await block.release();
  expect(await request).toEqual(fail(paymentError('nothing-to-pay')));
  expect(await walletPayments(who.orderid)).toEqual([]);
  expect(await readBalance(program.db, who.userid)).toBe(20_000);
});
