/** Weighs orders. An order that the staff moved back to its pickup can have payments. */
import type { Paise } from '../../lib/money.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { Stage } from '../orders/contract.ts';
import { canBeWeighed } from '../orders/rules.ts';
import { weighOrder, type WeighResult } from '../orders/service.server.ts';
import type { Weighing } from '../orders/changing-store.server.ts';
import { findOrderState, lockOrder } from '../orders/store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { adjustOverpaymentCredit } from './overpayment-service.server.ts';
import { findOrderToPay } from './store.server.ts';

/** Every other status than 'done' has written nothing. */
export type AdjustedWeighing =
  | { status: WeighResult }
  /** The order was weighed before with another result: the customer reads why. */
  | { status: 'reason-required' }
  /** The customer has spent a credited overpayment that the new amount debits. */
  | { status: 'change-spent'; debitPaise: Paise; balancePaise: Paise };

/**
 * Weighs an order at pickup. Credits or debits the wallet with the changed overpayment. Another
 * result than the first one needs `reason`. Throws `ApiError` (conflict) if the customer is erased.
 */
export const weighOrderAndAdjustCredit = (
  db: Db,
  laundry: Laundry,
  { orderid, weightGrams, items, ...details }: Weighing & { orderid: string },
  now: Date,
): Promise<AdjustedWeighing> =>
  transaction(db, async (tx) => {
    if (!canBeWeighed(weightGrams, items)) return { status: 'impossible-weight' };
    await lockOrder(tx, laundry, orderid);
    const order = await findOrderToPay(tx, orderid);
    if (order?.stage === ('pickup' satisfies Stage)) {
      const before = await findOrderState(tx, orderid);
      const isSame = before?.weight_grams === weightGrams && before.items === items;
      if (order.weightGrams !== null && !isSame && !details.reason) return { status: 'reason-required' };
      // Before the weighing, because it may be refused.
      const credit = await adjustOverpaymentCredit(tx, orderid, weightGrams, now);
      if (credit.status === 'spent') return { status: 'change-spent', debitPaise: credit.debitPaise, balancePaise: credit.balancePaise };
    }
    return { status: await weighOrder(tx, orderid, weightGrams, items, now, details) };
  });
