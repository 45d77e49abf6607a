import { describe, expect, test } from 'vitest';
import type { AreaEvenings } from './contract.ts';
import {
  WITHOUT_LIMITS,
  capacityOn,
  isOverbooked,
  nextPickupDay,
  offeredEvenings,
  pickupDay,
  toAreaEvenings,
  isoWeekday,
  type EveningPlan,
} from './rules.ts';

const morning = new Date('2026-11-21T05:00:00Z');
const afterCutOff = new Date('2026-11-21T10:30:00Z');

describe('the pickup day changes at 16:00 in Asia/Kolkata', () => {
  test.each([
    ['2026-11-20T18:29:59.999Z', '2026-11-21', 'a millisecond before midnight'],
    ['2026-11-20T18:30:00.000Z', '2026-11-21', 'midnight'],
    ['2026-11-21T10:29:59.999Z', '2026-11-21', 'a millisecond before the cut-off'],
    ['2026-11-21T10:30:00.000Z', '2026-11-22', 'at the cut-off'],
    ['2026-11-21T18:29:59.999Z', '2026-11-22', 'the last moment of the day'],
    ['2026-11-21T18:30:00.000Z', '2026-11-22', 'the next day until its cut-off'],
    ['2028-02-28T12:00:00.000Z', '2028-02-29', 'a leap day'],
    ['2026-12-31T12:00:00.000Z', '2027-01-01', 'a year’s end'],
  ])('at %s it is %s (%s)', (now, day) => {
    expect(pickupDay(new Date(now))).toBe(day);
  });
});

describe('the evenings that an order can be rescheduled to', () => {
  const days = (area: AreaEvenings, now: Date) => offeredEvenings(area, now).map(({ day }) => day);

  test('are the next pickup and the six days after it', () => {
    expect(days(WITHOUT_LIMITS, morning)).toEqual([21, 22, 23, 24, 25, 26, 27].map((day) => `2026-11-${day}`));
    expect(days(WITHOUT_LIMITS, afterCutOff)).toEqual([22, 23, 24, 25, 26, 27, 28].map((day) => `2026-11-${day}`));
  });

  test('leave out closed days', () => {
    const closed: AreaEvenings = { cut_off: '16:00', evenings: [{ day: '2026-11-22', status: 'closed', left: null }] };
    expect(days(closed, morning)).toEqual([21, 23, 24, 25, 26, 27, 28].map((day) => `2026-11-${day}`));
  });
});

const plan: EveningPlan = {
  area: 'manesar',
  version: 1,
  cutOff: '16:00',
  capacity: 5,
  closedWeekdays: [7],
  exceptions: [
    { day: '2026-11-23', capacity: 0 },
    { day: '2026-11-24', capacity: 2 },
    { day: '2026-11-25', capacity: null },
    { day: '2026-11-29', capacity: 9 },
  ],
  bookings: [
    { day: '2026-11-21', booked: 2 },
    { day: '2026-11-24', booked: 2 },
    { day: '2026-11-26', booked: 1 },
    { day: '2026-11-27', booked: 6 },
  ],
};

test.each([
  ['2026-11-21', 6, 5, 'the plan'],
  ['2026-11-22', 7, 0, 'a closed weekday'],
  ['2026-11-23', 1, 0, 'a closed day'],
  ['2026-11-24', 2, 2, 'a day with fewer places'],
  ['2026-11-25', 3, null, 'a day with any number'],
  ['2026-11-29', 7, 9, 'a Sunday that is open'],
])('%s, weekday %d, accepts %s orders: %s', (day, weekday, capacity, _what) => {
  expect(isoWeekday(day)).toBe(weekday);
  expect(capacityOn(plan, day)).toBe(capacity);
});

test('customers see full and closed evenings, and the number of places from three on', () => {
  const { evenings } = toAreaEvenings(plan, morning);
  expect(Object.fromEntries(evenings.slice(0, 7).map(({ day, status, left }) => [day, `${status} ${left}`]))).toEqual({
    '2026-11-21': 'free 3',
    '2026-11-22': 'closed null',
    '2026-11-23': 'closed null',
    '2026-11-24': 'full null',
    // Not listed, because it has no limit: 2026-11-25.
    '2026-11-26': 'free null',
    '2026-11-27': 'full null',
    '2026-11-28': 'free null',
  });
  expect(evenings.at(-1)?.day).toBe('2026-12-21');
});

test('the day begins at midnight in Asia/Kolkata, five and a half hours before that in UTC', () => {
  // Sunday in Asia/Kolkata, Saturday in UTC.
  const sunday = new Date('2026-11-21T18:30:00Z');
  expect(nextPickupDay(toAreaEvenings({ ...plan, exceptions: [] }, sunday), sunday)).toBe('2026-11-23');
  const lastMinuteOfSaturday = new Date('2026-11-21T18:29:00Z');
  expect(toAreaEvenings(plan, lastMinuteOfSaturday).evenings[0]?.day).toBe('2026-11-21');
});

test('the next pickup is named if no evening is free', () => {
  const closed = toAreaEvenings({ ...plan, closedWeekdays: [1, 2, 3, 4, 5, 6, 7], exceptions: [] }, morning);
  expect(nextPickupDay(closed, morning)).toBe('2026-11-21');
});

test.each<[string, Partial<EveningPlan>, boolean]>([
  ['a plan without a capacity', { bookings: [{ day: '2026-11-21', booked: 99 }] }, false],
  ['a full evening', { capacity: 2, bookings: [{ day: '2026-11-21', booked: 2 }] }, false],
  ['an evening beyond its capacity', { capacity: 2, bookings: [{ day: '2026-11-21', booked: 3 }] }, true],
  ['bookings of another evening', { capacity: 2, bookings: [{ day: '2026-11-22', booked: 3 }] }, false],
  [
    'an evening that was closed since',
    { exceptions: [{ day: '2026-11-21', capacity: 0 }], bookings: [{ day: '2026-11-21', booked: 1 }] },
    true,
  ],
  ['a closed evening without bookings', { capacity: 0 }, false],
])('%s is overbooked or not', (_name, change, expected) => {
  expect(isOverbooked({ ...plan, capacity: null, closedWeekdays: [], exceptions: [], bookings: [], ...change }, '2026-11-21')).toBe(
    expected,
  );
});
