/** The queries of the audits of the ledger (docs/ledger.md, "Auditing"). */
import { sql, type RawBuilder } from 'kysely';
import type { Paise } from '../../lib/money.ts';
import type { Db } from '../../db/database.server.ts';

const postedSumSql = sql<Paise>`coalesce(sum(amount_paise), 0)::bigint`;

/** An audit lists this many faults of each kind. */
const MAX_LISTED = 100;

/**
 * A transaction id of PostgreSQL, as text. An audit with a mark reads the entries of the
 * transactions from it on, and the wallets that they move.
 */
export type Mark = string;

/** SQL condition on an entry. True for every entry without a mark. */
const isSinceSql = (mark: Mark | undefined) => (mark === undefined ? sql<boolean>`true` : sql<boolean>`entry.xid >= ${mark}::text::xid8`);

/** SQL condition on the account of a posting: an entry since the mark moves it. */
const movesSinceSql = (account: RawBuilder<string>, mark: Mark | undefined) =>
  mark === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${account} in (
        select account_id from ledger_entries entry join ledger_postings moved on moved.entry_id = entry.id where ${isSinceSql(mark)})`;

/**
 * Returns a mark for the next audit: in the snapshot of this transaction, every transaction before
 * it has ended.
 */
export async function readNextMark(db: Db): Promise<Mark> {
  const { rows } = await sql<{ mark: Mark }>`select pg_snapshot_xmin(pg_current_snapshot())::text as mark`.execute(db);
  return rows[0]?.mark ?? '';
}

/**
 * Returns the wallets whose stored balance is not the sum of their postings, at most `MAX_LISTED`.
 */
export const listDriftedWallets = (db: Db, mark?: Mark) =>
  db
    .selectFrom('ledger_accounts')
    .leftJoin('ledger_postings', 'ledger_postings.account_id', 'ledger_accounts.id')
    .select(['ledger_accounts.id', 'balance_paise', postedSumSql.as('posted_paise')])
    .where('customer_id', 'is not', null)
    .where(movesSinceSql(sql.ref('ledger_accounts.id'), mark))
    .groupBy('ledger_accounts.id')
    .having('balance_paise', '<>', postedSumSql)
    .orderBy('ledger_accounts.id')
    .limit(MAX_LISTED)
    .execute();

/** Returns paise: 0 in a balanced ledger. With a mark, sums the entries since it. */
export const sumAllPostings = async (db: Db, mark?: Mark): Promise<number> => {
  const { total } = await db
    .selectFrom('ledger_postings')
    .select(postedSumSql.as('total'))
    .where(
      mark === undefined ? sql<boolean>`true` : sql<boolean>`entry_id in (select id from ledger_entries entry where ${isSinceSql(mark)})`,
    )
    .executeTakeFirstOrThrow();
  return total;
};

const listIds = async (rows: Promise<{ rows: { id: string }[] }>) => (await rows).rows.map(({ id }) => id);

/** Returns the ids of wallets whose postings sum to less than zero, at most `MAX_LISTED`. */
export const listOverdrawnWallets = (db: Db, mark?: Mark) =>
  listIds(
    sql<{ id: string }>`
      select account_id as id from ledger_postings join ledger_accounts on ledger_accounts.id = account_id
       where customer_id is not null and ${movesSinceSql(sql.ref('account_id'), mark)}
       group by account_id having sum(amount_paise) < 0 order by account_id limit ${MAX_LISTED}`.execute(db),
  );

/**
 * Returns ids of entries that are not two matching postings, and of reversals that do not mirror
 * their entry, at most `MAX_LISTED`.
 */
export const listUnbalancedEntries = (db: Db, mark?: Mark) =>
  listIds(
    sql<{ id: string }>`
      select entry.id
        from ledger_entries entry
        left join ledger_postings posting on posting.entry_id = entry.id
        left join ledger_accounts account on account.id = posting.account_id
       where ${isSinceSql(mark)}
       group by entry.id
      having count(posting.entry_id) <> 2 or sum(posting.amount_paise) is distinct from 0
          or count(account.customer_id) <> 1 or count(*) filter (where posting.account_id = entry.kind) <> 1
          or bool_or(entry.reverses is not null and not exists (
               select from ledger_postings reversed
                where reversed.entry_id = entry.reverses and reversed.account_id = posting.account_id
                  and reversed.amount_paise = -posting.amount_paise))
       order by entry.id limit ${MAX_LISTED}`.execute(db),
  );

/** Returns ids of orders with two wallet payments, at most `MAX_LISTED`. */
export const listOrdersPaidTwice = (db: Db, mark?: Mark) =>
  listIds(
    sql<{ id: string }>`
      select order_id as id from ledger_entries
       where kind = 'paid' and ${mark === undefined ? sql`true` : sql`order_id in (select order_id from ledger_entries entry where ${isSinceSql(mark)})`}
       group by order_id having count(*) > 1 order by order_id limit ${MAX_LISTED}`.execute(db),
  );
