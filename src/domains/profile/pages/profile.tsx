import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
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
import { ChevronRightIcon } from '../../../ui/icons/chevron.tsx';
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
      <YourData />
      <LogOutEverywhere />
    </>
  );
}

function YourData() {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Your data')}</h2>
      <ul className="mt-2 -mb-2 divide-y divide-line">
        <DataLink to={links.dataCopy()}>{t('Get a copy of your data')}</DataLink>
        <DataLink to={links.deleteAccount()}>{t('Delete account')}</DataLink>
      </ul>
    </Card>
  );
}

const DataLink = ({ to, children }: { to: string; children: string }) => (
  <li>
    <Link to={to} className="flex min-h-12 items-center justify-between gap-3 py-2 text-accent-ink hover:underline underline-offset-3">
      {children}
      <ChevronRightIcon small />
    </Link>
  </li>
);

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
