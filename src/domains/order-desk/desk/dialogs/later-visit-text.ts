import { formatWeekday } from '../../../../i18n/day-time.ts';
import type { Language } from '../../../../i18n/language.tsx';
import { dayAfter, kolkataDay } from '../../../../lib/dates.ts';

/** Returns the sentence about a visit that is planned for `day`, which is later than today. */
export function laterVisitText(language: Language, { stage, day }: { stage: string; day: string }, now: Date): string {
  const { t } = language;
  const weekday = formatWeekday(language, day);
  const isTomorrow = day === dayAfter(kolkataDay(now));
  if (stage === 'delivery') {
    return isTomorrow
      ? t('This delivery is booked for tomorrow, {day}.', { day: weekday })
      : t('This delivery is booked for {day}.', { day: weekday });
  }
  return isTomorrow
    ? t('This pickup is booked for tomorrow, {day}.', { day: weekday })
    : t('This pickup is booked for {day}.', { day: weekday });
}
