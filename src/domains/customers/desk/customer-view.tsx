import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { CallLink } from '../../order-desk/desk/order/contact-links.tsx';
import { OrderLine } from '../../order-desk/desk/lists/order-line.tsx';
import { mayCall, staffError } from '../../staff/desk/contract.ts';
import { useMe } from '../../staff/desk/session.ts';
import { customerMessages, type DeskCustomer } from './contract.ts';
import { CustomerOffers } from './customer-offers.tsx';
import { CustomerWallet } from './customer-wallet.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { PayOutDialog } from './pay-out-dialog.tsx';

interface CustomerViewProps {
  customer: DeskCustomer;
  /** Loads the customer again after a change. */
  onChanged(): Promise<unknown>;
}

/** A customer: details and orders, and what the laundry owes and gave. */
export function CustomerView({ customer, onChanged }: CustomerViewProps) {
  const { t, day } = useLanguage();
  const [isGiving, setGiving] = useState(false);
  const [isPayingOut, setPayingOut] = useState(false);
  const { name, is_guest: isGuest } = customer;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 lg:gap-6">
      <div className="min-w-0 space-y-4 lg:space-y-6">
        <Card as="section">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="text-lg font-semibold wrap-anywhere">{name ?? t('A guest')}</h2>
            {isGuest ? <Badge tone="plain">{t('Guest')}</Badge> : <Badge tone="accent">{t('Account')}</Badge>}
          </div>
          <p className="mt-1 text-sm text-ink-soft">{t('Customer since {day}', { day: day(customer.since) })}</p>
          <Actions customer={customer} onGive={() => setGiving(true)} onPayOut={() => setPayingOut(true)} />
        </Card>
        <Orders customer={customer} />
      </div>
      <div className="min-w-0 space-y-4 lg:space-y-6">
        <CustomerWallet customer={customer} onChanged={onChanged} />
        {!isGuest && <CustomerOffers offers={customer.offers} onChanged={onChanged} />}
      </div>
      <GrantDialog
        open={isGiving}
        name={name ?? ''}
        customer={customer}
        onGiven={async (message) => {
          setGiving(false);
          showToast({ theme: 'green', text: message });
          await onChanged();
        }}
        onClose={() => setGiving(false)}
      />
      <PayOutDialog
        open={isPayingOut}
        name={name ?? ''}
        customer={customer}
        onPaidBack={async () => {
          setPayingOut(false);
          showToast({ theme: 'green', text: customerMessages.paidBack });
          await onChanged();
        }}
        onClose={() => setPayingOut(false)}
      />
    </div>
  );
}

interface ActionsProps {
  customer: DeskCustomer;
  onGive(): void;
  onPayOut(): void;
}

function Actions({ customer: { mobile, is_guest: isGuest, wallet }, onGive, onPayOut }: ActionsProps) {
  const { t, formatMessage } = useLanguage();
  const me = useMe();
  const isSelf = mobile === me.mobile;
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        <CallLink mobile={mobile} />
        {!isGuest && !isSelf && mayCall(me.role, 'staff/grant') && (
          <Button variant="primary" size="small" onClick={onGive}>
            {t('Give credit or offer')}
          </Button>
        )}
        {!isGuest && !isSelf && wallet > 0 && mayCall(me.role, 'staff/payout') && (
          <Button variant="secondary" size="small" onClick={onPayOut}>
            {t('Pay money back')}
          </Button>
        )}
      </div>
      {isSelf && (
        <div className="mt-3">
          <Notice tone="info">{formatMessage(staffError('own-mobile'))}</Notice>
        </div>
      )}
    </>
  );
}

/** More are shown after a press, so that wallet and offers are near on a phone. */
const FIRST_ORDERS = 5;

function Orders({ customer: { orders, has_more_orders: hasMore, mobile } }: { customer: DeskCustomer }) {
  const { t } = useLanguage();
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section aria-labelledby="orders">
      <h2 id="orders" className="text-lg font-bold">
        {t('Orders')}
      </h2>
      {orders.length === 0 && <p className="mt-2 text-ink-soft">{t('No orders')}</p>}
      <ul className="mt-3 grid grid-cols-1 gap-3">
        {orders.slice(0, showsAll ? orders.length : FIRST_ORDERS).map((order) => (
          <OrderLine key={order.orderid} order={order} showsStage />
        ))}
      </ul>
      {orders.length > FIRST_ORDERS && (
        <div className="mt-3">
          <Button variant="secondary" size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('Show fewer') : t('Show more')}
          </Button>
        </div>
      )}
      {showsAll && hasMore && (
        <Link to={staffLinks.orders({ search: mobile })} className={standaloneLinkStyles}>
          {t('All orders of this number')}
        </Link>
      )}
    </section>
  );
}
