import { expect, test } from 'vitest';
import { dayAfter, formatDay, kolkataDateTime, kolkataDay, kolkataTime, startOfKolkataDay } from './dates.ts';

test('a day starts at midnight in Asia/Kolkata, five and a half hours before midnight in UTC', () => {
  const [before, after] = [new Date('2026-11-20T18:29:59.999Z'), new Date('2026-11-20T18:30:00Z')];
  expect([kolkataDay(before), kolkataDay(after)]).toEqual(['2026-11-20', '2026-11-21']);
  expect([kolkataTime(before), kolkataTime(after)]).toEqual(['23:59', '00:00']);
  expect(kolkataDateTime(after)).toBe('2026-11-21 00:00:00');
  expect(startOfKolkataDay(after)).toEqual(after);
  expect(startOfKolkataDay(before)).toEqual(new Date('2026-11-19T18:30:00Z'));
});

test.each([
  ['2028-02-28', '2028-02-29'],
  ['2027-02-28', '2027-03-01'],
  ['2026-12-31', '2027-01-01'],
])('the day after %s is %s', (day, next) => {
  expect(dayAfter(day)).toBe(next);
});

test('formatDay returns Mon DD, YYYY', () => {
  expect(formatDay('2026-11-21 10:00:00')).toBe('Nov 21, 2026');
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  for (const [index, month] of months.entries()) {
    expect(formatDay(`2026-${String(index + 1).padStart(2, '0')}-02`)).toBe(`${month} 02, 2026`);
  }
});

test.each(['2026-13-01', '2026-00-01', 'soon', 'on 2026-11-21', ''])('formatDay returns %j unchanged, because it is not a day', (text) => {
  expect(formatDay(text)).toBe(text);
});
