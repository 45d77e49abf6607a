/** Weighs orders. An order that the staff moved back to its pickup can have payments. */
import { asPaise, type Paise } from '../../lib/money.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { Stage } from '../orders/contract.ts';
import { calculateAmounts, canBeWeighed } from '../orders/rules.ts';
import { weighOrder, type StageChange } from '../orders/service.server.ts';
import { findStageAndWeight, type Weighing as Weight } from '../orders/store.server.ts';
import { correctChange } from './change-service.server.ts';
import { findPaidOrder, lockOrder } from './store.server.ts';

/** Every other status than 'done' has written nothing. */
export type Weighing =
  | { status: StageChange }
  /** The order was weighed before with another result: the customer reads why. */
  | { status: 'reason-required' }
  /** The customer has spent change that the new amount takes back. */
  | { status: 'change-spent'; changePaise: Paise; balancePaise: Paise };

/** Weighs an order at pickup. The wallet receives or gives back the change of the new amount. */
export const weighAndCorrectChange = (
  db: Db,
  { orderid, weightGrams, items, ...details }: Weight & { orderid: string },
  now: Date,
): Promise<Weighing> =>
  transaction(db, async (tx) => {
    if (!canBeWeighed(weightGrams, items)) return { status: 'impossible-weight' };
    await lockOrder(tx, orderid);
    const order = await findPaidOrder(tx, orderid);
    if (order?.stage === ('pickup' satisfies Stage)) {
      const before = await findStageAndWeight(tx, orderid);
      const isSame = before?.weight_grams === weightGrams && before.items === items;
      if (order.weightGrams !== null && !isSame && !details.reason) return { status: 'reason-required' };
      // Before the weighing, because it may be refused.
      const amounts = calculateAmounts({ ...order, weightGrams });
      const change = await correctChange(tx, orderid, amounts?.final ?? asPaise(0), now);
      if (change.status === 'spent') return { status: 'change-spent', changePaise: change.amountPaise, balancePaise: change.balancePaise };
    }
    return { status: await weighOrder(tx, orderid, weightGrams, items, now, details) };
  });
