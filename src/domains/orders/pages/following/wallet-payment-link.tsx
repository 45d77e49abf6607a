import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { links } from '../../../../shared/links.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import type { Order } from '../../contract.ts';
import { isWalletPartOpen } from '../../rules.ts';

interface WalletPaymentLinkProps {
  order: Order;
  className: string;
  /** The amounts. */
  note?: string;
}

/**
 * Renders a link to the wallet payment, or nothing in other stages (specification section 4), after
 * the payment, and if less than the wallet's half is left to pay.
 */
export function WalletPaymentLink({ order, className, note }: WalletPaymentLinkProps) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  if (!isWalletPartOpen(order)) return null;
  return (
    <Link to={links.walletPayment(order.orderid)} className={className}>
      <span>
        <span className="block">{t('Pay with {brand} wallet', { brand: brand.name })}</span>
        {note && <span className="block text-sm font-normal text-ink-soft">{note}</span>}
      </span>
    </Link>
  );
}
