import { Link } from 'react-router';
import { useSession } from '../../../../browser/session-user.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { links } from '../../../../shared/links.ts';
import { ChevronLeftIcon } from '../../../../ui/icons/chevron.tsx';
import { backStyles } from '../../../../ui/layout/page-heading.tsx';

/**
 * Leads to the list of orders until the session is known: all orders share one document
 * (server/documents/README.md).
 */
export const BackToOrder = ({ orderid }: { orderid: string }) => {
  const { t } = useLanguage();
  const to = useSession() === 'unknown' ? links.orders() : links.order(orderid);
  return (
    <Link to={to} className={`${backStyles} print:hidden`}>
      <ChevronLeftIcon small />
      {t('Your order')}
    </Link>
  );
};
