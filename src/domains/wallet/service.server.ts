/** Moving money, and telling how much there is. Every movement has a reference, so doing it twice does it once. */
import { newId } from '../../kit/ids.ts';
import { kolkataDateTime } from '../../kit/dates.ts';
import { invariant } from '../../kit/invariant.ts';
import { asPaise, type Paise } from '../../kit/money.ts';
import type { Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../accounts/gate.server.ts';
import type { CreditKind, MovementKind, WalletTransaction } from './contract.ts';
import { balanceOf, driftedWallets, insertMovement, movementsOf, sumOfAllPostings } from './store.server.ts';

interface Credit {
  customerId: string;
  kind: CreditKind;
  amountPaise: Paise;
  reason: string;
  reference: string;
  orderId?: string;
  at: Date;
}

/** Gives to a wallet. 'already recorded' when the reference was used before: nothing was written. */
export async function creditWallet(db: Db, credit: Credit): Promise<'recorded' | 'already recorded'> {
  invariant(credit.amountPaise > 0, 'a credit is more than nothing');
  const recorded = await insertMovement(db, { ...credit, entryId: newId(), walletPaise: credit.amountPaise, orderId: credit.orderId });
  return recorded ? 'recorded' : 'already recorded';
}

export const walletBalance = async (db: Db, customer: SignedInCustomer): Promise<Paise> => asPaise(await balanceOf(db, customer.id));

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
  }));
}

export interface LedgerAudit {
  /** 0 in a sound ledger. */
  sumPaise: number;
  /** Wallets whose kept balance is not the sum of their postings; none in a sound ledger. */
  drifted: { id: string; balance_paise: number; posted_paise: number }[];
}

export const auditLedger = async (db: Db): Promise<LedgerAudit> => ({
  sumPaise: await sumOfAllPostings(db),
  drifted: await driftedWallets(db),
});
