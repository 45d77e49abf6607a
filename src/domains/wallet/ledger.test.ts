import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { asSnapshot } from '../../db/database.server.ts';
import { auditLedger, auditSnapshot, creditWallet, isSound, readLedger, type LedgerLine } from './service.server.ts';
import { readBalance, insertMovement } from './store.server.ts';

const program = useProgram();

const ROW = { detergent: '', conditioner: '', iron: 'steam', stage: 'queue', weight_grams: 2000, items: 4 } as const;

/** Creates a customer with weighed orders. The ledger only needs the rows to exist. */
async function customerWithOrders(count: number) {
  const customer = newId();
  const mobile = String(9_000_000_000 + Math.floor(Math.random() * 999_999_999));
  const at = program.clock.now();
  await program.db.insertInto('customers').values({ id: customer, mobile, name: 'Someone', password_hash: 'x', created_at: at }).execute();
  const orders = Array.from({ length: count }, () => newId());
  for (const id of orders) {
    await program.db
      .insertInto('orders')
      .values({
        ...ROW,
        id,
        customer_id: customer,
        program_id: 'iron',
        program_name: 'Iron',
        unit: 'kg',
        area: 'manesar',
        base_rate_paise: 5000,
        surcharge_paise: 0,
        rate_paise: 5000,
        order_rate_paise: 5000,
        timeslot: '05:00 - 09:00 PM',
        pickup_day: '2026-11-21',
        ship_name: 'Someone',
        ship_mobile: mobile,
        ship_address1: 'House 1',
        ship_address2: 'Street 2',
        ship_landmark: 'Park',
        ship_pincode: '122052',
        ship_city: 'Gurugram',
        ship_state: 'Haryana',
        placed_at: at,
      })
      .execute();
  }
  return { customer, orders };
}

const credit = (customerId: string, rupees: number, reference = `test:${newId()}`) =>
  creditWallet(program.db, {
    customerId,
    kind: 'promotion',
    amountPaise: asPaise(rupees * 100),
    reason: 'A test',
    reference,
    at: program.clock.now(),
  });

const pay = (customerId: string, orderId: string, rupees: number) =>
  insertMovement(program.db, {
    entryId: newId(),
    customerId,
    kind: 'paid',
    walletPaise: rupees * -100,
    reason: 'A test',
    reference: `order:${orderId}:wallet`,
    orderId,
    at: program.clock.now(),
  });

test('twenty concurrent credits with one reference move money once', async () => {
  const { customer } = await customerWithOrders(0);
  const reference = `referral:${customer}`;
  const results = await Promise.all(Array.from({ length: 20 }, () => credit(customer, 50, reference)));
  expect(results.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'already-recorded'), 'recorded']);
  expect(await readBalance(program.db, customer)).toBe(5000);
});

test.each([0, -1])('a credit of %d rupees is refused and writes nothing', async (rupees) => {
  const { customer } = await customerWithOrders(0);
  await expect(credit(customer, rupees)).rejects.toThrow('a credit is positive');
  expect(await readBalance(program.db, customer)).toBe(0);
});

test.each([
  ['no fault', {}, true],
  ['postings that do not sum to zero', { sumPaise: 1 }, false],
  ['a drifted wallet', { drifted: [{ id: 'wallet:A', balance_paise: asPaise(1), posted_paise: asPaise(0) }] }, false],
  ['an overdrawn wallet', { overdrawn: ['wallet:A'] }, false],
  ['an unbalanced entry', { unbalanced: ['E1'] }, false],
  ['an order paid twice', { paidTwice: ['O1'] }, false],
])('isSound recognises %s', (_what, faults, sound) => {
  expect(isSound({ ...SOUND, ...faults })).toBe(sound);
});

const SOUND = { sumPaise: 0, drifted: [], overdrawn: [], unbalanced: [], paidTwice: [] };

describe('the database refuses', () => {
  let customer: string;
  let order: string;
  beforeEach(async () => {
    const made = await customerWithOrders(1);
    customer = made.customer;
    order = made.orders[0]!;
    await credit(customer, 100, `test:${customer}`);
  });

  const entry = (id: string, reference: string, kind = 'promotion') =>
    sql`insert into ledger_entries (id, kind, reason, reference, order_id, created_at) values (${id}, ${kind}, 'A test', ${reference}, ${kind === 'paid' ? order : null}, ${program.clock.now()})`;
  const posting = (id: string, account: string, paise: number) =>
    sql`insert into ledger_postings (entry_id, account_id, amount_paise, created_at) values (${id}, ${account}, ${paise}, ${program.clock.now()})`;

  const attempt = (...statements: ReturnType<typeof sql>[]) =>
    program.db.transaction().execute(async (tx) => {
      for (const statement of statements) await statement.execute(tx);
    });

  const wallet = () => `wallet:${customer}`;
  const reversal = (id: string, kind: string, orderId: string | null = null) =>
    sql`insert into ledger_entries (id, kind, reason, reference, order_id, reverses, created_at)
      select ${id}, ${kind}, 'A test', ${`reversal:${id}`}, ${orderId}, id, ${program.clock.now()}
        from ledger_entries where reference = ${`test:${customer}`}`;

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a reversal of another amount',
      () => attempt(reversal('E-part', 'promotion'), posting('E-part', 'promotion', 9999), posting('E-part', wallet(), -9999)),
      /does not negate/,
    ],
    [
      'a reversal that credits',
      () => attempt(reversal('E-plus', 'promotion'), posting('E-plus', 'promotion', -10_000), posting('E-plus', wallet(), 10_000)),
      /does not negate/,
    ],
    [
      'a reversal of another kind',
      () => attempt(reversal('E-other', 'cashback'), posting('E-other', 'cashback', 10_000), posting('E-other', wallet(), -10_000)),
      /does not negate/,
    ],
    [
      'a reversal for another order',
      () =>
        attempt(reversal('E-order', 'promotion', order), posting('E-order', 'promotion', 10_000), posting('E-order', wallet(), -10_000)),
      /does not negate/,
    ],
    [
      'a second reversal of an entry',
      () =>
        attempt(
          ...['E-first', 'E-second'].flatMap((id) => [
            reversal(id, 'promotion'),
            posting(id, 'promotion', 10_000),
            posting(id, wallet(), -10_000),
          ]),
        ),
      /ledger_entries_reverses_key/,
    ],
    ['a changed posting', () => attempt(sql`update ledger_postings set amount_paise = 1`), /append-only/],
    ['a deleted posting', () => attempt(sql`delete from ledger_postings`), /append-only/],
    ['truncated postings', () => attempt(sql`truncate ledger_postings`), /append-only/],
    ['a changed entry', () => attempt(sql`update ledger_entries set reason = 'Other'`), /append-only/],
    [
      'an erased reason with another fact',
      () => attempt(sql`update ledger_entries set reason = 'erased', created_at = now()`),
      /append-only/,
    ],
    ['a deleted entry', () => attempt(sql`delete from ledger_entries`), /append-only/],
    ['truncated entries', () => attempt(sql`truncate ledger_entries cascade`), /append-only/],
    [
      'an update of the balance without a posting',
      () => attempt(sql`update ledger_accounts set balance_paise = 99 where id = ${wallet()}`),
      /only with a posting/,
    ],
    ['a repeated reference', () => attempt(entry(newId(), `test:${customer}`)), /reference_key/],
    ['an entry without postings', () => attempt(entry('E-empty', 'test:empty')), /sum to zero/],
    ['one posting', () => attempt(entry('E-one', 'test:one'), posting('E-one', 'promotion', -100)), /sum to zero/],
    [
      'postings that do not sum to zero',
      () => attempt(entry('E-sum', 'test:sum'), posting('E-sum', 'promotion', -100), posting('E-sum', wallet(), 101)),
      /sum to zero/,
    ],
    [
      'a promotion that takes from the wallet',
      () => attempt(entry('E-sign', 'test:sign'), posting('E-sign', 'promotion', 100), posting('E-sign', wallet(), -100)),
      /sum to zero/,
    ],
    [
      'a payout that adds to the wallet',
      () => attempt(entry('E-payout', 'test:payout', 'payout'), posting('E-payout', 'payout', -100), posting('E-payout', wallet(), 100)),
      /sum to zero/,
    ],
    [
      'the contra account of another kind',
      () => attempt(entry('E-kind', 'test:kind'), posting('E-kind', 'cashback', -100), posting('E-kind', wallet(), 100)),
      /sum to zero/,
    ],
    [
      'a third posting to an old entry',
      () =>
        attempt(
          sql`insert into ledger_postings select id, 'cashback', 5, created_at from ledger_entries where reference = ${`test:${customer}`}`,
        ),
      /sum to zero/,
    ],
    [
      'a negative wallet',
      () => attempt(entry('E-minus', 'test:minus', 'paid'), posting('E-minus', 'paid', 10_001), posting('E-minus', wallet(), -10_001)),
      /wallet_never_negative/,
    ],
  ])('%s', async (_what, run, message) => {
    await expect(run()).rejects.toThrow(message);
    expect(await readBalance(program.db, customer)).toBe(10_000);
    expect(await auditLedger(program.db)).toEqual(SOUND);
  });
});

/** The tests disable the triggers of the database, which would reject these faults. */
describe('the audit finds', () => {
  class RolledBack extends Error {}

  /** Audits after the statements, in a transaction that is rolled back. */
  async function auditAfter(...statements: ReturnType<typeof sql>[]) {
    let audit: unknown;
    await program.db
      .connection()
      .execute(async (db) => {
        await sql`begin isolation level repeatable read`.execute(db);
        try {
          await sql`set local session_replication_role = replica`.execute(db);
          for (const statement of statements) await statement.execute(db);
          audit = await auditSnapshot(asSnapshot(db));
          throw new RolledBack();
        } finally {
          await sql`rollback`.execute(db);
        }
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    return audit;
  }

  test('nothing in a sound ledger', async () => {
    const { customer, orders } = await customerWithOrders(1);
    await credit(customer, 100);
    await pay(customer, orders[0]!, 60);
    expect(await auditAfter()).toEqual(SOUND);
  });

  test.each<[string, (wallet: string, entry: string) => ReturnType<typeof sql>, (wallet: string, entry: string) => object]>([
    [
      'a balance that differs from its postings',
      (wallet) => sql`update ledger_accounts set balance_paise = 10001 where id = ${wallet}`,
      (wallet) => ({ drifted: [{ id: wallet, balance_paise: 10_001, posted_paise: 10_000 }] }),
    ],
    [
      'a changed posting',
      (wallet) => sql`update ledger_postings set amount_paise = 9999 where account_id = ${wallet}`,
      (wallet, entry) => ({ sumPaise: -1, drifted: [{ id: wallet, balance_paise: 10_000, posted_paise: 9999 }], unbalanced: [entry] }),
    ],
    [
      'deleted postings of an entry',
      (_wallet, entry) => sql`delete from ledger_postings where entry_id = ${entry}`,
      (wallet, entry) => ({ drifted: [{ id: wallet, balance_paise: 10_000, posted_paise: 0 }], unbalanced: [entry] }),
    ],
    [
      'a posting to the wrong contra account',
      (_wallet, entry) => sql`update ledger_postings set account_id = 'cashback' where entry_id = ${entry} and account_id = 'promotion'`,
      (_wallet, entry) => ({ unbalanced: [entry] }),
    ],
    [
      'an overdrawn wallet',
      (wallet, entry) =>
        sql`update ledger_postings set amount_paise = -amount_paise where entry_id = ${entry} and ${wallet}::text is not null`,
      (wallet) => ({ drifted: [{ id: wallet, balance_paise: 10_000, posted_paise: -10_000 }], overdrawn: [wallet] }),
    ],
  ])('%s', async (_what, plant, faults) => {
    const { customer } = await customerWithOrders(0);
    const reference = `test:${newId()}`;
    await credit(customer, 100, reference);
    const { id } = await program.db.selectFrom('ledger_entries').select('id').where('reference', '=', reference).executeTakeFirstOrThrow();
    expect(await auditAfter(plant(`wallet:${customer}`, id))).toEqual({ ...SOUND, ...faults(`wallet:${customer}`, id) });
    expect(await auditLedger(program.db)).toEqual(SOUND);
  });

  test('a reversal of another amount', async () => {
    const { customer } = await customerWithOrders(0);
    const reference = `test:${newId()}`;
    await credit(customer, 100, reference);
    const wrong = [
      sql`insert into ledger_entries (id, kind, reason, reference, reverses, created_at)
          select 'E-wrong', kind, reason, 'reversal:wrong', id, created_at from ledger_entries where reference = ${reference}`,
      sql`insert into ledger_postings select 'E-wrong', account_id, -amount_paise / 2, posting.created_at
            from ledger_postings posting join ledger_entries on ledger_entries.id = entry_id where reference = ${reference}`,
    ];
    expect(await auditAfter(...wrong)).toMatchObject({ sumPaise: 0, unbalanced: ['E-wrong'] });
  });

  test('an order that the wallet paid twice', async () => {
    const { customer, orders } = await customerWithOrders(1);
    await credit(customer, 100);
    await pay(customer, orders[0]!, 10);
    const twice = [
      sql`drop index one_wallet_payment_per_order`,
      sql`insert into ledger_entries (id, kind, reason, reference, order_id, created_at)
          select 'E-again', kind, reason, 'test:again', order_id, created_at from ledger_entries where order_id = ${orders[0]}`,
      sql`insert into ledger_postings select 'E-again', account_id, amount_paise, posting.created_at
            from ledger_postings posting join ledger_entries on ledger_entries.id = entry_id where order_id = ${orders[0]}`,
    ];
    expect(await auditAfter(...twice)).toMatchObject({ paidTwice: [orders[0]] });
  });
});

test('readLedger passes every posting of one snapshot once, oldest first, in batches', async () => {
  const { customer } = await customerWithOrders(0);
  const references = Array.from({ length: 7 }, () => `test:${newId()}`);
  for (const reference of references) {
    program.clock.advance(1);
    await credit(customer, 1, reference);
  }
  const batches: LedgerLine[][] = [];
  const writeBatch = async (lines: LedgerLine[]) => {
    batches.push(lines);
    // A credit written during the read is not part of the snapshot.
    await credit(customer, 1);
  };
  await readLedger(program.db, writeBatch, 3);
  expect(Math.max(...batches.map(({ length }) => length))).toBe(3);
  const postings = batches.flat().filter(({ account }) => account === `wallet:${customer}`);
  expect(postings.map(({ reference }) => reference)).toEqual(references);
  expect(batches.flat().reduce((sum, { paise }) => sum + paise, 0)).toBe(0);
});

test('a ledger line has the order of its movement, if any', async () => {
  const { customer, orders } = await customerWithOrders(1);
  const account = `wallet:${customer}`;
  program.clock.set('2026-11-21T18:30:00Z');
  await credit(customer, 100, 'test:line');
  program.clock.advance(1);
  await pay(customer, orders[0]!, 60);
  const lines: LedgerLine[] = [];
  await readLedger(program.db, async (batch) => void lines.push(...batch));
  const line = { entry: expect.any(String) as string, reason: 'A test', account };
  expect(lines.filter((row) => row.account === account)).toEqual([
    { ...line, time: '2026-11-22 00:00:00', kind: 'promotion', reference: 'test:line', order: '', paise: 10_000 },
    { ...line, time: '2026-11-22 00:00:01', kind: 'paid', reference: `order:${orders[0]}:wallet`, order: orders[0], paise: -6000 },
  ]);
});
