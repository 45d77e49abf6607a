import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asPaise, walletPartPaise } from '../../lib/money.ts';
import { PROGRESS_STAGES, stageDisplay } from './contract.ts';
import {
  calculateAmounts,
  canBeWeighed,
  leftToPay,
  hoursSaved,
  isUnusualWeight,
  isWalletPartOpen,
  mayCancel,
  stageBefore,
  undoSecondsLeft,
} from './rules.ts';

describe('cancelling', () => {
  test.each([
    ['pickup', null, true, true],
    ['pickup', 5000, false, true],
    ['queue', 5000, false, true],
    ['washing', 5000, false, false],
    ['delivery', 5000, false, false],
    ['delivered', 5000, false, false],
    ['cancelled', null, false, false],
    ['starching', null, false, false],
  ])('mayCancel at %s with %s g returns %s for the customer and %s for the laundry', (stage, weightGrams, byCustomer, byLaundry) => {
    expect(mayCancel({ stage, weight_grams: weightGrams }, 'customer')).toBe(byCustomer);
    expect(mayCancel({ stage, weight_grams: weightGrams }, 'laundry')).toBe(byLaundry);
  });

  test.each([
    [-5000, 60],
    [-10_000, 60],
    [-11_000, null],
    [0, 60],
    [1, 60],
    [59_000, 1],
    [59_999, 1],
    [60_000, null],
  ])('after %d ms the seconds left to undo are %s', (elapsed, left) => {
    const cancelledAt = new Date('2026-11-21T05:00:00Z');
    expect(undoSecondsLeft(cancelledAt, new Date(cancelledAt.getTime() + elapsed))).toBe(left);
  });
});

/** The rounding rule of the design in exact integers. */
const halfUp = (numerator: bigint, divisor: bigint) => Number((2n * numerator + divisor) / (2n * divisor));

describe('amounts', () => {
  test.each([
    // rate paise/kg, offer %, grams → cost, discount, final
    [3800, 0, 7500, 28_500, 0, 28_500],
    [4800, 15, 3330, 15_984, 2398, 13_586],
    [3800, 10, 10, 38, 4, 34],
    [4500, 100, 5000, 22_500, 22_500, 0],
    [5000, 33, 1110, 5550, 1831, 3719],
    [4950, 0, 10, 50, 0, 50], // 49.5 paise, half up
    [3333, 15, 100_000, 333_300, 49_995, 283_305], // from the rounded cut rate, 2833, it would be five paise less
  ])('rate %i, offer %i, %i g: cost %i, off %i, final %i', (rate, offerPercent, weightGrams, cost, discount, final) => {
    expect(calculateAmounts({ ratePaise: asPaise(rate), offerPercent, weightGrams })).toEqual({ cost, discount, final });
  });

  test('are null until the order is weighed', () => {
    expect(calculateAmounts({ ratePaise: asPaise(3800), offerPercent: 0, weightGrams: null })).toBeNull();
  });

  test('round half up, add up, and give the wallet at most half, for every rate, weight and offer', () => {
    const inputs = fc.record({
      rate: fc.integer({ min: 100, max: 1_100_000 }),
      offerPercent: fc.integer({ min: 0, max: 100 }),
      weightGrams: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(inputs, ({ rate, offerPercent, weightGrams }) => {
        const { cost, discount, final } = calculateAmounts({ ratePaise: asPaise(rate), offerPercent, weightGrams })!;
        const product = BigInt(rate) * BigInt(weightGrams);
        expect(cost).toBe(halfUp(product, 1000n));
        expect(final).toBe(halfUp(product * BigInt(100 - offerPercent), 100_000n));
        expect(discount).toBe(cost - final);
        expect(discount).toBeGreaterThanOrEqual(0);
        const wallet = walletPartPaise(final);
        expect(2 * wallet).toBeLessThanOrEqual(final);
        expect(final - wallet - wallet).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  [10, 1],
  [3000, 1],
  [3010, 2],
  [7500, 3],
  [9000, 3],
])('hoursSaved returns for %i g %i hours', (grams, hours) => {
  expect(hoursSaved(grams)).toBe(hours);
});

test.each([
  ['queue', 28_614, 0, true],
  ['delivery', 28_614, 14_307, true],
  ['queue', 28_614, 14_308, false],
  ['queue', 28_614, 28_614, false],
  ['queue', 28_615, 14_308, true],
  ['queue', 1, 0, false],
  ['pickup', 28_614, 0, false],
  ['delivered', 28_614, 0, false],
  ['queue', null, 0, false],
])('at %s, the wallet part of %s paise with %s paid is open: %s', (washing_stage, total, paid, isOpen) => {
  const total_amount = total === null ? null : asPaise(total);
  expect(isWalletPartOpen({ washing_stage, total_amount, amount_paid: asPaise(paid), history: [] })).toBe(isOpen);
});

test('the wallet part is open after another payment, and not after that of the wallet', () => {
  const paidBy = (method: string) => ({
    washing_stage: 'queue',
    total_amount: asPaise(28_614),
    amount_paid: asPaise(14_307),
    history: [{ kind: 'paid', at: '2026-11-21 18:00:00', method, amount: asPaise(14_307) }],
  });
  expect(isWalletPartOpen(paidBy('cash'))).toBe(true);
  expect(isWalletPartOpen(paidBy('wallet'))).toBe(false);
});

test('stageBefore returns the previous stage', () => {
  expect(stageBefore('cancelled')).toBeUndefined();
  expect(PROGRESS_STAGES.map(({ stage }) => [stageBefore(stage), stage])).toEqual([
    [undefined, 'pickup'],
    ['pickup', 'queue'],
    ['queue', 'washing'],
    ['washing', 'delivery'],
    ['delivery', 'delivered'],
  ]);
});

test('every stage is followed by the next stage of the list', () => {
  expect(PROGRESS_STAGES.map(({ next }) => next)).toEqual([...PROGRESS_STAGES.slice(1).map(({ stage }) => stage), null]);
});

test('an unknown stage shows its raw name and 0 %', () => {
  expect(stageDisplay('ironing')).toMatchObject({ label: 'ironing', progress: 0 });
  expect(stageDisplay('washing')).toMatchObject({ label: 'Washing/Drying', progress: 50, expected: '11-13 Hour' });
});

test.each([
  [7500, 12, true],
  [10, 1, true],
  [1_000_000, 10_000, true],
  [1_000_010, 1, false],
  [0, 1, false],
  [-10, 1, false],
  [7505, 12, false],
  [7500, 0, false],
  [7500, 1.5, false],
  [7500, 10_001, false],
  [Number.NaN, 1, false],
])('canBeWeighed for %i g and %d items returns %s', (grams, items, can) => {
  expect(canBeWeighed(grams, items)).toBe(can);
});

test.each([
  [40_000, 60, false],
  [40_010, 60, true],
  [15_000, 3, false],
  [15_010, 3, true],
])('isUnusualWeight for %i g and %d items returns %s', (grams, items, isUnusual) => {
  expect(isUnusualWeight(grams, items)).toBe(isUnusual);
});

test.each([
  ['queue', 25_000, 10_000, 15_000],
  ['delivered', 25_000, 30_000, 0],
  ['queue', null, 0, 0],
  ['cancelled', 25_000, 10_000, 0],
  ['pickup', 25_000, 10_000, 0],
] as const)('leftToPay at %s of %s with %d paid returns %d', (stage, total, paid, left) => {
  const order = { washing_stage: stage, total_amount: total === null ? null : asPaise(total), amount_paid: asPaise(paid) };
  expect(leftToPay(order)).toBe(left);
});
