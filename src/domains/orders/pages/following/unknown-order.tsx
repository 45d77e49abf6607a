import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { links } from '../../../../shared/links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { LostSockArt } from '../../../../ui/art/empty.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { orderError } from '../../contract.ts';

/** Replaces a page about an order that does not exist, or that belongs to another customer. */
export function UnknownOrder({ orderid }: { orderid: string }) {
  const { t, formatMessage } = useLanguage();
  return (
    <EmptyState
      art={<LostSockArt />}
      title={formatMessage(orderError('order-not-found', { orderid }))}
      action={
        <Link to={links.orders()} className={buttonStyles('primary')}>
          {t('See your orders')}
        </Link>
      }
    />
  );
}
