import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { fetchSend } from '../../../browser/client.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { RequireLogin } from '../../../site/require-login.tsx';
import type { SessionUser } from '../../../browser/session-user.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { TotalBalance } from './total-balance.tsx';
import { TransactionList } from './transaction-list.tsx';
import { fetchFirstPage } from './transactions-query.ts';
import { WalletPicture } from '../../../ui/art/screens/wallet.tsx';

export const handle = unindexedPage(msg('Wallet'));

/** Specification section 2, "Wallet". */
export default function WalletPage() {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="text" picture={<WalletPicture />} title={t('Wallet')}>
        <RequireLogin delay="walletToLogin" fallback={<WalletSkeleton />}>
          {(user) => <Wallet key={user.userid} user={user} />}
        </RequireLogin>
      </Split>
    </PageBody>
  );
}

function Wallet({ user }: { user: SessionUser }) {
  const { t } = useLanguage();
  return (
    <>
      <TotalBalance user={user} />
      <section className="space-y-4" aria-labelledby="transactions-title">
        <h2 id="transactions-title" className="text-lg font-semibold">
          {t('Recent Transactions')}
        </h2>
        <Transactions userid={user.userid} />
      </section>
    </>
  );
}

function Transactions({ userid }: { userid: string }) {
  const { t } = useLanguage();
  const query = useQuery({
    queryKey: [userid],
    queryFn: (request) => fetchFirstPage(fetchSend, userid, request),
    onError: (error) => alertProblem(error, { doing: 'loading transactions' }),
  });
  if (query.status === 'loading') return <TransactionListSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your transactions')} onRetry={query.retry} />;
  return <TransactionList userid={userid} firstPage={query.data} />;
}

const WalletSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your wallet')}>
      <Skeleton shape="card" />
      <Skeleton shape="card" />
    </SkeletonGroup>
  );
};

const TransactionListSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your transactions')}>
      <Skeleton shape="line" />
      <Skeleton shape="line" />
      <Skeleton shape="line" />
    </SkeletonGroup>
  );
};
