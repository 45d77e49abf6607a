import { sql, type Expression } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import { statement, type Given } from '../../db/statement.server.ts';
import type { MovementKind } from './contract.ts';

export interface Movement {
  entryId: string;
  customerId: string;
  kind: MovementKind;
  /** What the wallet gains (positive) or pays (negative). */
  walletPaise: number;
  reason: string;
  /** Movements with the same reference are one movement. */
  reference: string;
  orderId: string | undefined;
  at: Date;
}

export const movementValues = (movement: Movement) => ({ ...movement, wallet: `wallet:${movement.customerId}` });
type MovementValues = ReturnType<typeof movementValues>;

/**
 * The parts of one statement that records a movement: the wallet if it is the first, the entry, both postings. `entry` is empty when the reference is known
 * already. The database itself refuses an unbalanced entry, a negative wallet and a second wallet payment for an order (migrations/0003_ledger.sql).
 */
export const movementParts = (given: Given<MovementValues>) => sql`wallet as (
      insert into ledger_accounts (id, customer_id) values (${given.wallet}, ${given.customerId}) on conflict do nothing
    ), entry as (
      insert into ledger_entries (id, kind, reason, reference, order_id, created_at)
      values (${given.entryId}, ${given.kind}, ${given.reason}, ${given.reference}, ${given.orderId}, ${given.at})
      -- Of any kind: of two debits for one order at the same moment, the second may meet either of the two indexes first.
      on conflict do nothing
      returning id, order_id, created_at
    ), posted as (
      insert into ledger_postings (entry_id, account_id, amount_paise, created_at)
      select entry.id, side.account_id, side.amount_paise, entry.created_at
        from entry, (values (${given.wallet}, ${given.walletPaise}::bigint), (${given.kind}, -${given.walletPaise}::bigint)) side (account_id, amount_paise)
      returning 1
    )`;

const recordMovement = statement<MovementValues, { postings: number }>((db, given) =>
  sql<{ postings: number }>`with ${movementParts(given)} select count(*) as postings from posted`.compile(db),
);

/** Records a movement in one statement. False when the reference is known already, or the order was paid from the wallet. */
export async function insertMovement(db: Db, movement: Movement): Promise<boolean> {
  const [recorded] = await recordMovement(db, movementValues(movement));
  return recorded?.postings === 2;
}

/** A query, not yet run, to be joined; no row before the first movement. */
export const balanceQuery = (db: Db, customerId: string | Expression<string>) =>
  db.selectFrom('ledger_accounts').select('balance_paise').where('customer_id', '=', customerId);

export const balanceOf = async (db: Db, customerId: string): Promise<number> => {
  const row = await balanceQuery(db, customerId).executeTakeFirst();
  return row?.balance_paise ?? 0;
};

/** Newest first; the id breaks ties, so that pages neither skip nor repeat. */
export const movementsOf = (db: Db, customerId: string, page: { offset: number; limit: number }) =>
  db
    .selectFrom('ledger_postings')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_postings.entry_id')
    .select([
      'ledger_entries.id',
      'ledger_entries.kind',
      'ledger_entries.created_at',
      'ledger_entries.order_id',
      'ledger_postings.amount_paise',
    ])
    .where('ledger_postings.account_id', '=', `wallet:${customerId}`)
    .orderBy('ledger_postings.created_at', 'desc')
    .orderBy('ledger_postings.entry_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();

export interface PostedLine {
  entry_id: string;
  account_id: string;
  amount_paise: number;
  created_at: Date;
  kind: string;
  reason: string;
  reference: string;
  order_id: string | null;
}

/** Every posting with its entry, oldest first, so many at a time. The cursor lives in one transaction, and so all of it is of one moment. */
export async function* allPostings(tx: Db, most: number): AsyncGenerator<PostedLine[]> {
  await sql`declare books no scroll cursor for
    select entry_id, account_id, amount_paise, posting.created_at, kind, reason, reference, order_id
      from ledger_postings posting join ledger_entries entry on entry.id = entry_id
     order by posting.created_at, entry_id, account_id`.execute(tx);
  for (;;) {
    const { rows } = await sql<PostedLine>`fetch ${sql.lit(most)} from books`.execute(tx);
    if (rows.length === 0) return;
    yield rows;
  }
}

const posted = sql<number>`coalesce(sum(amount_paise), 0)::bigint`;

/** Of each fault so many are named: a ledger with more is not mended from a list. */
const MOST_NAMED = 100;

/** Wallets whose kept balance is not what their postings say. */
export const driftedWallets = (db: Db) =>
  db
    .selectFrom('ledger_accounts')
    .leftJoin('ledger_postings', 'ledger_postings.account_id', 'ledger_accounts.id')
    .select(['ledger_accounts.id', 'balance_paise', posted.as('posted_paise')])
    .where('customer_id', 'is not', null)
    .groupBy('ledger_accounts.id')
    .having('balance_paise', '<>', posted)
    .orderBy('ledger_accounts.id')
    .limit(MOST_NAMED)
    .execute();

export const sumOfAllPostings = async (db: Db): Promise<number> => {
  const { total } = await db.selectFrom('ledger_postings').select(posted.as('total')).executeTakeFirstOrThrow();
  return total;
};

/** How much has been written down, and what all wallets hold. */
export const extent = (db: Db) =>
  db
    .selectFrom('ledger_postings')
    .select([
      sql<number>`count(*)`.as('postings'),
      sql<number>`coalesce(sum(amount_paise) filter (where account_id like 'wallet:%'), 0)::bigint`.as('walletsPaise'),
    ])
    .executeTakeFirstOrThrow();

const idsOf = async (rows: Promise<{ rows: { id: string }[] }>) => (await rows).rows.map(({ id }) => id);

/** Wallets whose postings come to less than nothing. */
export const overdrawnWallets = (db: Db) =>
  idsOf(
    sql<{ id: string }>`
      select account_id as id from ledger_postings join ledger_accounts on ledger_accounts.id = account_id
       where customer_id is not null group by account_id having sum(amount_paise) < 0 order by account_id limit ${MOST_NAMED}`.execute(db),
  );

export const unbalancedEntries = (db: Db) =>
  idsOf(
    sql<{ id: string }>`
      select entry.id
        from ledger_entries entry
        left join ledger_postings posting on posting.entry_id = entry.id
        left join ledger_accounts account on account.id = posting.account_id
       group by entry.id
      having count(posting.entry_id) <> 2 or sum(posting.amount_paise) is distinct from 0
          or count(account.customer_id) <> 1 or count(*) filter (where posting.account_id = entry.kind) <> 1
       order by entry.id limit ${MOST_NAMED}`.execute(db),
  );

export const ordersPaidTwice = (db: Db) =>
  idsOf(
    sql<{ id: string }>`
      select order_id as id from ledger_entries where kind = 'paid' group by order_id having count(*) > 1 order by order_id limit ${MOST_NAMED}`.execute(
      db,
    ),
  );
