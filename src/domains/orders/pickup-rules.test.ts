import { describe, expect, test } from 'vitest';
import type { AreaEvenings, Evening } from '../evenings/contract.ts';
import { WITHOUT_LIMITS } from '../evenings/rules.ts';
import { orderError } from './contract.ts';
import { checkEvening, checkOrderDay, checkPickupDay } from './pickup-rules.ts';

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
