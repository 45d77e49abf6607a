import { Link } from 'react-router';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import type { OrderPayments } from '../contract.ts';
import { startedPayment } from './started-payment.ts';

interface ReportedUpiProps {
  orderid: string;
  /** The unpaid amount of the order without this payment. */
  unpaid: Paise;
  payment: NonNullable<OrderPayments['upi']>;
  /** Null if the payment methods are shown, or the order has no unpaid amount. */
  onPayAnyway: (() => void) | null;
}

/** The laundry notes UPI payments by hand, from the statement of its bank. */
export function ReportedUpi({ orderid, unpaid, payment: { tid, amount, reported_at: reportedAt }, onPayAnyway }: ReportedUpiProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  return (
    <Notice
      tone="info"
      title={t('{time}: you said that you have paid {amount} by UPI', {
        time: formatDayTime(language, reportedAt ?? ''),
        amount: rupees(amount),
      })}
      action={
        <div className="flex flex-wrap items-center gap-x-3">
          <Link
            to={links.paymentResult(tid, amount)}
            className={standaloneLinkStyles}
            // The result page reads the order from it.
            onClick={() => startedPayment.set({ tid, orderid, amount })}
          >
            {t('See how it stands')}
          </Link>
          {onPayAnyway && (
            <Button variant="quiet" size="small" onClick={onPayAnyway}>
              {t('Pay anyway')}
            </Button>
          )}
        </div>
      }
    >
      {reportedUpiText(language, amount, unpaid)}
    </Notice>
  );
}

/** Returns how a reported payment goes on. `unpaid` is the unpaid amount without it. */
export function reportedUpiText({ t }: Language, amount: Paise, unpaid: Paise): string {
  if (unpaid === 0) return t('Your order is paid without it. If it arrives as well, we put it into your wallet.');
  return amount < unpaid
    ? t('We check it against our bank statement, usually within 24 hours. You need not pay this amount again.')
    : t('We check it against our bank statement, usually within 24 hours. You need not pay again.');
}

/** The laundry did not find the payment on the statement of its bank. */
export function DismissedUpi({ payment }: { payment: NonNullable<OrderPayments['dismissed_upi']> }) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { brand } = useSiteConfig();
  return (
    <Notice tone="warn" title={t('Your UPI payment of {amount} did not arrive', { amount: rupees(payment.amount) })}>
      <p className="wrap-anywhere">
        {t('{text}: {reason}', { text: formatDayTime(language, payment.dismissed_at), reason: payment.reason })}
      </p>
      <p>{t('If the money has left your account, call us at {mobile}: we look for it again.', { mobile: brand.mobile })}</p>
    </Notice>
  );
}
