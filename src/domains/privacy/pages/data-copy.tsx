import { useEffect, useState } from 'react';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import type { SessionUser } from '../../../browser/session-user.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { LockPicture } from '../../../ui/art/screens/lock.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { exportData, privacyMessages as messages } from '../contract.ts';
import { BackToProfile } from './back-to-profile.tsx';
import { ContentsCard } from './contents-card.tsx';
import { ProveNumber } from './prove-number.tsx';

export function DataCopyPage() {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="narrow"
        picture={<LockPicture />}
        title={t(messages.exported)}
        text={t('Everything that we store about you, in one file.')}
        back={<BackToProfile />}
      >
        <RequireLogin delay="profileToLogin" fallback={<PageSkeleton />}>
          {(user) => <DataCopy key={user.userid} user={user} />}
        </RequireLogin>
      </Split>
    </PageBody>
  );
}

function DataCopy({ user }: { user: SessionUser }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <>
      <ContentsCard
        title={t('What the file contains')}
        items={[
          t('Your name, mobile number, e-mail and addresses'),
          t('Your orders with their stages, payments and notes'),
          t('Your wallet, offers and referral bonuses'),
          t('Your reviews, your reports with our answers, and our messages to you'),
          t('When you logged in, and when we sent you a code'),
        ]}
      >
        <p className="mt-4 text-sm text-ink-soft">
          <RichText
            text="The format is JSON, which other programs can read. Photos are listed only: for the pictures, write to {email}."
            parts={{
              email: (
                <a href={`mailto:${brand.email}`} className={textLinkStyles}>
                  {brand.email}
                </a>
              ),
            }}
          />
        </p>
      </ContentsCard>
      <Card>
        <GetFile user={user} />
      </Card>
    </>
  );
}

/** The code field, which had the focus, was removed. */
const focus = (element: HTMLElement | null) => element?.focus();

interface CopyFile {
  name: string;
  url: string;
}

function GetFile({ user: { userid, mobile } }: { user: SessionUser }) {
  const { t } = useLanguage();
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [error, setError] = useState<ErrorMessage>();
  const [file, setFile] = useState<CopyFile>();
  const { pending, mutate } = useMutation({
    async mutationFn() {
      const result = await fetchSend(exportData, { userid });
      setIsConfirmed(result.response === 'success');
      if (result.response !== 'success') return setError(toErrorMessage(result));
      const { exported_at, copy } = result.data;
      const text = JSON.stringify({ exported_at, ...copy }, null, 2);
      const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      setFile({ name: `my-data-${exported_at.slice(0, 10)}.json`, url });
    },
    onError: (problem) => alertProblem(problem, { doing: 'getting a copy of the data' }),
  });
  useEffect(() => {
    if (file) return () => URL.revokeObjectURL(file.url);
    return undefined;
  }, [file]);

  if (file) {
    return (
      <Notice
        tone="good"
        live
        title={t('Your file is ready')}
        action={
          <a ref={focus} href={file.url} download={file.name} className={buttonStyles('primary')}>
            {t('Save the file')}
          </a>
        }
      >
        {t('Keep it where only you can read it.')}
      </Notice>
    );
  }
  if (!isConfirmed) {
    const confirmed = () => {
      setIsConfirmed(true);
      setError(undefined);
      void mutate(undefined);
    };
    return <ProveNumber mobile={mobile} purpose="export" error={error} onConfirmed={confirmed} />;
  }
  return (
    <Button variant="primary" wide pending={pending} onClick={() => void mutate(undefined)}>
      {t('Get the file')}
    </Button>
  );
}

const PageSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your profile')}>
      <Skeleton shape="card" />
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
};
