import type { Language } from './language.tsx';

/** Formats a day with its weekday: 'Sun, Nov 22, 2026'. Returns another text unchanged. */
export function formatWeekday({ code, day }: Pick<Language, 'code' | 'day'>, date: string): string {
  const time = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(time)) return day(date);
  return `${new Intl.DateTimeFormat(code === 'en' ? 'en-GB' : code, { timeZone: 'UTC', weekday: 'short' }).format(time)}, ${day(date)}`;
}

/**
 * Formats the time of a date-time in Asia/Kolkata: '6:40 PM'. Throws `RangeError` for another text.
 */
export function formatTime({ code }: Pick<Language, 'code'>, dateTime: string): string {
  const time = Date.parse(`${dateTime.replace(' ', 'T')}Z`);
  const isEnglish = code === 'en';
  const format = { timeZone: 'UTC', hour: 'numeric', minute: '2-digit', hour12: true } as const;
  return new Intl.DateTimeFormat(isEnglish ? 'en-US' : code, { ...format, ...(!isEnglish && { dayPeriod: 'short' }) }).format(time);
}

/** Formats a time of day, such as '14:36': '2:36 PM'. Throws `RangeError` for another text. */
export const formatClock = (language: Pick<Language, 'code'>, clock: string): string => formatTime(language, `1970-01-01 ${clock}:00`);

/**
 * Formats a date-time in Asia/Kolkata ('YYYY-MM-DD HH:mm:ss') without its year: 'Mon, Nov 23, 9 PM'
 * or 'Sun, Nov 22, 6:40 PM'. Returns another text unchanged. Not a method of `Language`, which
 * every page loads.
 */
export function formatDayTime({ code }: Pick<Language, 'code'>, dateTime: string): string {
  const time = Date.parse(`${dateTime.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) return dateTime;
  const isEnglish = code === 'en';
  const format = new Intl.DateTimeFormat(isEnglish ? 'en-GB' : code, {
    timeZone: 'UTC',
    weekday: 'short',
    day: isEnglish ? '2-digit' : 'numeric',
    month: 'short',
    hour: 'numeric',
    hour12: true,
    ...(dateTime.slice(14, 16) !== '00' && { minute: '2-digit' }),
    // Without 'am' and 'pm', which are English.
    ...(!isEnglish && { dayPeriod: 'short' }),
  });
  // Hindi names a full hour with its word, as in 'रात 9 बजे'.
  if (!isEnglish) return `${format.format(time)}${dateTime.slice(14, 16) === '00' ? '\u00a0बजे' : ''}`;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month, hour, minute, dayPeriod = '' } = parts;
  return `${weekday}, ${month?.slice(0, 3)} ${day}, ${hour}${minute ? `:${minute}` : ''} ${dayPeriod.toUpperCase()}`;
}
