/**
 * Specification section 4, "Offers"; docs/security.md, R5: exact to the millisecond at every limit.
 */
import { describe, expect, test } from 'vitest';
import { decodeOffer, encodeOffer, type Offer, type WireOffer } from './contract.ts';
import { activeOffer, offerEnds } from './rules.ts';

const wireOffer = (change: Partial<WireOffer> = {}): WireOffer => ({
  offerid: 'O15',
  offer_rate: 15,
  offer_validity: '7 days',
  ot_date: '2026-11-14 10:30:00',
  ...change,
});

const offer = (change: Partial<WireOffer> = {}): Offer => decodeOffer(wireOffer(change));

describe('activeOffer', () => {
  test.each<[string, Partial<WireOffer>, string, boolean]>([
    ['a millisecond before the start', {}, '2026-11-14T04:59:59.999Z', false],
    ['at the start', {}, '2026-11-14T05:00:00.000Z', false],
    ['a millisecond after the start', {}, '2026-11-14T05:00:00.001Z', true],
    ['at the end', {}, '2026-11-21T05:00:00.000Z', true],
    ['a millisecond after the end', {}, '2026-11-21T05:00:00.001Z', false],
    ['starts at midnight: at midnight', { ot_date: '2026-11-14 00:00:00' }, '2026-11-13T18:30:00.000Z', false],
    ['starts at midnight: a millisecond after', { ot_date: '2026-11-14 00:00:00' }, '2026-11-13T18:30:00.001Z', true],
    ['ends at midnight: at midnight', { ot_date: '2026-11-14 00:00:00' }, '2026-11-20T18:30:00.000Z', true],
    ['ends at midnight: a millisecond after', { ot_date: '2026-11-14 00:00:00' }, '2026-11-20T18:30:00.001Z', false],
    ['a date without a time: a millisecond after midnight', { ot_date: '2026-11-14' }, '2026-11-13T18:30:00.001Z', true],
    ['a date without a time: at midnight', { ot_date: '2026-11-14' }, '2026-11-13T18:30:00.000Z', false],
    ['across a leap day, at the end', { ot_date: '2028-02-28 12:00:00', offer_validity: '2 days' }, '2028-03-01T06:30:00.000Z', true],
    ['across a leap day, after the end', { ot_date: '2028-02-28 12:00:00', offer_validity: '2 days' }, '2028-03-01T06:30:00.001Z', false],
    ['end of February without a leap day', { ot_date: '2027-02-28 12:00:00', offer_validity: '1 days' }, '2027-03-01T06:30:00.000Z', true],
    ['across the end of a year', { ot_date: '2026-12-31 23:59:59', offer_validity: '1 days' }, '2027-01-01T18:29:59.000Z', true],
    ['a validity of one day', { offer_validity: '1 day' }, '2026-11-15T05:00:00.000Z', true],
    ['a validity of two digits', { offer_validity: '10 days' }, '2026-11-24T05:00:00.000Z', true],
    ['a validity that starts with text', { offer_validity: 'about 7 days' }, '2026-11-14T05:00:00.001Z', false],
    ['a validity without a number', { offer_validity: 'for ever' }, '2026-11-14T05:00:00.001Z', false],
  ])('returns the offer after its start, up to and including its end, in Asia/Kolkata: %s', (_what, change, now, active) => {
    expect(activeOffer([offer(change)], new Date(now))).toEqual(active ? { id: 'O15', percent: 15 } : null);
  });

  test('offerEnds returns the last active moment', () => {
    expect(offerEnds(offer())).toEqual(new Date('2026-11-21T05:00:00.000Z'));
  });
});

test('an offer has the same values after encoding and decoding', () => {
  expect(encodeOffer(offer())).toEqual(wireOffer());
  expect(offer()).toEqual({ id: 'O15', percent: 15, startsAt: new Date('2026-11-14T05:00:00Z'), validDays: 7 });
});

test('activeOffer returns the last active offer in the list, not the largest, an expired or a future one', () => {
  const list = [
    offer({ offerid: 'BEST', offer_rate: 60 }),
    offer({ offerid: 'LAST', offer_rate: 10, ot_date: '2026-11-16 10:30:00' }),
    offer({ offerid: 'OVER', offer_rate: 50, ot_date: '2026-11-17 10:30:00', offer_validity: '1 days' }),
    offer({ offerid: 'NEXT', offer_rate: 50, ot_date: '2026-11-21 10:30:00' }),
  ];
  expect(activeOffer(list, new Date('2026-11-20T05:00:00Z'))).toEqual({ id: 'LAST', percent: 10 });
  expect(activeOffer([], new Date('2026-11-20T05:00:00Z'))).toBeNull();
});
