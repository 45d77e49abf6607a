import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { links } from '../../../browser/links.ts';
import { useSiteConfig } from '../../../browser/site-config.ts';
import type { OrderPayments } from '../contract.ts';

/** An online payment that was begun and has not come: how it stands and what to do now. What failed may be an attempt or a page that nobody paid at for a day. */
export function UnfinishedPayment({ payment }: { payment: NonNullable<OrderPayments['online']> }) {
  const { t, day, rupees } = useLanguage();
  const { brand } = useSiteConfig();
  const { tid, amount, state, begun_on } = payment;
  const which = { amount: rupees(amount), day: day(begun_on) };
  if (state === 'failed') {
    return (
      <Notice tone="warn" title={t('Your online payment of {amount} from {day} was not completed', which)}>
        {t('You can pay again. If the money has left your account, write to {email}.', { email: brand.email })}
      </Notice>
    );
  }
  const action = (
    <Link to={links.paymentResult(tid, amount)} className={standaloneLinkStyles}>
      {t('See how it stands')}
    </Link>
  );
  return (
    <Notice tone="info" title={t('Your online payment of {amount} from {day} is not confirmed yet', which)} action={action}>
      {t('If you have paid, you need not pay again: it may take 24 hours. If you have not, you can still pay.')}
    </Notice>
  );
}
