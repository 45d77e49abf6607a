/**
 * Dates are days in Asia/Kolkata (UTC+05:30, no daylight saving), written YYYY-MM-DD. Specification
 * section 9, "Dates and currency".
 */
import { DAY_SECONDS } from './clock.ts';
const KOLKATA_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata, the format of every date-time in a call. */
export const kolkataDateTime = (time: Date): string =>
  new Date(time.getTime() + KOLKATA_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Reads a text of `kolkataDateTime`. Does not validate other texts: it returns an invalid date for
 * some, and another day for '2026-02-30 00:00:00'.
 */
export const fromKolkataDateTime = (text: string): Date => new Date(`${text.replace(' ', 'T')}+05:30`);

/** 'YYYY-MM-DD' in Asia/Kolkata. */
export const kolkataDay = (time: Date): string => kolkataDateTime(time).slice(0, 10);

/** The moment a day begins in Asia/Kolkata. */
export const startOfDay = (day: string): Date => fromKolkataDateTime(`${day} 00:00:00`);

/** The moment the day of `time` began in Asia/Kolkata. */
export const startOfKolkataDay = (time: Date): Date => startOfDay(kolkataDay(time));

/** 'HH:MM' in Asia/Kolkata. */
export const kolkataTime = (time: Date): string => kolkataDateTime(time).slice(11, 16);

/**
 * Returns the day that is `days` later, or earlier if negative. Throws `RangeError` for another
 * text.
 */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);

export const dayAfter = (day: string): string => addDays(day, 1);

/**
 * 'Nov 21, 2026' from the first ten characters of a date or date-time; any other text is returned
 * unchanged.
 */
export function formatDay(dateTime: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(dateTime) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name ? `${name} ${day}, ${year}` : dateTime;
}
