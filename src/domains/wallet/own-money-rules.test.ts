import { expect, test } from 'vitest';
import { ownMoneyPaise, type WalletMovement } from './own-money-rules.ts';

const of = (kind: string, amount: number, order: string | null = null): WalletMovement => ({ kind, amount_paise: amount, order_id: order });
const promotion = of('promotion', 5000);
const paid = of('paid', -4997, 'A');

test.each<[string, WalletMovement[], number]>([
  ['no movement', [], 0],
  ['promotions and cashback', [promotion, of('cashback', 100)], 0],
  ['other credits', [promotion, of('compensation', 300), of('change', 200, 'A')], 500],
  ['a debit, which spends other credits first', [promotion, of('compensation', 300), of('payout', -500)], 0],
  ['a credit after a debit', [promotion, of('payout', -500), of('compensation', 300)], 300],
  ['the change of an order that a promotion paid', [promotion, paid, of('change', 4997, 'A')], 0],
  ['more change than the promotion paid', [promotion, paid, of('change', 9994, 'A')], 4997],
  ['change in two parts', [promotion, paid, of('change', 3000, 'A'), of('change', 3000, 'A')], 1003],
  ['the change of another order', [promotion, paid, of('change', 4997, 'B')], 4997],
  ['an order that both paid', [promotion, of('compensation', 1000), paid, of('change', 4997, 'A')], 1000],
  ['an undone cancellation', [promotion, paid, of('change', 9994, 'A'), of('change', -9994, 'A')], 0],
  ['a second cancellation', [promotion, paid, of('change', 9994, 'A'), of('change', -9994, 'A'), of('change', 9994, 'A')], 4997],
  ['reduced change', [promotion, paid, of('change', 9994, 'A'), of('change', -2000, 'A')], 2997],
  ['a compensation that names the order', [promotion, paid, of('compensation', 4997, 'A')], 4997],
])('returns the own money after %s', (_, movements, own) => {
  expect(ownMoneyPaise(movements)).toBe(own);
});
