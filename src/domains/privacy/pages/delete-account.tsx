import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { formatAmount, type Paise } from '../../../lib/money.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { clearSession } from '../../../browser/change-session.ts';
import { fetchSend } from '../../../browser/client.ts';
import { requireData } from '../../../contract/call-failures.ts';
import type { SessionUser } from '../../../browser/session-user.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { links } from '../../../shared/links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { BACKUP_DAYS, checkDeletion, deleteAccount, privacyError, privacyMessages as messages } from '../contract.ts';
import { ContentsCard } from './contents-card.tsx';
import { GiveUpMoney } from './give-up-money.tsx';
import { Obstacles } from './obstacles.tsx';
import { OwnDataPage } from './own-data-page.tsx';
import { ProveNumber } from './prove-number.tsx';

export function DeleteAccountPage() {
  const { t } = useLanguage();
  return (
    <OwnDataPage title={t('Delete account')} text={t('This deletes your account at once and for good.')}>
      {(user) => <DeleteAccount key={user.userid} user={user} />}
    </OwnDataPage>
  );
}

function DeleteAccount({ user }: { user: SessionUser }) {
  const { t } = useLanguage();
  const { userid } = user;
  const query = useQuery({
    queryKey: [userid],
    queryFn: async ({ signal }) => requireData(await fetchSend(checkDeletion, { userid }, { signal })),
    onError: (error) => alertProblem(error, { doing: 'checking whether the account can be deleted' }),
  });
  return (
    <>
      <ContentsCard
        title={t('What is deleted')}
        items={[
          t('Your name, mobile number, e-mail and password'),
          t('Your addresses, also those in your orders'),
          t('Your reviews, and the words and photos of your reports'),
          t('Our messages to you, and our notes on your orders'),
          t('Your log-ins on all devices'),
        ]}
      >
        <Link to={links.dataCopy()} className={`${standaloneLinkStyles} mt-2`}>
          {t('Get a copy of your data first')}
        </Link>
      </ContentsCard>
      <ContentsCard
        title={t('What stays, without your name')}
        items={[
          t('Orders: service, area, days, weights and amounts'),
          t('Payments and entries of the wallet, which the law wants in our books'),
          t('A fingerprint of your number: if it signs up again, it earns no second referral bonus'),
        ]}
      >
        <p className="mt-4 text-sm text-ink-soft">
          {t('Our backups contain your data for at most {backupDays} more days. Then they are deleted, too.', {
            backupDays: BACKUP_DAYS,
          })}
        </p>
      </ContentsCard>
      {query.status === 'loading' && <CheckSkeleton />}
      {query.status === 'error' && <LoadingFailed title={t('We could not check your orders')} onRetry={query.retry} />}
      {query.status === 'success' && query.data.obstacles.length > 0 && <Obstacles obstacles={query.data.obstacles} />}
      {query.status === 'success' && query.data.obstacles.length === 0 && (
        <Card>
          <Confirmation user={user} loss={query.data.loss} onRefused={() => void query.refetch()} />
        </Card>
      )}
    </>
  );
}

/** The proof of the number and the last question. `onRefused` checks again what prevents it. */
function Confirmation({ user: { userid, mobile }, loss, onRefused }: { user: SessionUser; loss: Paise; onRefused(): void }) {
  const { t, formatMessage } = useLanguage();
  const navigate = useNavigate();
  const [givesUp, setGivesUp] = useState<Paise>();
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<ErrorMessage>();
  const box = useRef<HTMLInputElement>(null);
  const isLossAccepted = loss === 0 || givesUp === loss;

  const { pending, mutate } = useMutation({
    async mutationFn() {
      const result = await fetchSend(deleteAccount, { userid, gives_up: loss });
      if (result.response !== 'success') {
        setIsAsking(false);
        setError(toErrorMessage(result));
        if (result.code === 'code-not-confirmed') setIsConfirmed(false);
        else onRefused();
        return;
      }
      // Navigates first: this page would show the log-in to a visitor without a session.
      await navigate(links.home(), { replace: true });
      clearSession();
      showToast({ text: messages.deleted, theme: 'green' });
    },
    onError(problem) {
      setIsAsking(false);
      alertProblem(problem, { doing: 'deleting the account' });
    },
  });

  /** Returns whether the customer accepts the loss, and shows the error if not. */
  const checkLoss = () => {
    setError(isLossAccepted ? undefined : privacyError('wallet-not-empty', { amount: formatAmount(loss) }));
    if (!isLossAccepted) box.current?.focus();
    return isLossAccepted;
  };
  const ask = () => {
    if (checkLoss()) setIsAsking(true);
  };
  const confirmed = () => {
    setIsConfirmed(true);
    ask();
  };

  return (
    <div className="space-y-5">
      {loss > 0 && (
        <GiveUpMoney
          ref={box}
          loss={loss}
          checked={givesUp === loss}
          onChange={(isChecked) => {
            setGivesUp(isChecked ? loss : undefined);
            setError(undefined);
          }}
        />
      )}
      {isConfirmed ? (
        <div>
          <Button variant="danger" wide onClick={ask}>
            {t('Delete my account')}
          </Button>
          <FormError text={error && formatMessage(error)} />
        </div>
      ) : (
        <ProveNumber mobile={mobile} purpose="deletion" error={error} onStart={checkLoss} onConfirmed={confirmed} />
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('Delete your account?')}
        message={t('This cannot be undone: nobody can bring your account back.')}
        confirmLabel={t('Delete for good')}
        pending={pending}
        error={null}
        onConfirm={() => void mutate(undefined)}
        onCancel={() => setIsAsking(false)}
      />
    </div>
  );
}

const CheckSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Checking your orders')}>
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
};
