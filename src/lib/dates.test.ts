import { expect, test } from 'vitest';
import { dayAfter, formatDay, kolkataDateTime, kolkataDay, kolkataHour } from './dates.ts';

test('a day begins at midnight in Gurugram, five and a half hours before it does in UTC', () => {
  const [before, after] = [new Date('2026-11-20T18:29:59.999Z'), new Date('2026-11-20T18:30:00Z')];
  expect([kolkataDay(before), kolkataDay(after)]).toEqual(['2026-11-20', '2026-11-21']);
  expect([kolkataHour(before), kolkataHour(after)]).toEqual([23, 0]);
  expect(kolkataDateTime(after)).toBe('2026-11-21 00:00:00');
});

test.each([
  ['2028-02-28', '2028-02-29'],
  ['2027-02-28', '2027-03-01'],
  ['2026-12-31', '2027-01-01'],
])('the day after %s is %s', (day, next) => {
  expect(dayAfter(day)).toBe(next);
});

test('a day is shown as Mon DD, YYYY; what is no day is shown as it came', () => {
  expect(['2026-11-21 10:00:00', '2026-01-02', '2026-13-01', 'soon', ''].map(formatDay)).toEqual([
    'Nov 21, 2026',
    'Jan 02, 2026',
    '2026-13-01',
    'soon',
    '',
  ]);
});
