/** The part of a wallet that surely is no promotion. Pure functions. docs/decisions/0141, 0144. */
import { asPaise, type Paise } from '../../lib/money.ts';

/** Movements of one kind, at one time. Those of the change of one order at one time are one. */
export interface WalletMovement {
  kind: string;
  order_id: string | null;
  /** Positive for a credit. */
  amount_paise: number;
}

interface OrderMoney {
  /** The payment from the wallet. */
  paidPaise: number;
  /** The promotions among it. */
  promotionalPaise: number;
  changePaise: number;
  /** The promotions among the change. */
  restoredPaise: number;
  /** The amount that promotions paid elsewhere because change of this order was reversed. */
  replacedPaise: number;
}

/**
 * Returns the paise of a wallet that surely came from other credits than promotions and cashback:
 * the rest of them if each debit spent them first, at its time. The change of an order first
 * returns the promotions that the wallet paid for that order. If a credit is reversed that was
 * spent, promotions paid the newest orders in its place, and own money in the place of a promotion
 * that is reversed. `movements` begin with the oldest.
 */
export function ownMoneyPaise(movements: readonly WalletMovement[]): Paise {
  const orders = new Map<string, OrderMoney>();
  const paidOrders: OrderMoney[] = [];
  let balance = 0;
  let own = 0;
  for (const { kind, order_id: id, amount_paise: amount } of movements) {
    const promotions = balance - own;
    balance += amount;
    if (kind === 'promotion' || kind === 'cashback') {
      const spent = Math.max(0, -amount - promotions);
      own -= spent;
      payWithOwnMoney(paidOrders, spent);
      continue;
    }
    const order = orders.get(id ?? '') ?? { paidPaise: 0, promotionalPaise: 0, changePaise: 0, restoredPaise: 0, replacedPaise: 0 };
    if (id !== null) orders.set(id, order);
    if (kind === 'paid') {
      order.paidPaise = -amount;
      order.promotionalPaise = Math.max(0, -amount - own);
      paidOrders.push(order);
    }
    const credited = amount - (kind === 'change' ? addChange(order, amount) : 0);
    const isReversal = amount < 0 && kind !== 'paid' && kind !== 'payout';
    if (isReversal) order.replacedPaise += payWithPromotions(paidOrders, -own - credited);
    // Change that is credited again pays what it paid before it was reversed.
    const repaid = kind === 'change' ? payWithOwnMoney(paidOrders, Math.min(order.replacedPaise, credited)) : 0;
    order.replacedPaise -= repaid;
    own = Math.max(0, own + credited - repaid);
  }
  return asPaise(own);
}

/** Adds change to an order, negative if it is reversed. Returns the promotions among it. */
function addChange(order: OrderMoney, amountPaise: number): number {
  const { promotionalPaise, restoredPaise: before } = order;
  order.changePaise += amountPaise;
  order.restoredPaise =
    amountPaise > 0 ? Math.min(promotionalPaise, before + amountPaise) : Math.min(before, Math.max(0, order.changePaise));
  return order.restoredPaise - before;
}

/**
 * Replaces own money by promotions in the payments that are not returned, the newest first. Returns
 * the paise that were replaced: none if `amountPaise` is negative.
 */
const payWithPromotions = (paidOrders: readonly OrderMoney[], amountPaise: number): number =>
  replace(paidOrders, amountPaise, (order, rest) => {
    const ownChange = Math.max(0, order.changePaise - order.restoredPaise);
    const replaced = Math.min(rest, Math.max(0, order.paidPaise - order.promotionalPaise - ownChange));
    order.promotionalPaise += replaced;
    return replaced;
  });

/** Replaces promotions by own money, like `payWithPromotions`. */
const payWithOwnMoney = (paidOrders: readonly OrderMoney[], amountPaise: number): number =>
  replace(paidOrders, amountPaise, (order, rest) => {
    const replaced = Math.min(rest, order.promotionalPaise - order.restoredPaise);
    order.promotionalPaise -= replaced;
    return replaced;
  });

function replace(orders: readonly OrderMoney[], amountPaise: number, replaceIn: (order: OrderMoney, rest: number) => number): number {
  let rest = Math.max(0, amountPaise);
  for (const order of orders.toReversed()) rest -= replaceIn(order, rest);
  return Math.max(0, amountPaise) - rest;
}
