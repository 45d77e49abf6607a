import { Link } from 'react-router';
import { links } from '../../../../web/links.ts';
import { site } from '../../../../web/site.ts';
import type { Order } from '../../contract.ts';
import { mayPayFromWallet } from '../../rules.ts';

/** Leads to the wallet payment, in the stages in which there is one (specification section 4). */
export const WalletPaymentLink = ({ order, look }: { order: Order; look: string }) =>
  mayPayFromWallet(order.washing_stage) && (
    <Link to={links.walletPayment(order.orderid)} className={look}>
      Pay with {site().brand.name} wallet
    </Link>
  );
