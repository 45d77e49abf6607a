/**
 * The customer's wallet: its balance, which the laundry owes the customer, and its movements.
 * Specification sections 2, 3, 4, 7 and 9; docs/ledger.md.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, rupees } from '../../contract/define-call.ts';

/**
 * Types of transaction. 'paid' debits the wallet; the others credit it (specification section 4,
 * "Transactions").
 */
const TRANSACTION_TYPES = ['promotion', 'compensation', 'change', 'cashback', 'paid'] as const;

/**
 * Kinds of movement. 'paid' and 'payout', money that the laundry paid back, debit the wallet. A
 * customer reads a payout as a transaction of the type 'paid'.
 */
export const MOVEMENT_KINDS = [...TRANSACTION_TYPES, 'payout'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];
export type CreditKind = Exclude<MovementKind, 'paid' | 'payout'>;

export const TRANSACTIONS_PER_PAGE = 10;
/**
 * One more than a page: an eleventh row proves that there are more (design section 6, "Load more").
 */
export const FIRST_PAGE_LIMIT = TRANSACTIONS_PER_PAGE + 1;

export const walletMessages = defineMessages({ fetched: 'Transactions fetched successfully', none: 'No transactions' });

export const walletError = defineErrors({ 'out-of-transactions': 'out of transactions' });

/** Why the program made a movement. The staff's own words about a credit are internal. */
export const MOVEMENT_CAUSES = ['referral', 'report', 'cancelled-order', 'overpaid', 'taken-back'] as const;
export type MovementCause = (typeof MOVEMENT_CAUSES)[number];

const transaction = z.object({
  tid: z.string(),
  t_type: z.enum(TRANSACTION_TYPES),
  /** Date-time in Asia/Kolkata; the first ten characters are shown as the day. */
  t_date: z.string(),
  /** Always positive: `t_type` determines the direction. */
  t_amount: rupees,
  /** The order that the movement belongs to. */
  t_order: z.nullable(z.string()),
  /** Null: a credit of the staff, or a payment. */
  t_cause: z.nullable(z.enum(MOVEMENT_CAUSES)),
  /** How and why the laundry paid the amount back to the customer. Null: another movement. */
  t_paid_back: z.nullable(z.string()),
});
export type WalletTransaction = z.output<typeof transaction>;

export const getTransactions = defineCall({
  method: 'POST',
  path: 'transactions/gettransaction.php',
  summary: 'The newest movements of the wallet; eleven at most.',
  caller: 'customer',
  body: z.object({ userid: expectedUserid }),
  data: z.array(transaction),
});

export const getMoreTransactions = defineCall({
  method: 'POST',
  path: 'transactions/getmoretransaction.php',
  summary: 'The next ten movements after `offset`, newest first.',
  caller: 'customer',
  errors: walletError.texts,
  body: z.object({ userid: expectedUserid, offset: z.int().check(z.gte(0), z.lte(100_000)) }),
  data: z.array(transaction),
});
