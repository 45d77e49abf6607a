import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import type { OrderPayments } from '../contract.ts';

/**
 * Shows a pending or failed online payment. A payment also fails if its page expires without a
 * payment.
 */
export function UnfinishedPayment({ payment, mayPayAgain }: { payment: NonNullable<OrderPayments['online']>; mayPayAgain: boolean }) {
  const { t, day, rupees } = useLanguage();
  const { brand } = useSiteConfig();
  const { tid, amount, state, begun_on } = payment;
  const params = { amount: rupees(amount), day: day(begun_on) };
  if (state === 'failed') {
    return (
      <Notice tone="warn" live title={t('Your online payment of {amount} from {day} was not completed', params)}>
        {mayPayAgain
          ? t('You can pay again. If the money has left your account, write to {email}.', { email: brand.email })
          : t('If the money has left your account, write to {email}.', { email: brand.email })}
      </Notice>
    );
  }
  const action = (
    <Link to={links.paymentResult(tid, amount)} className={buttonStyles('primary', 'small')}>
      {t('See how it stands')}
    </Link>
  );
  return (
    <Notice tone="info" title={t('Your online payment of {amount} from {day} is not confirmed yet', params)} action={action}>
      {t('If you have paid, you need not pay again: it may take 24 hours. If you have not, you can still pay.')}
    </Notice>
  );
}
