import { useEffect, useState } from 'react';
import { PageBody } from '../../../ui/container.tsx';
import { Card } from '../../../ui/card.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import type { SessionUser } from '../../../web/session-user.ts';
import { LoginGate } from '../../../web/login-gate.tsx';
import { MAIN_ID } from '../../../web/site-layout.tsx';
import { site } from '../../../web/site.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { ProfileForm } from './profile-form.tsx';
import { refreshSession } from './refresh-session.ts';

export const meta = () => [{ title: `Profile · ${site().brand.name}` }, { name: 'robots', content: 'noindex' }];

export default function ProfilePage() {
  return (
    <PageBody id={MAIN_ID} width="narrow">
      <PageHeading title="Profile" />
      <LoginGate after="profileToLogin" waiting={<WaitingForm />}>
        {(user) => <Profile key={user.userid} user={user} />}
      </LoginGate>
    </PageBody>
  );
}

/** What this tab remembers may be older than a change made elsewhere, so the form waits for the server's word. */
function Profile({ user }: { user: SessionUser }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    refreshSession()
      .catch((error: unknown) => alertProblem(error, { doing: 'loading the profile' }))
      .finally(() => setAsked(true));
  }, []);
  return <Card>{asked ? <ProfileForm user={user} /> : <WaitingForm />}</Card>;
}

const WaitingForm = () => (
  <SkeletonGroup label="Loading your profile">
    <Skeleton shape="field" />
    <Skeleton shape="field" />
    <Skeleton shape="field" />
  </SkeletonGroup>
);
