/** Weighs orders. An order that the staff moved back to its pickup can have payments. */
import { invariant } from '../../lib/invariant.ts';
import type { Paise } from '../../lib/money.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Stage } from '../orders/contract.ts';
import { canBeWeighed } from '../orders/rules.ts';
import { updateWeight, type Weighing } from '../orders/changing-store.server.ts';
import { lockOrder, type LockedOrder } from '../orders/store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { adjustOverpaymentCredit } from './overpayment-service.server.ts';

/** Every other status than 'done' has written nothing. */
export type AdjustedWeighing =
  | { status: 'done' | 'wrong-stage' | 'impossible-weight' }
  /** The order was weighed before with another result: the customer reads why. */
  | { status: 'reason-required' }
  /** The customer has spent a credited overpayment that the new amount debits. */
  | { status: 'change-spent'; debitPaise: Paise; balancePaise: Paise };

/**
 * Locks an order, and weighs it like `weighLockedOrder`. Throws `ApiError` (conflict) if the
 * customer is erased.
 */
export const weighOrderAndAdjustCredit = (
  db: Db,
  laundry: Laundry,
  { orderid, ...weighing }: Weighing & { orderid: string },
  now: Date,
): Promise<AdjustedWeighing | { status: 'order-not-found' }> =>
  transaction(db, async (tx) => {
    if (!canBeWeighed(weighing.weightGrams, weighing.items)) return { status: 'impossible-weight' };
    const order = await lockOrder(tx, laundry, orderid);
    return order ? weighLockedOrder(tx, order, weighing, now) : { status: 'order-not-found' };
  });

/**
 * Records weight and items at the pickup, or replaces them until the order leaves that stage: the
 * amounts of later stages are calculated from them. Credits or debits the wallet with the changed
 * overpayment. Another result than the first one needs `reason`.
 */
export async function weighLockedOrder(tx: Tx, order: LockedOrder, weighing: Weighing, now: Date): Promise<AdjustedWeighing> {
  const { weightGrams, items, reason } = weighing;
  if (!canBeWeighed(weightGrams, items)) return { status: 'impossible-weight' };
  if (order.stage !== ('pickup' satisfies Stage)) return { status: 'wrong-stage' };
  const isSame = order.weight_grams === weightGrams && order.items === items;
  if (order.weight_grams !== null && !isSame && !reason) return { status: 'reason-required' };
  const credit = await adjustOverpaymentCredit(tx, order, weightGrams, now);
  if (credit.status === 'spent') return { ...credit, status: 'change-spent' };
  const isWeighed = await updateWeight(tx, order.id, weighing, now);
  invariant(isWeighed, 'a locked order stays at its pickup');
  return { status: 'done' };
}
