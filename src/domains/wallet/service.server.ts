/** Wallet movements, balance and audit. A movement is recorded once for each reference. */
import { newId } from '../../lib/ids.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, excessPaise, type Paise } from '../../lib/money.ts';
import { inSnapshot, transaction, type Db, type Snapshot, type Tx } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { lockCustomerOrThrow } from '../accounts/locks-service.server.ts';
import {
  listDriftedWallets,
  readNextMark,
  listOrdersPaidTwice,
  listOverdrawnWallets,
  sumAllPostings,
  listUnbalancedEntries,
  type Mark,
} from './audit-store.server.ts';
import type { CreditKind, WalletTransaction } from './contract.ts';
import { ownMoneyPaise } from './own-money-rules.ts';
import { causeOf, claimOfCredit, isGrant, ledgerReference } from './reference-rules.ts';
import {
  listPostingBatches,
  readBalance,
  listOverpaymentCredits,
  findCredit,
  findEntry,
  insertMovement,
  insertReversal,
  lockBalance,
  listMovements,
  listOwnMoneyMovements,
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
 * Adds money to a wallet; no other function does. Writes nothing and returns 'already-recorded' if
 * a movement with this reference exists. The amount must be positive. Throws `ApiError` (conflict)
 * if the customer is erased. A concurrent erasure waits, and then requires a confirmation of the
 * loss of the credit.
 */
export const creditWallet = (db: Db, credit: Credit): Promise<'recorded' | 'already-recorded'> =>
  transaction(db, async (tx) => {
    invariant(credit.amountPaise > 0, 'a credit is positive');
    await lockCustomerOrThrow(tx, credit.customerId);
    const recorded = await insertMovement(tx, { ...credit, entryId: newId(), walletPaise: credit.amountPaise, orderId: credit.orderId });
    return recorded ? 'recorded' : 'already-recorded';
  });

/** Returns the overpayment of an order that the wallet was credited with, without reversals. */
export const creditedOverpayment = async (db: Db, orderid: string): Promise<number> => sumOf(await listOverpaymentCredits(db, [orderid]));

/**
 * Returns the result of `creditedOverpayment` for each of several orders, by their ids. `orderids`
 * must not be empty.
 */
export async function creditedOverpayments(db: Db, orderids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const entries = Map.groupBy(await listOverpaymentCredits(db, orderids), ({ order_id }) => order_id);
  return new Map(orderids.map((id) => [id, sumOf(entries.get(id) ?? [])]));
}

const sumOf = (entries: readonly { amount_paise: number }[]) => entries.reduce((sum, { amount_paise }) => sum + amount_paise, 0);

export type CreditReversal =
  | { status: 'reversed'; amountPaise: Paise; reason: string }
  | { status: 'unknown-credit' }
  | { status: 'already-reversed'; at: Date; reason: string }
  /** The wallet has less than the credit. Nothing was written. */
  | { status: 'spent'; amountPaise: Paise; balancePaise: Paise };

interface CreditReversalInput {
  /** The reference of the credit. */
  reference: string;
  reason: string;
  at: Date;
}

/**
 * Reverses a grant once. Returns 'unknown-credit' for every other credit: those belong to a
 * payment, a claim or a referral. Throws `ApiError` (conflict) if the customer is erased.
 */
export async function reverseGrant(db: Db, reversal: CreditReversalInput): Promise<CreditReversal> {
  if (!isGrant(reversal.reference)) return { status: 'unknown-credit' };
  return transaction(db, async (tx) => {
    const owner = await findCredit(tx, reversal.reference);
    if (owner?.customer_id) await lockCustomerOrThrow(tx, owner.customer_id);
    return reverseCredit(tx, reversal);
  });
}

/**
 * Reverses the credit of a settled claim once. Returns 'unknown-credit' for any other credit. The
 * caller has locked the claim.
 */
export const reverseClaimCredit = async (tx: Tx, reversal: CreditReversalInput): Promise<CreditReversal> =>
  claimOfCredit(reversal.reference) === undefined ? { status: 'unknown-credit' } : reverseCredit(tx, reversal);

/**
 * Reverses a credit of any kind once. Locks the wallet, so that its balance is exact and of two
 * concurrent calls one reverses. The caller has locked the customer.
 */
export async function reverseCredit(tx: Tx, { reference, reason, at }: CreditReversalInput): Promise<CreditReversal> {
  const owner = await findCredit(tx, reference);
  if (!owner?.customer_id) return { status: 'unknown-credit' };
  const balancePaise = await lockBalance(tx, owner.customer_id);
  const credit = await findCredit(tx, reference);
  invariant(credit, 'a credit is never removed');
  if (credit.reversed_at) return { status: 'already-reversed', at: credit.reversed_at, reason: credit.reversal_reason ?? '' };
  const amountPaise = credit.amount_paise;
  if (balancePaise < amountPaise) return { status: 'spent', amountPaise, balancePaise };
  const recorded = await insertReversal(tx, { entryId: newId(), reference, reason, at });
  invariant(recorded, 'the locked wallet has the credit');
  return { status: 'reversed', amountPaise, reason };
}

interface PayOut {
  customerId: string;
  amountPaise: Paise;
  /** How and why. The customer reads it. */
  reason: string;
  reference: string;
  at: Date;
}

export type PayOutResult =
  | { status: 'paid-out' }
  | { status: 'already-recorded' }
  /** The wallet has less than the amount. Nothing was written. */
  | { status: 'exceeds-balance'; balancePaise: Paise };

/**
 * Debits money that the laundry pays back to the customer outside of the program. Locks the wallet,
 * so that its balance is exact. Writes nothing and returns 'already-recorded' if a movement with
 * this reference exists. The amount must be positive. Throws `ApiError` (conflict) if the customer
 * is erased.
 */
export async function payOutOfWallet(tx: Tx, payOut: PayOut): Promise<PayOutResult> {
  const { customerId, amountPaise, reference } = payOut;
  invariant(amountPaise > 0, 'a payout is positive');
  await lockCustomerOrThrow(tx, customerId);
  const balancePaise = await lockBalance(tx, customerId);
  if (await findEntry(tx, { reference })) return { status: 'already-recorded' };
  if (balancePaise < amountPaise) return { status: 'exceeds-balance', balancePaise };
  const recorded = await insertMovement(tx, { ...payOut, entryId: newId(), kind: 'payout', walletPaise: -amountPaise, orderId: undefined });
  invariant(recorded, 'the locked wallet has no movement with the reference');
  return { status: 'paid-out' };
}

export interface OverpaymentReduction {
  customerId: string;
  orderId: string;
  /** The overpayment that payments still justify. */
  remainingPaise: number;
  /** The credit that is reversed first. */
  reference: string;
  reason: string;
  at: Date;
}

export type OverpaymentReductionResult =
  | { status: 'reduced'; debitedPaise: Paise }
  /** The wallet does not cover the debit. Nothing was written. */
  | { status: 'spent'; debitPaise: Paise; balancePaise: Paise };

/**
 * Reverses the credits of an order's overpayment that payments no longer justify. Only whole
 * entries are reversed, that of `reference` first, then the newest; a part that remains overpaid is
 * credited again. Returns 0 as `debitedPaise` if nothing has to be reversed. The caller holds the
 * order's lock.
 */
export async function reduceOverpaymentCredit(tx: Tx, reduction: OverpaymentReduction): Promise<OverpaymentReductionResult> {
  const { customerId, orderId, remainingPaise, reference, reason, at } = reduction;
  const entries = await listOverpaymentCredits(tx, [orderId]);
  const creditedPaise = sumOf(entries);
  const debitedPaise = excessPaise(creditedPaise, remainingPaise);
  if (debitedPaise === 0) return { status: 'reduced', debitedPaise };
  const balancePaise = await lockBalance(tx, customerId);
  if (balancePaise < debitedPaise) return { status: 'spent', debitPaise: debitedPaise, balancePaise };

  const first = entries.filter((entry) => entry.reference === reference);
  const candidates = [...first, ...entries.filter((entry) => !first.includes(entry))];
  let reversedPaise = 0;
  const reversed = candidates.filter(({ amount_paise }) => {
    if (reversedPaise >= debitedPaise) return false;
    reversedPaise += amount_paise;
    return true;
  });
  // Credited before the reversals: the balance may cover only the difference.
  if (reversedPaise > debitedPaise) {
    const amountPaise = asPaise(reversedPaise - debitedPaise);
    const result = await creditWallet(tx, {
      customerId,
      kind: 'change',
      amountPaise,
      reason,
      reference: ledgerReference('remainder', { reference }),
      orderId,
      at,
    });
    invariant(result === 'recorded', 'each reduction has its own reference');
  }
  for (const entry of reversed) {
    const recorded = await insertReversal(tx, { entryId: newId(), reference: entry.reference, reason, at });
    invariant(recorded, 'the lock of the order excludes another reversal');
  }
  return { status: 'reduced', debitedPaise };
}

/** Returns the paise of a wallet that surely are no promotion, as `ownMoneyPaise` describes. */
export const readOwnMoney = async (db: Db, customerId: string): Promise<Paise> =>
  ownMoneyPaise(await listOwnMoneyMovements(db, customerId));

export const walletBalance = async (db: Db, customer: SignedInCustomer): Promise<Paise> => await readBalance(db, customer.id);

/**
 * Returns the transactions, newest first. Amounts are positive; `t_type` is 'paid' for every debit,
 * also for a payout and a reversed credit.
 */
export async function listTransactions(
  db: Db,
  customer: SignedInCustomer,
  page: { offset: number; limit: number },
): Promise<WalletTransaction[]> {
  const rows = await listMovements(db, customer.id, page);
  return rows.map((row) => ({
    tid: row.id,
    // A reversed credit and a payout are debits, and 'paid' is the only specified debit.
    t_type: row.kind === 'payout' || row.amount_paise < 0 ? 'paid' : row.kind,
    t_date: kolkataDateTime(row.created_at),
    t_amount: asPaise(Math.abs(row.amount_paise)),
    t_order: row.order_id,
    t_cause: causeOf(row.reference),
    t_paid_back: row.kind === 'payout' ? row.reason : null,
  }));
}

/** The faults of a ledger (docs/ledger.md, "Auditing"). */
export interface LedgerAudit {
  sumPaise: number;
  /** Wallets whose stored balance is not the sum of their postings. */
  drifted: { id: string; balance_paise: Paise; posted_paise: Paise }[];
  /** Wallets whose postings sum to less than zero. */
  overdrawn: string[];
  /** Entries without two postings, on the kind's account and on a wallet, that sum to zero. */
  unbalanced: string[];
  /** Orders that a wallet paid more than once. */
  paidTwice: string[];
}

/** Compares all balances with the postings, in one snapshot, and returns the faults. */
export const auditLedger = (db: Db): Promise<LedgerAudit> => inSnapshot(db, (on) => auditSnapshot(on));

const QUERIES = {
  sumPaise: sumAllPostings,
  drifted: listDriftedWallets,
  overdrawn: listOverdrawnWallets,
  unbalanced: listUnbalancedEntries,
  paidTwice: listOrdersPaidTwice,
} satisfies { [Part in keyof LedgerAudit]: (db: Db, mark?: Mark) => Promise<LedgerAudit[Part]> };

/** The number of queries of an audit. */
export const AUDIT_QUERIES = Object.keys(QUERIES).length;

/** Audits the ledger of a snapshot. Calls `onQuery` with the number of queries that are done. */
export const auditSnapshot = (on: Snapshot, onQuery?: (done: number) => Promise<unknown>): Promise<LedgerAudit> =>
  auditSince(on, undefined, onQuery);

async function auditSince(on: Snapshot, mark: Mark | undefined, onQuery?: (done: number) => Promise<unknown>): Promise<LedgerAudit> {
  let done = 0;
  const run = async <Result>(query: (db: Db, mark?: Mark) => Promise<Result>): Promise<Result> => {
    const result = await query(on, mark);
    await onQuery?.(++done);
    return result;
  };
  return {
    sumPaise: await run(QUERIES.sumPaise),
    drifted: await run(QUERIES.drifted),
    overdrawn: await run(QUERIES.overdrawn),
    unbalanced: await run(QUERIES.unbalanced),
    paidTwice: await run(QUERIES.paidTwice),
  };
}

export interface NewEntriesAudit {
  /** Undefined without a mark. An audit of the whole ledger reads the entries before. */
  audit: LedgerAudit | undefined;
  /** The mark for the next audit. */
  mark: Mark;
}

/**
 * Audits the entries since the mark, and the wallets that they move against all their postings. A
 * mark of another server, which this one has not reached, finds no entry.
 */
export async function auditNewEntries(on: Snapshot, mark: Mark | null): Promise<NewEntriesAudit> {
  return { audit: mark === null ? undefined : await auditSince(on, mark), mark: await readNextMark(on) };
}

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
  inSnapshot(db, async (on) => {
    for await (const rows of listPostingBatches(on, batchSize)) await writeBatch(rows.map(toLedgerLine));
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
