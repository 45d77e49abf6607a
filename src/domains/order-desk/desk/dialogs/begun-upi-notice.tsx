import type { ReactNode } from 'react';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import type { BegunUpi } from '../begun-upi.ts';

interface BegunUpiNoticeProps {
  payment: BegunUpi;
  /** Replaces the advice for a person at the door. */
  children?: ReactNode;
}

/** A UPI payment that the customer reported as paid or began, and that is not noted yet. */
export function BegunUpiNotice({ payment, children }: BegunUpiNoticeProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { amount, begun_at: begunAt, reported_at: reportedAt, left_to_pay: left } = payment;
  const time = formatDayTime(language, reportedAt ?? begunAt);
  return reportedAt === null ? (
    <Notice tone="info" title={t('The customer opened the UPI code for {amount}', { amount: rupees(amount) })}>
      {children ?? t('{time}. Ask whether it is paid before you take a payment.', { time })}
    </Notice>
  ) : (
    // With nothing left to pay it is no alarm: only the statement remains to be compared.
    <Notice tone={left > 0 ? 'warn' : 'info'} title={t('The customer says that {amount} are paid by UPI', { amount: rupees(amount) })}>
      {children ?? t('{time}. Look at the payment app of the customer before you take a payment.', { time })}
    </Notice>
  );
}
