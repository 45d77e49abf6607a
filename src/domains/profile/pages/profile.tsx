import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/actions/button.tsx';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import type { SessionUser } from '../../../browser/session-user.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { links } from '../../../shared/links.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { logOut } from '../../accounts/pages/log-out.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { MessageSettings } from './message-settings.tsx';
import { ProfileForm } from './profile-form.tsx';
import { refreshSession } from './refresh-session.ts';
import { NameTagPicture } from '../../../ui/art/screens/name-tag.tsx';

export const handle = unindexedPage(msg('Profile'));

export default function ProfilePage() {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="narrow" picture={<NameTagPicture />} title={t('Profile')}>
        <RequireLogin delay="profileToLogin" fallback={<ProfileFormSkeleton />}>
          {(user) => <Profile key={user.userid} user={user} />}
        </RequireLogin>
      </Split>
    </PageBody>
  );
}

/** Refreshes the session before it shows the form: another browser may have changed the details. */
function Profile({ user }: { user: SessionUser }) {
  const { status } = useQuery({
    queryKey: [user.userid],
    queryFn: refreshSession,
    onError: (error) => alertProblem(error, { doing: 'loading the profile' }),
  });
  return (
    <>
      <Card>{status === 'loading' ? <ProfileFormSkeleton /> : <ProfileForm user={user} />}</Card>
      <MessageSettings userid={user.userid} />
      <LogOutEverywhere />
    </>
  );
}

/** For a customer who lost a phone or logged in on a shared device. */
function LogOutEverywhere() {
  const { t } = useLanguage();
  const [pending, setPending] = useState(false);
  const navigate = useNavigate();
  const leave = async () => {
    setPending(true);
    try {
      await logOut({ everywhere: true });
      await navigate(links.home());
    } catch (error) {
      alertProblem(error, { doing: 'logging out on all devices' });
      setPending(false);
    }
  };
  return (
    <Button variant="quiet" wide pending={pending} onClick={() => void leave()}>
      {t('Log out on all devices')}
    </Button>
  );
}

const ProfileFormSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your profile')}>
      <Skeleton shape="field" />
      <Skeleton shape="field" />
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
};
