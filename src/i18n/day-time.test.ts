import { expect, test } from 'vitest';
import { formatDayTime, formatTime } from './day-time.ts';

test.each([
  ['en', '2026-11-23 21:00:00', 'Mon, Nov 23, 9 PM'],
  ['en', '2026-11-22 18:40:59', 'Sun, Nov 22, 6:40 PM'],
  ['en', '2026-09-01 00:05:00', 'Tue, Sep 01, 12:05 AM'],
  ['hi', '2026-11-23 21:00:00', 'सोम, 23 नव॰, रात 9 बजे'],
  ['hi', '2026-11-23 06:40:00', 'सोम, 23 नव॰, सुबह 6:40'],
  ['en', 'tomorrow', 'tomorrow'],
])('%s: %s is %s', (code, dateTime, text) => {
  expect(formatDayTime({ code }, dateTime).replaceAll(/\s/gu, ' ')).toBe(text);
});

test.each([
  ['en', '2026-11-23 18:05:59', '6:05 PM'],
  ['hi', '2026-11-23 06:40:00', 'सुबह 6:40'],
])('%s: the time of %s is %s', (code, dateTime, text) => {
  expect(formatTime({ code }, dateTime).replaceAll(/\s/gu, ' ')).toBe(text);
});
