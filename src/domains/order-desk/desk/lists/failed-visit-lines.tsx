import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import type { ListedOrder } from '../contract.ts';
import { ATTEMPT_TEXTS } from '../desk-texts.ts';

/** A failed visit that waits for another evening, or the evening that was chosen since. */
export function FailedVisitLines({ order }: { order: Pick<ListedOrder, 'attempt' | 'delivery_date'> }) {
  const language = useLanguage();
  const { t } = language;
  const { attempt, delivery_date: day } = order;
  if (attempt) {
    return (
      <p className="mt-2 text-sm font-medium text-warn">
        {/* A visit that waits on the phone of a rider has no time yet. */}
        {attempt.at && `${formatDayTime(language, attempt.at)}: `}
        {t(ATTEMPT_TEXTS[attempt.why] ?? ATTEMPT_TEXTS.other)}
      </p>
    );
  }
  if (day === null) return null;
  return <p className="mt-2 text-sm font-bold">{t('Delivery on {day}', { day: formatWeekday(language, day) })}</p>;
}
