import { useState } from 'react';
import { Link } from 'react-router';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import type { Brand } from '../../../shared/brand.ts';
import { useLanguage, type Translate } from '../../../i18n/language.tsx';
import { EmptyBasketArt } from '../../../ui/art/empty.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { PageBody } from '../../../ui/layout/container.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { links } from '../../../shared/links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { RequireLogin } from '../../../site/require-login.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import type { PageHandle } from '../../../site/page-meta.tsx';
import type { Route } from './+types/wallet-payment.ts';
import { BackToOrder } from '../../orders/pages/following/back-to-order.tsx';
import { useWalletPayment } from './use-wallet-payment.ts';
import { WalletPaymentDetails } from './wallet-payment-details.tsx';
import { WalletPicture } from '../../../ui/art/screens/wallet.tsx';

const title = (t: Translate, { name }: Brand) => t('Pay with {brand} wallet', { brand: name });

export const handle: PageHandle = { meta: (t, { brand }) => [{ title: title(t, brand) }, { name: 'robots', content: 'noindex' }] };

export default function WalletPaymentPage({ params: { orderid } }: Route.ComponentProps) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="text" picture={<WalletPicture />} title={title(t, brand)} back={<BackToOrder orderid={orderid} />}>
        <RequireLogin delay="walletPaymentToLogin" fallback={<WalletPaymentSkeleton />}>
          {({ userid }) => <Payment key={`${userid} ${orderid}`} userid={userid} orderid={orderid} />}
        </RequireLogin>
      </Split>
    </PageBody>
  );
}

function Payment({ userid, orderid }: { userid: string; orderid: string }) {
  const { t } = useLanguage();
  const { query, paying, isPaidNow, pay } = useWalletPayment(userid, orderid);
  const amount = query.status === 'success' && 'payment' in query.data ? query.data.payment.walletpayment : undefined;
  // It outlasts a time in which the order cannot be paid, because it is weighed again.
  const [seenAmount, setSeenAmount] = useState(amount);
  if (seenAmount === undefined && amount !== undefined) setSeenAmount(amount);
  if (query.status === 'loading') return <WalletPaymentSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load this payment')} onRetry={query.retry} />;
  if ('error' in query.data) return <PaymentUnavailable orderid={orderid} error={query.data.error} />;
  return (
    <div className="space-y-4">
      {query.isRefetchError && <LoadingFailed live title={t('We could not load this payment')} onRetry={query.refetch} />}
      <WalletPaymentDetails
        orderid={orderid}
        payment={query.data.payment}
        online={query.data.online}
        paying={paying}
        isPaidNow={isPaidNow}
        isChanged={amount !== seenAmount}
        onPay={(payment) => {
          setSeenAmount(payment.walletpayment);
          pay(payment);
        }}
      />
    </div>
  );
}

/** The page of the order shows its payments and the other ways to pay. */
const PaymentUnavailable = ({ orderid, error }: { orderid: string; error: ErrorMessage }) => {
  const { t, formatMessage } = useLanguage();
  const isUnknown = error.code === 'order-not-found';
  return (
    <EmptyState
      art={<EmptyBasketArt />}
      title={formatMessage(error)}
      action={
        <Link to={isUnknown ? links.orders() : links.order(orderid)} className={buttonStyles('primary')}>
          {isUnknown ? t('See your orders') : t('See your order')}
        </Link>
      }
    />
  );
};

const WalletPaymentSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your wallet payment')}>
      <Skeleton shape="block" />
      <Skeleton shape="card" />
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
};
