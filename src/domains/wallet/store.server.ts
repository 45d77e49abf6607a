import { sql, type RawBuilder, type Selectable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../db/database.server.ts';
import type { LedgerEntries } from '../../db/tables.generated.ts';
import type { MovementKind } from './contract.ts';
import type { WalletMovement } from './own-money-rules.ts';
import { ledgerReference } from './reference-rules.ts';
import { asPaise, type Paise } from '../../lib/money.ts';

export interface Movement {
  entryId: string;
  customerId: string;
  kind: MovementKind;
  /** Positive for a credit of the wallet, negative for a payment from it and for a payout. */
  walletPaise: number;
  reason: string;
  /** Movements with the same reference are one movement. */
  reference: string;
  orderId: string | undefined;
  at: Date;
}

/**
 * SQL for a larger statement, after `with`: records a movement as an entry with its two postings,
 * and creates the wallet if it is the first one. The part `entry` returns the new entry. It returns
 * no row, and nothing is posted, if the reference exists or the wallet has paid the order.
 * The database refuses an unbalanced entry and a negative balance (migrations/0003_ledger.sql).
 */
export function movementSql({ entryId, customerId, kind, walletPaise, reason, reference, orderId, at }: Movement) {
  const wallet = `wallet:${customerId}`;
  return sql`wallet as (
      insert into ledger_accounts (id, customer_id) values (${wallet}, ${customerId}) on conflict do nothing
    ), entry as (
      insert into ledger_entries (id, kind, reason, reference, order_id, created_at)
      values (${entryId}, ${kind}, ${reason}, ${reference}, ${orderId ?? null}, ${at})
      -- Without a target: concurrent payments of one order can conflict on either unique index.
      on conflict do nothing
      returning id, order_id, created_at
    ), posted as (
      insert into ledger_postings (entry_id, account_id, amount_paise, created_at)
      select entry.id, side.account_id, side.amount_paise, entry.created_at
        from entry, (values (${wallet}, ${walletPaise}::bigint), (${kind}, -${walletPaise}::bigint)) side (account_id, amount_paise)
      returning 1
    )`;
}

/**
 * Returns false if the reference exists or the wallet has paid the order. Throws the database error
 * if the balance would become negative.
 */
export async function insertMovement(db: Db, movement: Movement): Promise<boolean> {
  const { rows } = await sql`with ${movementSql(movement)} select id from entry`.execute(db);
  return rows.length === 1;
}

/**
 * Returns the unreversed overpayment credits of orders with their amounts, newest first. `orderids`
 * must not be empty.
 */
export const listOverpaymentCredits = (db: Db, orderids: readonly string[]) =>
  db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_postings', 'entry_id', 'ledger_entries.id')
    .select(['order_id', 'reference', 'amount_paise'])
    .where('kind', '=', 'change')
    .where('order_id', 'in', orderids)
    .where('reverses', 'is', null)
    .where('account_id', 'like', 'wallet:%')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('ledger_entries as reversal').select('reversal.id').whereRef('reversal.reverses', '=', 'ledger_entries.id'))),
    )
    .orderBy('ledger_entries.created_at', 'desc')
    .orderBy('ledger_entries.id', 'desc')
    .execute();

/** The credit or debit of a wallet in a transaction. JSON contains the time as text. */
export interface OverpaymentChange {
  amount_paise: Paise;
  created_at: string;
}

/**
 * SQL for a part of a query: the changes of the overpayment of an order that is in the wallet, the
 * oldest first. The entries of a transaction have one time, so that a reversal counts together with
 * the part that stays.
 */
export const overpaymentChangesSql = (orderId: RawBuilder<string>) =>
  jsonArrayFrom(sql<OverpaymentChange>`(
    select sum(amount_paise)::bigint as amount_paise, ledger_entries.created_at
      from ledger_entries join ledger_postings on entry_id = ledger_entries.id
     where order_id = ${orderId} and kind = ${sql.lit('change' satisfies MovementKind)} and account_id like 'wallet:%'
     group by ledger_entries.created_at order by ledger_entries.created_at)`);

/** The references of a claim's credits are this, the claim, and for a later credit more. */
const CLAIM_PREFIX = sql.lit(ledgerReference('claim', { claim: '' }));

/** The reversal of a claim's credit. JSON contains the time as text. */
export interface ClaimCreditReversal {
  amount_paise: Paise;
  created_at: string;
}

/**
 * SQL for a part of a query: the reversals of a claim's credits, the latest first. Reads the
 * movements of the customer's wallet, which have an index.
 */
export const reversedClaimCreditsSql = (customerId: RawBuilder<string>, claimId: RawBuilder<string>) =>
  jsonArrayFrom(sql<ClaimCreditReversal>`(
    select -amount_paise as amount_paise, reversal.created_at
      from ledger_postings
      join ledger_entries reversal on reversal.id = entry_id
      join ledger_entries credit on credit.id = reversal.reverses
     where account_id = 'wallet:' || ${customerId}
       and (credit.reference = ${CLAIM_PREFIX} || ${claimId} or starts_with(credit.reference, ${CLAIM_PREFIX} || ${claimId} || ':'))
     order by reversal.created_at desc)`);

/**
 * Locks the wallet of a customer until the end of the transaction and returns its balance, 0 if it
 * has none.
 */
export async function lockBalance(tx: Tx, customerId: string): Promise<Paise> {
  const wallet = await tx
    .selectFrom('ledger_accounts')
    .select('balance_paise')
    .where('customer_id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return wallet?.balance_paise ?? asPaise(0);
}

/**
 * Returns the credit with this reference, with the time and reason of its reversal, or nulls.
 * Undefined for an unknown reference and for a debit.
 */
export const findCredit = (db: Db, reference: string) =>
  db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_postings', 'entry_id', 'ledger_entries.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .leftJoin('ledger_entries as reversal', 'reversal.reverses', 'ledger_entries.id')
    .select(['customer_id', 'amount_paise', 'reversal.created_at as reversed_at', 'reversal.reason as reversal_reason'])
    .where('ledger_entries.reference', '=', reference)
    .where('customer_id', 'is not', null)
    .where('amount_paise', '>', asPaise(0))
    .executeTakeFirst();

/**
 * Records the entry that negates the credit with this reference. Returns false if it is unknown or
 * reversed. The database refuses a negative balance.
 */
export async function insertReversal(
  tx: Tx,
  { entryId, reference, reason, at }: { entryId: string; reference: string; reason: string; at: Date },
): Promise<boolean> {
  const reversalReference = ledgerReference('reversal', { reference });
  const { rows } = await sql`
    with entry as (
      insert into ledger_entries (id, kind, reason, reference, order_id, reverses, created_at)
      select ${entryId}, kind, ${reason}, ${reversalReference}, order_id, id, ${at}
        from ledger_entries where reference = ${reference}
      on conflict do nothing
      returning id, reverses, created_at
    )
    insert into ledger_postings (entry_id, account_id, amount_paise, created_at)
    select entry.id, account_id, -amount_paise, entry.created_at
      from entry join ledger_postings posting on posting.entry_id = entry.reverses
    returning 1`.execute(tx);
  return rows.length === 2;
}

/** A posting has the time of its entry. */
const selectMovements = (db: Db) =>
  db
    .selectFrom('ledger_postings')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'entry_id')
    .select(['ledger_entries.kind', 'ledger_entries.reason', 'ledger_entries.reference', 'ledger_entries.order_id'])
    .select(['ledger_postings.created_at', 'ledger_postings.amount_paise']);

const selectWalletEntries = (db: Db) =>
  selectMovements(db)
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .leftJoin('ledger_entries as reversal', 'reversal.reverses', 'ledger_entries.id')
    .select(['ledger_entries.id', 'customer_id'])
    .select(['reversal.created_at as reversed_at', 'reversal.reason as reversal_reason'])
    .where('customer_id', 'is not', null);

/** A movement of a wallet, with the time and reason of its reversal, or nulls. */
export interface WalletEntry extends Pick<Selectable<LedgerEntries>, 'id' | 'kind' | 'reason' | 'reference' | 'order_id'> {
  created_at: Date;
  amount_paise: Paise;
  customer_id: string | null;
  reversed_at: Date | null;
  reversal_reason: string | null;
}

/** For the laundry only: the movements of a customer with reason and reversal, newest first. */
export const listEntries = (db: Db, customerId: string, limit: number): Promise<WalletEntry[]> =>
  selectWalletEntries(db)
    .where('account_id', '=', `wallet:${customerId}`)
    .orderBy('ledger_postings.created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(limit)
    .execute();

/**
 * For the laundry only. Returns undefined for an unknown entry, and for one that moves no wallet.
 */
export const findEntry = (db: Db, entry: { id: string } | { reference: string }): Promise<WalletEntry | undefined> =>
  selectWalletEntries(db)
    .where((eb) => ('id' in entry ? eb('ledger_entries.id', '=', entry.id) : eb('ledger_entries.reference', '=', entry.reference)))
    .executeTakeFirst();

/** SQL for a part of a query: a customer's balance in paise, null before the first movement. */
export const balanceSql = (customerId: string) =>
  sql<Paise | null>`(select balance_paise from ledger_accounts where customer_id = ${customerId})`;

/** Returns paise. Returns 0 for a customer without a wallet. */
export const readBalance = async (db: Db, customerId: string): Promise<Paise> => {
  const { balance } = await db.selectNoFrom(balanceSql(customerId).as('balance')).executeTakeFirstOrThrow();
  return balance ?? asPaise(0);
};

/**
 * Returns the movements of a wallet, the oldest first, those of one time with the credits first.
 * Sums the change of an order at one time: a transaction reverses whole credits, and credits the
 * rest again.
 */
export async function listOwnMoneyMovements(db: Db, customerId: string): Promise<WalletMovement[]> {
  const { rows } = await sql<WalletMovement>`
    select kind, order_id, sum(amount_paise)::bigint as amount_paise
      from ledger_postings join ledger_entries on ledger_entries.id = entry_id
     where account_id = ${`wallet:${customerId}`}
     group by ledger_postings.created_at, kind, order_id, case when kind = ${sql.lit('change' satisfies MovementKind)} then '' else entry_id end
     order by ledger_postings.created_at, amount_paise desc, max(entry_id)`.execute(db);
  return rows;
}

/** Returns a page of movements, newest first. The id orders rows of the same time. */
export const listMovements = (db: Db, customerId: string, page: { offset: number; limit: number }) =>
  selectMovements(db)
    .select('ledger_entries.id')
    .where('account_id', '=', `wallet:${customerId}`)
    .orderBy('ledger_postings.created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();

export interface PostedLine {
  entry_id: string;
  account_id: string;
  amount_paise: Paise;
  created_at: Date;
  kind: string;
  reason: string;
  reference: string;
  order_id: string | null;
}

/**
 * Yields every posting with its entry, oldest first, in batches. The cursor needs a transaction.
 */
export async function* listPostingBatches(tx: Db, batchSize: number): AsyncGenerator<PostedLine[]> {
  await sql`declare all_postings no scroll cursor for
    select entry_id, account_id, amount_paise, posting.created_at, kind, reason, reference, order_id
      from ledger_postings posting join ledger_entries entry on entry.id = entry_id
     order by posting.created_at, entry_id, account_id`.execute(tx);
  for (;;) {
    const { rows } = await sql<PostedLine>`fetch ${sql.lit(batchSize)} from all_postings`.execute(tx);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Returns the number of postings and the sum of all wallets in paise. */
export const readLedgerTotals = (db: Db) =>
  db
    .selectFrom('ledger_postings')
    .select([
      sql<number>`count(*)`.as('postings'),
      sql<number>`coalesce(sum(amount_paise) filter (where account_id like 'wallet:%'), 0)::bigint`.as('walletsPaise'),
    ])
    .executeTakeFirstOrThrow();

/** Returns all movements for the export of a customer's data, oldest first. */
export const listAllMovements = (db: Db, customerId: string) =>
  selectMovements(db).where('account_id', '=', `wallet:${customerId}`).orderBy('ledger_postings.created_at').execute();

/**
 * Removes the reasons of a customer's movements, which the staff may have written. The trigger of
 * the entries allows this change and no other.
 */
export const eraseReasonsOfMovements = (tx: Tx, customerId: string) =>
  tx
    .updateTable('ledger_entries')
    .set({ reason: 'erased' })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('ledger_postings')
        .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
        .select('entry_id')
        .where('customer_id', '=', customerId),
    )
    .execute();
