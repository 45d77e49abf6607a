import type { Language } from '../../../i18n/language.tsx';
import type { DeskPlan } from './contract.ts';

/** Returns 'Monday' for 1, or 'Mon'. */
export function weekdayName({ code }: Pick<Language, 'code'>, weekday: number, length: 'long' | 'short'): string {
  // 2024-01-01 was a Monday.
  return new Intl.DateTimeFormat(code, { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));
}

/** Returns 'Sat, Nov 21, 2026'. */
export const formatDayOfWeek = (language: Language, day: string, weekday: number): string =>
  `${weekdayName(language, weekday, 'short')}, ${language.day(day)}`;

/** Returns '12 orders', 'Closed' or 'Any number'. */
export function capacityText({ t, plural }: Language, capacity: number | null): string {
  if (capacity === null) return t('Any number');
  if (capacity === 0) return t('Closed');
  return plural(capacity, { one: '{count} order', other: '{count} orders' }, { count: capacity });
}

/** Returns 'Monday, Sunday' or 'No day'. */
export const closedDaysText = (language: Language, { closed_weekdays: closed }: DeskPlan): string =>
  closed.map((weekday) => weekdayName(language, weekday, 'long')).join(', ') || language.t('No day');

/** Returns true if the plan has no capacity and no closed weekday. */
export const isUnlimited = ({ capacity, closed_weekdays: closed }: DeskPlan): boolean => capacity === null && closed.length === 0;
