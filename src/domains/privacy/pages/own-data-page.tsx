import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { SessionUser } from '../../../browser/session-user.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { LockPicture } from '../../../ui/art/screens/lock.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { BackToProfile } from './back-to-profile.tsx';

interface OwnDataPageProps {
  title: string;
  text: string;
  children(user: SessionUser): ReactNode;
}

/** A page about the data of the customer who is logged in. */
export function OwnDataPage({ title, text, children }: OwnDataPageProps) {
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="narrow" picture={<LockPicture />} title={title} text={text} back={<BackToProfile />}>
        <RequireLogin delay="profileToLogin" fallback={<OwnDataSkeleton />}>
          {children}
        </RequireLogin>
      </Split>
    </PageBody>
  );
}

const OwnDataSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your profile')}>
      <Skeleton shape="card" />
      <Skeleton shape="card" />
    </SkeletonGroup>
  );
};
