import { useOutletContext } from 'react-router';
import * as z from 'zod/mini';
import { rupees } from '../../../contract/define-call.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { WalletIcon } from '../../../ui/icons/navigation.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { useQuery } from '../../../browser/use-query.ts';
import type { SessionUser, SiteContext } from '../../../browser/session-user.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';

/**
 * Shows the amount after a refresh of the session. The balance in session storage can be older than
 * a bonus or a payment on another device.
 */
export function TotalBalance({ user }: { user: SessionUser }) {
  const { t } = useLanguage();
  const { refreshSession } = useOutletContext<SiteContext>();
  const { status } = useQuery({
    queryKey: [user.userid],
    queryFn: refreshSession,
    onError: (error) => alertProblem(error, { doing: 'loading the wallet' }),
  });
  return (
    <Card as="section">
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid size-14 shrink-0 place-items-center rounded-field bg-accent-soft text-accent-ink">
          <WalletIcon />
        </span>
        <div className="min-w-0 grow">
          <h2 className="text-sm text-ink-soft">{t('Total Balance')}</h2>
          {status !== 'loading' ? (
            <p className="text-[length:min(var(--text-display),12vw)] leading-tight font-extrabold">
              <Money amountPaise={z.decode(rupees, user.wallet)} />
            </p>
          ) : (
            <SkeletonGroup label={t('Loading your balance')}>
              <Skeleton shape="title" />
            </SkeletonGroup>
          )}
        </div>
      </div>
      <p className="mt-4 border-t border-line pt-4 text-sm text-ink-soft">{t('Pays up to half of an order once it is weighed.')}</p>
    </Card>
  );
}
