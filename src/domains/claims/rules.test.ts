import { expect, test } from 'vitest';
import { CLAIM_KINDS } from './contract.ts';
import {
  answerBy,
  CLAIM_CREDIT_LIMITS,
  kindsByLikelihood,
  MAX_CLAIMS_PER_DAY,
  MAX_PHOTOS_PER_DAY,
  MAX_REPLIES_PER_DAY,
  MAX_STORED_BYTES,
  replyUntil,
  UNSENT_PHOTO_SECONDS,
} from './rules.ts';

test.each([
  ['2026-11-22T10:40:00Z', '2026-11-24T10:30:00.000Z'],
  ['2026-11-22T12:30:00Z', '2026-11-24T12:30:00.000Z'],
  ['2026-11-22T12:29:59.999Z', '2026-11-24T11:30:00.000Z'],
  // Not at midnight.
  ['2026-11-22T18:35:00Z', '2026-11-24T17:30:00.000Z'],
  ['2026-11-22T18:30:00Z', '2026-11-24T17:30:00.000Z'],
])('a report of %s is answered by %s', (now, expected) => {
  expect(answerBy(new Date(now)).toISOString()).toBe(expected);
});

test('a settled claim takes replies for 14 days', () => {
  expect(replyUntil(new Date('2026-11-21T05:00:00Z')).toISOString()).toBe('2026-12-05T05:00:00.000Z');
});

test('a report about clothes that are not weighed is first about a delay', () => {
  expect(kindsByLikelihood({ total_weight: null })).toEqual(['late', 'other', 'damaged', 'missing', 'amount']);
  expect(kindsByLikelihood({ total_weight: 7.53 })).toBe(CLAIM_KINDS);
  expect(kindsByLikelihood(undefined)).toBe(CLAIM_KINDS);
});

test('limits reports, replies, photos and credits', () => {
  expect({ MAX_CLAIMS_PER_DAY, MAX_REPLIES_PER_DAY, MAX_PHOTOS_PER_DAY, MAX_STORED_BYTES, UNSENT_PHOTO_SECONDS }).toEqual({
    MAX_CLAIMS_PER_DAY: 5,
    MAX_REPLIES_PER_DAY: 20,
    MAX_PHOTOS_PER_DAY: 30,
    MAX_STORED_BYTES: 209_715_200,
    UNSENT_PHOTO_SECONDS: 86_400,
  });
  expect(CLAIM_CREDIT_LIMITS).toEqual({ min: 1, max: 1_000_000 });
});
