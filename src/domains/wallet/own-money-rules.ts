/** The part of a wallet that surely is no promotion. Pure functions. docs/decisions/0141. */
import { asPaise, type Paise } from '../../lib/money.ts';

/** Movements of one kind, at one time. Those of the change of one order at one time are one. */
export interface WalletMovement {
  kind: string;
  order_id: string | null;
  /** Positive for a credit. */
  amount_paise: number;
}

/**
 * Returns the paise of a wallet that surely came from other credits than promotions and cashback:
 * the rest of them if each debit spent them first, at its time. The change of an order first
 * returns the promotions that the wallet paid for that order. `movements` begin with the oldest.
 */
export function ownMoneyPaise(movements: readonly WalletMovement[]): Paise {
  const orders = new Map<string, { promotionalPaise: number; changePaise: number; restoredPaise: number }>();
  let own = 0;
  for (const { kind, order_id: id, amount_paise: amount } of movements) {
    if (kind === 'promotion' || kind === 'cashback') continue;
    const order = orders.get(id ?? '') ?? { promotionalPaise: 0, changePaise: 0, restoredPaise: 0 };
    if (id !== null) orders.set(id, order);
    const restoredBefore = order.restoredPaise;
    if (kind === 'paid') order.promotionalPaise = Math.max(0, -amount - own);
    if (kind === 'change') {
      order.changePaise += amount;
      order.restoredPaise = Math.min(order.promotionalPaise, Math.max(0, order.changePaise));
    }
    own = Math.max(0, own + amount - (order.restoredPaise - restoredBefore));
  }
  return asPaise(own);
}
