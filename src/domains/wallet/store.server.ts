import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';
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

/**
 * The parts of one statement that records a movement: the wallet if it is the first, the entry, both postings. `entry` is empty when the reference is known
 * already. The database itself refuses an unbalanced entry, a negative wallet and a second wallet payment for an order (migrations/0003_ledger.sql).
 */
export function movementParts(movement: Movement) {
  const wallet = `wallet:${movement.customerId}`;
  return sql`wallet as (
      insert into ledger_accounts (id, customer_id) values (${wallet}, ${movement.customerId}) on conflict do nothing
    ), entry as (
      insert into ledger_entries (id, kind, reason, reference, order_id, created_at)
      values (${movement.entryId}, ${movement.kind}, ${movement.reason}, ${movement.reference}, ${movement.orderId ?? null}, ${movement.at})
      -- Of any kind: of two debits for one order at the same moment, the second may meet either of the two indexes first.
      on conflict do nothing
      returning id, order_id, created_at
    ), posted as (
      insert into ledger_postings (entry_id, account_id, amount_paise, created_at)
      select entry.id, side.account_id, side.amount_paise, entry.created_at
        from entry, (values (${wallet}, ${movement.walletPaise}::bigint), (${movement.kind}, -${movement.walletPaise}::bigint)) side (account_id, amount_paise)
      returning 1
    )`;
}

/** Records a movement in one statement. False when the reference is known already, or the order was paid from the wallet. */
export async function insertMovement(db: Db, movement: Movement): Promise<boolean> {
  const { rows } = await sql<{ postings: number }>`with ${movementParts(movement)} select count(*) as postings from posted`.execute(db);
  return rows[0]?.postings === 2;
}

/** A query, not yet run, to be joined; no row before the first movement. */
export const balanceQuery = (db: Db, customerId: string) =>
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
    .select(['ledger_entries.id', 'ledger_entries.kind', 'ledger_entries.created_at', 'ledger_postings.amount_paise'])
    .where('ledger_postings.account_id', '=', `wallet:${customerId}`)
    .orderBy('ledger_postings.created_at', 'desc')
    .orderBy('ledger_postings.entry_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();

/** Every posting with its entry, oldest first. */
export const allPostings = (db: Db) =>
  db
    .selectFrom('ledger_postings')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_postings.entry_id')
    .select(['entry_id', 'account_id', 'amount_paise', 'ledger_postings.created_at', 'kind', 'reason', 'reference', 'order_id'])
    .orderBy('ledger_postings.created_at')
    .orderBy('entry_id')
    .orderBy('account_id')
    .execute();

const posted = sql<number>`coalesce(sum(amount_paise), 0)::bigint`;

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
    .execute();

export const sumOfAllPostings = async (db: Db): Promise<number> => {
  const { total } = await db.selectFrom('ledger_postings').select(posted.as('total')).executeTakeFirstOrThrow();
  return total;
};

const idsOf = async (rows: Promise<{ rows: { id: string }[] }>) => (await rows).rows.map(({ id }) => id);

/** Wallets whose postings come to less than nothing. */
export const overdrawnWallets = (db: Db) =>
  idsOf(
    sql<{ id: string }>`
      select account_id as id from ledger_postings join ledger_accounts on ledger_accounts.id = account_id
       where customer_id is not null group by account_id having sum(amount_paise) < 0 order by account_id`.execute(db),
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
       order by entry.id`.execute(db),
  );

export const ordersPaidTwice = (db: Db) =>
  idsOf(
    sql<{ id: string }>`
      select order_id as id from ledger_entries where kind = 'paid' group by order_id having count(*) > 1 order by order_id`.execute(db),
  );
