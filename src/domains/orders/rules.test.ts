import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asPaise, walletPartPaise } from '../../lib/money.ts';
import type { Area } from '../catalogue/contract.ts';
import type { AreaEvenings, Evening } from '../evenings/contract.ts';
import { WITHOUT_LIMITS } from '../evenings/rules.ts';
import type { ActiveOffer } from '../offers/rules.ts';
import { orderError, PROGRESS_STAGES, stageDisplay, TIMESLOT, type OrderRequest } from './contract.ts';
import {
  attemptReasons,
  calculateAmounts,
  canBeWeighed,
  checkEvening,
  checkOrderDay,
  checkOrderRequest,
  checkPickupDay,
  hoursSaved,
  isUnusualWeight,
  isWalletPartOpen,
  mayCancel,
  stageBefore,
  undoSecondsLeft,
  type OfferedProgram,
} from './rules.ts';

describe('rescheduling', () => {
  const morning = new Date('2026-11-21T05:00:00Z');
  const afterCutOff = new Date('2026-11-21T10:30:00Z');

  test.each([
    ['2026-11-20', morning, orderError('pickup-day-past', { pickupDay: '2026-11-21' })],
    ['2026-11-21', morning, null],
    ['2026-11-27', morning, null],
    ['2026-11-28', morning, orderError('pickup-day-too-far', { lastDay: '2026-11-27' })],
    ['2026-11-20', afterCutOff, orderError('pickup-day-past', { pickupDay: '2026-11-22' })],
    ['2026-11-21', afterCutOff, orderError('pickup-day-closed', { pickupDay: '2026-11-22' })],
    ['2026-11-28', afterCutOff, null],
    ['9999-12-31', afterCutOff, orderError('pickup-day-too-far', { lastDay: '2026-11-28' })],
  ])('checkPickupDay for %s at %s returns %j', (day, now, error) => expect(checkPickupDay(day, WITHOUT_LIMITS, now)).toEqual(error));
});

/** Evenings of November 2026 with a limit. */
const limited = (statuses: Readonly<Record<number, Evening['status']>>, cutOff = '16:00'): AreaEvenings => ({
  cut_off: cutOff,
  evenings: Object.entries(statuses).map(([day, status]) => ({ day: `2026-11-${day}`, status, left: null })),
});
const allFull: AreaEvenings = {
  cut_off: '16:00',
  evenings: Array.from({ length: 31 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 10, 21 + index)).toISOString().slice(0, 10),
    status: 'full',
    left: null,
  })),
};

describe('evenings with a limit', () => {
  const morning = new Date('2026-11-21T05:00:00Z');
  const full = (day: number) => ({ error: orderError('evening-full', { pickupDay: `2026-11-${day}` }) });
  const closed = (day: number) => ({ error: orderError('evening-closed', { pickupDay: `2026-11-${day}` }) });
  const tooFar = (last: number) => ({ error: orderError('pickup-day-too-far', { lastDay: `2026-11-${last}` }) });
  const day = (of: number) => ({ day: `2026-11-${of}` });

  test.each<[string, AreaEvenings, number | undefined, object]>([
    ['full today: no day is named', limited({ 21: 'full' }), undefined, day(22)],
    ['full today: today', limited({ 21: 'full' }), 21, full(22)],
    ['full today: tomorrow', limited({ 21: 'full' }), 22, day(22)],
    ['full today: a later day', limited({ 21: 'full' }), 23, day(23)],
    ['without limits: the last of seven evenings', limited({}), 27, day(27)],
    ['without limits: after seven evenings', limited({}), 28, tooFar(27)],
    ['closed tomorrow: the last of seven evenings', limited({ 22: 'closed' }), 28, day(28)],
    [
      'full for a week: the first free evening',
      limited({ 21: 'full', 22: 'full', 23: 'full', 24: 'full', 25: 'full', 26: 'full', 27: 'full' }),
      28,
      day(28),
    ],
    ['a chosen evening is full: the next free one, not an earlier one', limited({ 24: 'full', 25: 'closed' }), 24, full(26)],
    ['the last free evening is full: an earlier one', { ...allFull, evenings: allFull.evenings.slice(2) }, 24, full(21)],
    ['closed today: today', limited({ 21: 'closed' }), 21, closed(22)],
    ['closed and full: the first', limited({ 21: 'closed', 22: 'full' }), 21, closed(23)],
    ['closed and full: the second', limited({ 21: 'closed', 22: 'full' }), 22, full(23)],
    ['free with a capacity: a later one', limited({ 21: 'free', 22: 'free' }), 22, day(22)],
    ['yesterday', limited({ 21: 'full' }), 20, { error: orderError('pickup-moved', { pickupDay: '2026-11-22' }) }],
    ['all are full', allFull, 21, { error: orderError('evenings-full', { lastDay: '2026-12-20' }) }],
    ['all are full: no day is named', allFull, undefined, { error: orderError('evenings-full', { lastDay: '2026-12-20' }) }],
  ])('checkOrderDay returns the evening or an error, %s', (_what, area, requested, outcome) =>
    expect(checkOrderDay(requested === undefined ? undefined : `2026-11-${requested}`, area, morning)).toEqual(outcome),
  );

  test.each([
    ['2026-11-21T08:29:59Z', 21],
    ['2026-11-21T08:30:00Z', 22],
  ])('the cut-off of the area decides: an order at %s is for the %d', (now, of) =>
    expect(checkOrderDay(undefined, limited({}, '14:00'), new Date(now))).toEqual(day(of)),
  );

  test('an order is rescheduled to one of the next seven evenings that are not closed', () => {
    const area = limited({ 22: 'closed', 23: 'full', 24: 'free' });
    expect(checkPickupDay('2026-11-22', area, morning)).toEqual(closed(24).error);
    expect(checkPickupDay('2026-11-23', area, morning)).toEqual(full(24).error);
    expect(checkPickupDay('2026-11-24', area, morning)).toBeNull();
    expect(checkPickupDay('2026-11-28', area, morning)).toBeNull();
    expect(checkPickupDay('2026-11-29', area, morning)).toEqual(orderError('pickup-day-too-far', { lastDay: '2026-11-28' }));
  });

  test('an order that exists keeps its evening after the cut-off, unless it is full or closed', () => {
    const evening = new Date('2026-11-21T12:00:00Z');
    expect(checkEvening('2026-11-21', limited({}), evening)).toBeNull();
    expect(checkEvening('2026-11-21', limited({ 21: 'free' }), evening)).toBeNull();
    expect(checkEvening('2026-11-21', limited({ 21: 'full' }), evening)).toEqual(full(22).error);
  });
});

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
    expect(mayCancel({ stage, weightGrams }, 'customer')).toBe(byCustomer);
    expect(mayCancel({ stage, weightGrams }, 'laundry')).toBe(byLaundry);
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

describe('checkOrderRequest', () => {
  const evenings = { manesar: WITHOUT_LIMITS, vatika: WITHOUT_LIMITS };
  const now = new Date('2026-11-21T05:00:00Z');
  const wash: OfferedProgram = {
    baseRatePaise: asPaise(3800),
    surcharges: [
      { area: 'manesar', surchargePaise: asPaise(0) },
      { area: 'vatika', surchargePaise: asPaise(1000) },
    ],
  };
  const offer: ActiveOffer = { id: 'O15', percent: 15 };
  const request: OrderRequest = {
    timeslot: TIMESLOT,
    pickup_date: '2026-11-21',
    program: 'wash',
    programrate: asPaise(4800),
    orderrate: asPaise(4800),
    area: 'vatika',
    detergent: 'surfexcel',
    conditioner: 'softtouch',
    iron: '',
  };
  const vatika = { area: 'vatika', surchargePaise: 1000, ratePaise: 4800, orderRatePaise: 4800, pickupDay: '2026-11-21' };
  const manesar = { area: 'manesar', surchargePaise: 0, ratePaise: 3800, orderRatePaise: 3800, pickupDay: '2026-11-21' };
  test.each<[string, Partial<Record<keyof OrderRequest, unknown>>, ActiveOffer | null, object]>([
    ['an order as shown', {}, null, { quote: vatika }],
    ['no area: the one with the rate', { area: undefined }, null, { quote: vatika }],
    ['no area: the other one with the rate', { area: undefined, programrate: 3800, orderrate: 3800 }, null, { quote: manesar }],
    ['no area has that rate', { area: undefined, programrate: 3900, orderrate: 3900 }, null, { error: orderError('rates-changed') }],
    ['the rate of the other area', { programrate: 3800, orderrate: 3800 }, null, { error: orderError('rates-changed') }],
    ['a paisa less', { programrate: 4799, orderrate: 4799 }, null, { error: orderError('rates-changed') }],
    ['a paisa more', { programrate: 4801, orderrate: 4801 }, null, { error: orderError('rates-changed') }],
    ['a negative rate', { programrate: -4800, orderrate: -4800 }, null, { error: orderError('rates-changed') }],
    ['a reduced order rate', { orderrate: 1 }, null, { error: orderError('rates-changed') }],
    [
      'an offer, applied to base and surcharge',
      { offerid: 'O15', offerrate: 15, orderrate: 4080 },
      offer,
      { quote: { ...vatika, orderRatePaise: 4080 } },
    ],
    ['an offer that the customer did not see', {}, offer, { error: orderError('offer-changed') }],
    ['an expired offer', { offerid: 'O15', offerrate: 15, orderrate: 4080 }, null, { error: orderError('offer-changed') }],
    ['another’s offer', { offerid: 'O99', offerrate: 15, orderrate: 4080 }, offer, { error: orderError('offer-changed') }],
    ['more percent than the offer has', { offerid: 'O15', offerrate: 16, orderrate: 4032 }, offer, { error: orderError('offer-changed') }],
    ['an offer, and the rate without it', { offerid: 'O15', offerrate: 15 }, offer, { error: orderError('rates-changed') }],
    ['percent without an offer', { offerrate: 15, orderrate: 4080 }, null, { error: orderError('offer-changed') }],
    ['an empty offer is none', { offerid: '', offerrate: 0 }, null, { quote: vatika }],
    ['another slot', { timeslot: '06:00 - 07:00 AM' }, null, { error: orderError('unknown-timeslot') }],
    ['no day named', { pickup_date: undefined }, null, { quote: vatika }],
    ['a day that is closed', { pickup_date: '2026-11-20' }, null, { error: orderError('pickup-moved', { pickupDay: '2026-11-21' }) }],
    ['a day that was chosen', { pickup_date: '2026-11-24' }, null, { quote: { ...vatika, pickupDay: '2026-11-24' } }],
    ['a day that is too far', { pickup_date: '2026-11-28' }, null, { error: orderError('pickup-day-too-far', { lastDay: '2026-11-27' }) }],
    ['steam for Wash', { iron: 'steam' }, null, { error: orderError('wrong-options') }],
    ['an order without conditioner', { conditioner: '' }, null, { quote: vatika }],
  ])('returns a quote or an error for %s', (_what, change, activeOffer, outcome) => {
    const check = checkOrderRequest(
      { ...request, ...change } as OrderRequest,
      { program: wash, offer: activeOffer, addressArea: null, evenings },
      now,
    );
    expect(check).toEqual(outcome);
  });

  const base = { programrate: asPaise(3800), orderrate: asPaise(3800) };
  const equalRates: OfferedProgram = { ...wash, surcharges: wash.surcharges.map(({ area }) => ({ area, surchargePaise: asPaise(0) })) };
  test.each<[string, Partial<OrderRequest>, Area, OfferedProgram, object]>([
    ['the area of the order', {}, 'vatika', wash, { quote: vatika }],
    ['another area than the order', {}, 'manesar', wash, { error: orderError('area-mismatch') }],
    ['another area, and the rate is stale', { orderrate: asPaise(1) }, 'manesar', wash, { error: orderError('area-mismatch') }],
    ['the area of the rate, without an area', { area: undefined }, 'vatika', wash, { quote: vatika }],
    ['another area than that of the rate', { area: undefined, ...base }, 'vatika', wash, { error: orderError('area-mismatch') }],
    ['one of two areas with the rate', { area: undefined, ...base }, 'vatika', equalRates, { quote: { ...manesar, area: 'vatika' } }],
  ])('returns a quote or an error for an address in %s', (_what, change, addressArea, program, outcome) => {
    expect(checkOrderRequest({ ...request, ...change }, { program, offer: null, addressArea, evenings }, now)).toEqual(outcome);
  });

  test('rejects an unknown program', () => {
    expect(checkOrderRequest(request, { program: null, offer: null, addressArea: null, evenings }, now)).toEqual({
      error: orderError('unknown-program'),
    });
  });

  test.each([
    ['iron', { detergent: 'surfexcel', conditioner: '', iron: 'steam' }],
    ['dry-clean', { detergent: '', conditioner: 'softtouch', iron: '' }],
  ])('rejects options that %s does not have', (program, chosen) => {
    const inputs = { program: wash, offer: null, addressArea: null, evenings };
    expect(checkOrderRequest({ ...request, program, ...chosen } as OrderRequest, inputs, now)).toEqual({
      error: orderError('wrong-options'),
    });
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
  expect(isWalletPartOpen({ washing_stage, total_amount, amount_paid: asPaise(paid) })).toBe(isOpen);
});

test('only a pickup can have nothing to collect', () => {
  expect(attemptReasons('pickup')).toContain('nothing-to-collect');
  expect(attemptReasons('delivery')).toEqual(['nobody-home', 'refused', 'address', 'other']);
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
