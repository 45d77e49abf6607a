import { Link } from 'react-router';
import { EmptyBasketArt } from '../../../ui/art/empty.tsx';
import { buttonLook } from '../../../ui/button-look.ts';
import { PageBody } from '../../../ui/container.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ChevronLeftIcon } from '../../../ui/icons/chevron.tsx';
import { backLook, PageHeading } from '../../../ui/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import { links } from '../../../web/links.ts';
import { LoadingFailed } from '../../../web/loading-failed.tsx';
import { LoginGate } from '../../../web/login-gate.tsx';
import { MAIN_ID } from '../../../web/site-layout.tsx';
import { site } from '../../../web/site.ts';
import type { Route } from './+types/wallet-payment.ts';
import { useWalletPayment } from './paying-from-wallet.ts';
import { WalletFigures } from './wallet-figures.tsx';

const title = () => `Pay with ${site().brand.name} wallet`;

export const meta = () => [{ title: title() }, { name: 'robots', content: 'noindex' }];

export default function WalletPaymentPage({ params: { orderid } }: Route.ComponentProps) {
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading
        title={title()}
        back={
          <Link to={links.order(orderid)} className={backLook}>
            <ChevronLeftIcon small />
            Your order
          </Link>
        }
      />
      <LoginGate after="walletPaymentToLogin" waiting={<Waiting />}>
        {({ userid }) => <Payment key={`${userid} ${orderid}`} userid={userid} orderid={orderid} />}
      </LoginGate>
    </PageBody>
  );
}

function Payment({ userid, orderid }: { userid: string; orderid: string }) {
  const { loaded, retry, paying, pay } = useWalletPayment(userid, orderid);
  if (loaded.state === 'loading') return <Waiting />;
  if (loaded.state === 'failed') return <LoadingFailed what="this payment" onRetry={retry} />;
  if ('refusal' in loaded.data) return <Nothing why={loaded.data.refusal} />;
  return <WalletFigures orderid={orderid} {...loaded.data} paying={paying} onPay={pay} />;
}

const Nothing = ({ why }: { why: string }) => (
  <EmptyState
    art={<EmptyBasketArt />}
    title={why}
    action={
      <Link to={links.orders()} className={buttonLook('primary')}>
        See your orders
      </Link>
    }
  />
);

const Waiting = () => (
  <SkeletonGroup label="Loading your wallet payment">
    <Skeleton shape="block" />
    <Skeleton shape="card" />
    <Skeleton shape="field" />
  </SkeletonGroup>
);
