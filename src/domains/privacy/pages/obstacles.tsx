import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { privacyError, type DeletionObstacle } from '../contract.ts';

interface Obstacle {
  kind: DeletionObstacle;
  orderids: readonly string[];
  guest_orders: number;
}

/** Where the customer can do something about the obstacle, or see how far it is. */
const LINKS: Readonly<Record<DeletionObstacle, (orderid: string) => string>> = {
  'orders-open': links.order,
  'reports-open': links.claims,
  'gateway-payment-pending': links.orderPayment,
  'upi-payment-reported': links.orderPayment,
  'orders-unpaid': links.orderPayment,
};

/** States what must end before the account can be deleted, with links to the orders. */
export function Obstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const { t } = useLanguage();
  return (
    <Notice tone="warn" live title={t('Your account cannot be deleted yet')}>
      <ul className="space-y-3">
        {obstacles.map((obstacle) => (
          <li key={obstacle.kind}>
            <OneObstacle obstacle={obstacle} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function OneObstacle({ obstacle: { kind, orderids, guest_orders } }: { obstacle: Obstacle }) {
  const { t, plural, formatMessage } = useLanguage();
  return (
    <>
      <p>{formatMessage(privacyError(kind))}</p>
      <ul className="flex flex-wrap gap-x-4">
        {orderids.map((orderid) => (
          <li key={orderid}>
            <Link to={LINKS[kind](orderid)} className={`${textLinkStyles} inline-flex min-h-11 items-center`}>
              {t('Order {orderid}', { orderid })}
            </Link>
          </li>
        ))}
      </ul>
      {guest_orders > 0 && (
        <p>
          {plural(
            guest_orders,
            {
              one: '{count} order was placed with your number without the account. The browser that placed it shows it.',
              other: '{count} orders were placed with your number without the account. The browser that placed them shows them.',
            },
            { count: guest_orders },
          )}
        </p>
      )}
    </>
  );
}
