/**
 * What the wallet page reads: every movement, page by page, none lost or twice while new ones
 * arrive. Design section 6, "Load more".
 */
import { expect, test } from 'vitest';
import { newCustomer, type Person } from '../../../test/support/people.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { getMoreTransactions, getTransactions, walletMessages, type CreditKind } from './contract.ts';
import { firstPage, nextPage } from './pages/loading-transactions.ts';
import { creditWallet } from './service.server.ts';

const program = useProgram();

/**
 * So many credits of different amounts; many of them in the same millisecond, so that only the id
 * puts them in order.
 */
async function credits({ userid }: Person, count: number, kind: CreditKind = 'promotion') {
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

const tidsOf = async ({ userid }: Person) =>
  (
    await program.db
      .selectFrom('ledger_postings')
      .select('entry_id')
      .where('account_id', '=', `wallet:${userid}`)
      .orderBy('created_at', 'desc')
      .orderBy('entry_id', 'desc')
      .execute()
  ).map(({ entry_id }) => entry_id);

test.each<[number, number, boolean]>([
  [0, 0, false],
  [10, 10, false],
  [11, 11, true],
  [12, 11, true],
])('of %i movements the first page shows %i, and offers more: %s', async (count, shown, more) => {
  const meera = await newCustomer(program);
  await credits(meera, count);
  const page = await firstPage(meera.caller.send, meera.userid);
  expect(page.transactions.map(({ tid }) => tid)).toEqual((await tidsOf(meera)).slice(0, shown));
  expect(page.mayHaveMore).toBe(more);
});

test.each([11, 12, 19, 20, 21, 30, 31, 37])(
  '%i movements: every one is reached, newest first, none twice, and then no more is offered',
  async (count) => {
    const meera = await newCustomer(program);
    await credits(meera, count);
    let pages = await firstPage(meera.caller.send, meera.userid);
    let asked = 1;
    for (; pages.mayHaveMore && asked < 20; asked += 1) pages = await nextPage(meera.caller.send, meera.userid, pages);
    expect(pages.transactions.map(({ tid }) => tid)).toEqual(await tidsOf(meera));
    expect(asked).toBeLessThanOrEqual(Math.ceil(count / 10) + 1);
  },
);

test('with movements made between the pages, nothing older is skipped and nothing comes twice', async () => {
  const meera = await newCustomer(program);
  await credits(meera, 34);
  const older = await tidsOf(meera);
  let pages = await firstPage(meera.caller.send, meera.userid);
  for (let asked = 0; pages.mayHaveMore && asked < 20; asked += 1) {
    await credits(meera, 3);
    pages = await nextPage(meera.caller.send, meera.userid, pages);
  }
  const shown = pages.transactions.map(({ tid }) => tid);
  expect(new Set(shown).size).toBe(shown.length);
  expect(older.filter((tid) => !shown.includes(tid))).toEqual([]);
});

test('beyond the last one it says so', async () => {
  const meera = await newCustomer(program);
  await credits(meera, 3);
  expect(await meera.caller.send(getMoreTransactions, { userid: meera.userid, offset: 10 })).toEqual({
    response: 'error',
    message: walletMessages.outOfTransactions,
    data: null,
  });
});

test('a movement says what kind it is, when it was in Gurugram, and how much, without a sign', async () => {
  const meera = await newCustomer(program);
  program.clock.set('2026-11-21T18:30:00.000Z');
  await credits(meera, 1, 'cashback');
  const answer = await meera.caller.post('transactions/gettransaction', { userid: meera.userid });
  expect(answer.json()).toEqual({
    response: 'success',
    message: 'Transactions fetched successfully',
    data: [{ tid: expect.stringMatching(/^[0-9A-Z]{20}$/), t_type: 'cashback', t_date: '2026-11-22 00:00:01', t_amount: 1, t_order: null }],
  });
});

test('nobody reads another’s', async () => {
  const [meera, other] = [await newCustomer(program), await newCustomer(program)];
  await credits(other, 2);
  expect((await meera.caller.send(getTransactions, { userid: meera.userid })).data).toEqual([]);
});
