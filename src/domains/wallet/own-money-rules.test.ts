import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownMoneyPaise, type WalletMovement } from './own-money-rules.ts';

const of = (kind: string, amount: number, order: string | null = null): WalletMovement => ({ kind, amount_paise: amount, order_id: order });
const promotion = of('promotion', 5000);
const paid = of('paid', -4997, 'A');
const overpaid = of('change', 50_000, 'X');
const takenBack = of('change', -50_000, 'X');
const returned = of('change', 4997, 'A');

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
  ['change that paid an order and was taken back', [promotion, overpaid, paid, takenBack], 0],
  ['the change of an order that such change paid', [promotion, overpaid, paid, takenBack, returned], 0],
  ['change of which the order is paid that is taken back at last', [promotion, overpaid, paid, returned, takenBack], 0],
  ['a part of the change that is taken back', [promotion, overpaid, paid, of('change', -46_000, 'X'), returned], 4000],
  [
    'a compensation that paid an order and was taken back',
    [promotion, of('compensation', 4997), paid, of('compensation', -4997), returned],
    0,
  ],
  [
    'two orders, of which promotions paid the newer one in the end',
    [promotion, of('compensation', 8000), of('paid', -4000, 'B'), paid, of('compensation', -4000), returned],
    0,
  ],
  [
    'two orders, of which the newer one was returned before',
    [promotion, of('compensation', 9994), of('paid', -4997, 'B'), paid, returned, of('compensation', -9994), of('change', 4997, 'B')],
    0,
  ],
  [
    'change in three parts of an order whose credit is taken back in between',
    [
      promotion,
      overpaid,
      paid,
      of('change', 1997, 'A'),
      of('payout', -47_000),
      of('change', -3000, 'X'),
      of('change', 1500, 'A'),
      of('change', 1500, 'A'),
    ],
    0,
  ],
  [
    'own money that replaces change that was taken back',
    [promotion, overpaid, of('paid', -50_000, 'B'), of('compensation', 50_000), takenBack],
    0,
  ],
  [
    'a payout of change that is taken back',
    [of('promotion', 60_000), overpaid, of('payout', -50_000), takenBack, of('compensation', 300)],
    300,
  ],
  [
    'a spent promotion that is taken back',
    [promotion, of('paid', -5000, 'A'), of('compensation', 5000), of('promotion', -5000), promotion],
    0,
  ],
  [
    'the change of an order that such a promotion paid',
    [promotion, of('paid', -5000, 'A'), of('compensation', 5000), of('promotion', -5000), of('change', 5000, 'A')],
    5000,
  ],
  [
    'change that paid an order, was taken back by mistake and is credited again',
    [of('change', 4997, 'X'), paid, promotion, of('change', -4997, 'X'), of('change', 4997, 'X')],
    0,
  ],
  ['an unspent promotion that is taken back', [promotion, of('compensation', 300), of('promotion', -5000)], 300],
  ['a payout of a promotion', [promotion, of('compensation', 4997), paid, of('payout', -5000), returned], 4997],
  ['a compensation that names the order', [promotion, paid, of('compensation', 4997, 'A')], 4997],
])('returns the own money after %s', (_, movements, own) => {
  expect(ownMoneyPaise(movements)).toBe(own);
});

const step = fc.record({
  action: fc.constantFrom('credit', 'change', 'promote', 'reverse', 'again', 'pay', 'return'),
  paise: fc.integer({ min: 1, max: 100 }),
  index: fc.nat({ max: 3 }),
});

test('the own money is a part of the balance, and the rest of the other credits once all orders are returned, without payouts', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const movements: WalletMovement[] = [];
      const credits: WalletMovement[] = [];
      const reversed: WalletMovement[] = [];
      const credit = (movement: WalletMovement) => {
        credits.push(movement);
        movements.push(movement);
      };
      const paidPaise: number[] = [];
      const balance = () => movements.reduce((sum, { amount_paise: paise }) => sum + paise, 0);
      const giveBack = (index: number, paise: number) => {
        movements.push(of('change', paise, `order ${index}`));
        paidPaise[index]! -= paise;
      };
      for (const { action, paise, index } of steps) {
        if (action === 'credit') credit(of('compensation', paise));
        else if (action === 'change') credit(of('change', paise, `other order ${movements.length}`));
        else if (action === 'promote') credit(of('promotion', paise));
        else if (action === 'again') for (const movement of reversed.splice(index, 1)) credit(movement);
        else if (action === 'reverse' && (credits[index]?.amount_paise ?? Infinity) <= balance()) {
          for (const movement of credits.splice(index, 1)) {
            movements.push({ ...movement, amount_paise: -movement.amount_paise });
            reversed.push(movement);
          }
        } else if (action === 'pay' && paise <= balance()) {
          movements.push(of('paid', -paise, `order ${paidPaise.push(paise) - 1}`));
        } else if (action === 'return' && (paidPaise[index] ?? 0) >= paise) {
          giveBack(index, paise);
        }
      }
      expect(ownMoneyPaise(movements)).toBeLessThanOrEqual(balance());
      for (const [index, paise] of paidPaise.entries()) if (paise > 0) giveBack(index, paise);
      const owned = credits.filter(({ kind }) => kind !== 'promotion');
      expect(ownMoneyPaise(movements)).toBe(owned.reduce((sum, { amount_paise: paise }) => sum + paise, 0));
    }),
    { numRuns: 500 },
  );
});
