/**
 * The pages of transactions contain every movement exactly once, also while new movements are
 * written. Design section 6, "Load more".
 */
import { fail } from '../../contract/route.server.ts';
import { expect, test } from 'vitest';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { newCustomer, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { getMoreTransactions, getTransactions, walletError, type CreditKind, type WalletTransaction } from './contract.ts';
import { uniqueRows } from '../../browser/use-paginated-query.ts';
import { fetchFirstPage, fetchPage, nextOffset, transactionId } from './pages/transactions-query.ts';
import { getUserDetails } from '../profile/contract.ts';
import { creditWallet } from './service.server.ts';
import { insertMovement } from './store.server.ts';

const program = useProgram();

/**
 * Writes credits of different amounts. Groups of four share a millisecond, so that only the id
 * determines their order.
 */
async function credits({ userid }: TestCustomer, count: number, kind: CreditKind = 'promotion') {
  for (let made = 0; made < count; made += 1) {
    if (made % 4 === 0) program.clock.advance(1);
    await creditWallet(program.db, {
      customerId: userid,
      kind,
      amountPaise: asPaise(100 + made),
      reason: 'A test',
      reference: `test:${newId()}`,
      at: program.clock.now(),
    });
  }
}

const tidsOf = async ({ userid }: TestCustomer) =>
  (
    await program.db
      .selectFrom('ledger_postings')
      .select('entry_id')
      .where('account_id', '=', `wallet:${userid}`)
      .orderBy('created_at', 'desc')
      .orderBy('entry_id', 'desc')
      .execute()
  ).map(({ entry_id }) => entry_id);

/** Stops after twenty pages, so that a fault does not loop forever. */
async function fetchAllPages({ caller: { send }, userid }: TestCustomer, beforeNextPage = async () => {}) {
  const pages: [WalletTransaction[], ...WalletTransaction[][]] = [await fetchFirstPage(send, userid)];
  for (let offset = nextOffset(pages); offset !== undefined && pages.length < 20; offset = nextOffset(pages)) {
    await beforeNextPage();
    pages.push(await fetchPage(send, userid, { pageParam: offset }));
  }
  return pages;
}

test.each<[number, number, boolean]>([
  [0, 0, false],
  [10, 10, false],
  [11, 11, true],
  [12, 11, true],
])('with %i movements the first page has %i; a next page exists: %s', async (count, shown, more) => {
  const meera = await newCustomer(program);
  await credits(meera, count);
  const page = await fetchFirstPage(meera.caller.send, meera.userid);
  expect(page.map(transactionId)).toEqual((await tidsOf(meera)).slice(0, shown));
  expect(nextOffset([page]) !== undefined).toBe(more);
});

test.each([11, 12, 19, 20, 21, 30, 31, 37])(
  'the pages of %i movements contain each once, newest first, and end after the last one',
  async (count) => {
    const meera = await newCustomer(program);
    await credits(meera, count);
    const pages = await fetchAllPages(meera);
    expect(uniqueRows(pages, transactionId).map(transactionId)).toEqual(await tidsOf(meera));
    expect(pages.length).toBeLessThanOrEqual(Math.ceil(count / 10) + 1);
  },
);

test('movements written between two pages cause no skipped and no repeated row', async () => {
  const meera = await newCustomer(program);
  await credits(meera, 34);
  const older = await tidsOf(meera);
  const pages = await fetchAllPages(meera, async () => credits(meera, 3));
  const shown = uniqueRows(pages, transactionId).map(transactionId);
  expect(new Set(shown).size).toBe(shown.length);
  expect(older.filter((tid) => !shown.includes(tid))).toEqual([]);
});

test('an offset after the last movement returns the error out-of-transactions', async () => {
  const meera = await newCustomer(program);
  await credits(meera, 3);
  expect(await meera.caller.send(getMoreTransactions, { userid: meera.userid, offset: 10 })).toEqual(
    fail(walletError('out-of-transactions')),
  );
});

test('a transaction has its kind, its time in Asia/Kolkata and its amount without a sign', async () => {
  const meera = await newCustomer(program);
  program.clock.set('2026-11-21T18:30:00.000Z');
  await credits(meera, 1, 'cashback');
  const response = await meera.caller.post('transactions/gettransaction', { userid: meera.userid });
  expect(response.json()).toEqual({
    response: 'success',
    message: 'Transactions fetched successfully',
    data: [
      {
        tid: expect.stringMatching(/^[0-9A-Z]{20}$/),
        t_type: 'cashback',
        t_date: '2026-11-22 00:00:01',
        t_amount: 1,
        t_order: null,
        t_cause: null,
        t_paid_back: null,
      },
    ],
  });
});

test('a customer cannot read the transactions of another customer', async () => {
  const [meera, other] = [await newCustomer(program), await newCustomer(program)];
  await credits(other, 2);
  expect((await meera.caller.send(getTransactions, { userid: meera.userid })).data).toEqual([]);
});

test('a payment is shown with its order and its amount without a sign, and the balance is what is left', async () => {
  const meera = await newOrderingCustomer(program);
  const { orderid } = await place(meera);
  await credits(meera, 1);
  const payment = { entryId: newId(), kind: 'paid', walletPaise: -60, reason: 'A test', reference: `order:${orderid}:wallet` } as const;
  program.clock.advance(1);
  await insertMovement(program.db, { ...payment, customerId: meera.userid, orderId: orderid, at: program.clock.now() });
  const { data } = await meera.caller.send(getTransactions, { userid: meera.userid });
  expect(data).toMatchObject([
    { t_type: 'paid', t_amount: 60, t_order: orderid },
    { t_type: 'promotion', t_amount: 100, t_order: null },
  ]);
  const details = await meera.caller.send(getUserDetails, { token: meera.userid });
  expect(details.data).toMatchObject({ wallet: 40 });
});

test('a customer without movements has the balance 0', async () => {
  const meera = await newCustomer(program);
  const { data } = await meera.caller.send(getUserDetails, { token: meera.userid });
  expect(data).toMatchObject({ wallet: 0 });
});
