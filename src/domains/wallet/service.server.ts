/** Wallet movements, balance and audit. A movement is recorded once for each reference. */
import { newId } from '../../lib/ids.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { CreditKind, MovementKind, WalletTransaction } from './contract.ts';
import {
  allPostings,
  balanceOf,
  driftedWallets,
  insertMovement,
  movementsOf,
  ordersPaidTwice,
  overdrawnWallets,
  sumOfAllPostings,
  unbalancedEntries,
  type PostedLine,
} from './store.server.ts';

interface Credit {
  customerId: string;
  kind: CreditKind;
  amountPaise: Paise;
  reason: string;
  reference: string;
  orderId?: string;
  at: Date;
}

/**
 * Adds money to a wallet. Writes nothing and returns 'already-recorded' if a movement with this
 * reference exists.
 */
export async function creditWallet(db: Db, credit: Credit): Promise<'recorded' | 'already-recorded'> {
  invariant(credit.amountPaise > 0, 'a credit is positive');
  const recorded = await insertMovement(db, { ...credit, entryId: newId(), walletPaise: credit.amountPaise, orderId: credit.orderId });
  return recorded ? 'recorded' : 'already-recorded';
}

export const walletBalance = async (db: Db, customer: SignedInCustomer): Promise<Paise> => asPaise(await balanceOf(db, customer.id));

/** Newest first. Amounts are positive; `t_type` distinguishes credits from payments. */
export async function listTransactions(
  db: Db,
  customer: SignedInCustomer,
  page: { offset: number; limit: number },
): Promise<WalletTransaction[]> {
  const rows = await movementsOf(db, customer.id, page);
  return rows.map((row) => ({
    tid: row.id,
    t_type: row.kind as MovementKind,
    t_date: kolkataDateTime(row.created_at),
    t_amount: asPaise(Math.abs(row.amount_paise)),
    t_order: row.order_id,
  }));
}

/** The faults of a ledger (docs/ledger.md, "Auditing"). */
export interface LedgerAudit {
  sumPaise: number;
  /** Wallets whose stored balance is not the sum of their postings. */
  drifted: { id: string; balance_paise: number; posted_paise: number }[];
  /** Wallets whose postings sum to less than zero. */
  overdrawn: string[];
  /** Entries without two postings, on the kind's account and on a wallet, that sum to zero. */
  unbalanced: string[];
  /** Orders that a wallet paid more than once. */
  paidTwice: string[];
}

/** Recalculates all balances from the postings, in one snapshot. */
export const auditLedger = (db: Db): Promise<LedgerAudit> =>
  db.transaction().setIsolationLevel('repeatable read').execute(auditInTransaction);

/** Like `auditLedger`, in an open transaction, which must be 'repeatable read'. */
export const auditInTransaction = async (db: Db): Promise<LedgerAudit> => ({
  sumPaise: await sumOfAllPostings(db),
  drifted: await driftedWallets(db),
  overdrawn: await overdrawnWallets(db),
  unbalanced: await unbalancedEntries(db),
  paidTwice: await ordersPaidTwice(db),
});

/** Returns true if the audit found no fault. */
export const isSound = ({ sumPaise, ...faults }: LedgerAudit): boolean =>
  sumPaise === 0 && Object.values(faults).every((rows) => rows.length === 0);

export interface LedgerLine {
  /** Date-time in Asia/Kolkata. */
  time: string;
  entry: string;
  kind: string;
  reason: string;
  reference: string;
  /** Empty if the movement belongs to no order. */
  order: string;
  account: string;
  paise: number;
}

const LINES_PER_BATCH = 1000;

/**
 * Passes every posting of one snapshot to `writeBatch`, oldest first. Batches bound the memory,
 * because the ledger only grows.
 */
export const readLedger = (db: Db, writeBatch: (lines: LedgerLine[]) => Promise<void>, batchSize = LINES_PER_BATCH): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      for await (const rows of allPostings(tx, batchSize)) await writeBatch(rows.map(toLedgerLine));
    });

const toLedgerLine = (row: PostedLine): LedgerLine => ({
  time: kolkataDateTime(row.created_at),
  entry: row.entry_id,
  kind: row.kind,
  reason: row.reason,
  reference: row.reference,
  order: row.order_id ?? '',
  account: row.account_id,
  paise: row.amount_paise,
});
