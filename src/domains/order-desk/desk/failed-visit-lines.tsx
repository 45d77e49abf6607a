import { formatDayTime, formatWeekday } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { ListedOrder } from './contract.ts';
import { ATTEMPT_TEXTS } from './desk-texts.ts';

/** The last failed visit of an order in a list, and the evening that the customer asked for. */
export function FailedVisitLines({ order: { attempt, wished_day: wished } }: { order: Pick<ListedOrder, 'attempt' | 'wished_day'> }) {
  const language = useLanguage();
  const { t } = language;
  if (!attempt) return null;
  return (
    <p className="mt-2 text-sm font-medium text-warn">
      {/* A visit that waits on the phone of a rider has no time yet. */}
      {attempt.at && `${formatDayTime(language, attempt.at)}: `}
      {t(ATTEMPT_TEXTS[attempt.why] ?? ATTEMPT_TEXTS.other)}
      {wished && <strong className="block text-ink">{t('The customer asked for {day}', { day: formatWeekday(language, wished) })}</strong>}
    </p>
  );
}
