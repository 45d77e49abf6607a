/**
 * Specification section 4, "Offers"; reliability bar, R5: right on both sides of every edge, to the
 * millisecond.
 */
import { describe, expect, test } from 'vitest';
import type { Offer } from './contract.ts';
import { activeOffer, offerEnds } from './rules.ts';

const offer = (change: Partial<Offer> = {}): Offer => ({
  offerid: 'O15',
  offer_rate: 15,
  offer_validity: '7 days',
  ot_date: '2026-11-14 10:30:00',
  ...change,
});

describe('active after its moment and not after so many days later, in Asia/Kolkata', () => {
  test.each<[string, Partial<Offer>, string, boolean]>([
    ['a moment before', {}, '2026-11-14T04:59:59.999Z', false],
    ['at its moment', {}, '2026-11-14T05:00:00.000Z', false],
    ['a millisecond after', {}, '2026-11-14T05:00:00.001Z', true],
    ['in its last moment', {}, '2026-11-21T05:00:00.000Z', true],
    ['a millisecond later', {}, '2026-11-21T05:00:00.001Z', false],
    ['from midnight: still the day before', { ot_date: '2026-11-14 00:00:00' }, '2026-11-13T18:30:00.000Z', false],
    ['from midnight: after it', { ot_date: '2026-11-14 00:00:00' }, '2026-11-13T18:30:00.001Z', true],
    ['until midnight', { ot_date: '2026-11-14 00:00:00' }, '2026-11-20T18:30:00.000Z', true],
    ['and not beyond', { ot_date: '2026-11-14 00:00:00' }, '2026-11-20T18:30:00.001Z', false],
    ['a day without a time begins at midnight', { ot_date: '2026-11-14' }, '2026-11-13T18:30:00.001Z', true],
    ['a day without a time, before it', { ot_date: '2026-11-14' }, '2026-11-13T18:30:00.000Z', false],
    ['over the leap day', { ot_date: '2028-02-28 12:00:00', offer_validity: '2 days' }, '2028-03-01T06:30:00.000Z', true],
    ['past the leap day', { ot_date: '2028-02-28 12:00:00', offer_validity: '2 days' }, '2028-03-01T06:30:00.001Z', false],
    ['where there is no leap day', { ot_date: '2027-02-28 12:00:00', offer_validity: '1 days' }, '2027-03-01T06:30:00.000Z', true],
    ['over a year’s end', { ot_date: '2026-12-31 23:59:59', offer_validity: '1 days' }, '2027-01-01T18:29:59.000Z', true],
    ['one day', { offer_validity: '1 day' }, '2026-11-15T05:00:00.000Z', true],
    ['a validity of two digits', { offer_validity: '10 days' }, '2026-11-24T05:00:00.000Z', true],
    ['a validity with words before it', { offer_validity: 'about 7 days' }, '2026-11-14T05:00:00.001Z', false],
    ['a validity that is none', { offer_validity: 'for ever' }, '2026-11-14T05:00:00.001Z', false],
  ])('%s', (_what, change, now, active) => {
    expect(activeOffer([offer(change)], new Date(now))).toEqual(active ? { id: 'O15', percent: 15 } : null);
  });

  test('its end can be told', () => {
    expect(offerEnds(offer())).toEqual(new Date('2026-11-21T05:00:00.000Z'));
  });
});

test('of those that are active the last in the list counts, neither the largest nor one that is over or still to come', () => {
  const list = [
    offer({ offerid: 'BEST', offer_rate: 60 }),
    offer({ offerid: 'LAST', offer_rate: 10, ot_date: '2026-11-16 10:30:00' }),
    offer({ offerid: 'OVER', offer_rate: 50, ot_date: '2026-11-17 10:30:00', offer_validity: '1 days' }),
    offer({ offerid: 'NEXT', offer_rate: 50, ot_date: '2026-11-21 10:30:00' }),
  ];
  expect(activeOffer(list, new Date('2026-11-20T05:00:00Z'))).toEqual({ id: 'LAST', percent: 10 });
  expect(activeOffer([], new Date('2026-11-20T05:00:00Z'))).toBeNull();
});
