import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import type { BegunOnline } from '../begun-online.ts';

/** An online payment that the customer began, and whose result the gateway has not reported. */
export function BegunOnlineNotice({ payment: { amount, begun_at: begunAt } }: { payment: BegunOnline }) {
  const language = useLanguage();
  const { t, rupees } = language;
  return (
    <Notice tone="warn" title={t('An online payment of {amount} is not confirmed yet', { amount: rupees(amount) })}>
      {t('The customer began it at {time}. Ask before you take a payment: it may still arrive.', {
        time: formatDayTime(language, begunAt),
      })}
    </Notice>
  );
}
