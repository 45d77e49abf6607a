import { Link } from 'react-router';
import { buttonLook } from '../../../ui/button-look.ts';
import { GiftArt } from '../../../ui/art/moments.tsx';
import { Card } from '../../../ui/card.tsx';
import { PageBody } from '../../../ui/container.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import { formatRupees } from '../../../kit/money.ts';
import { links, type ReturnState } from '../../../web/links.ts';
import { useSession } from '../../../web/session-user.ts';
import { site } from '../../../web/site.ts';
import { MAIN_ID } from '../../../web/site-layout.tsx';
import { MOST_BONUSES, MOST_BONUSES_DAYS, REFERRAL_BONUS_PAISE, referralMessages as messages } from '../contract.ts';
import { ReferralLink } from './referral-link.tsx';

const BONUS = formatRupees(REFERRAL_BONUS_PAISE);

export const meta = () => [
  { title: `${messages.heading} · ${site().brand.name}` },
  { name: 'description', content: `Bring a friend to ${site().brand.name} and get ${BONUS} in your wallet.` },
];

export default function ReferPage() {
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading
        title={messages.heading}
        text={`Share your link. When a friend signs up with it, ${BONUS} go to your wallet, for up to ${MOST_BONUSES} friends in ${MOST_BONUSES_DAYS} days.`}
      />
      <Card>
        <Share />
      </Card>
    </PageBody>
  );
}

function Share() {
  const session = useSession();
  if (session === 'unknown') {
    return (
      <SkeletonGroup label="Loading your link">
        <Skeleton shape="field" />
      </SkeletonGroup>
    );
  }
  if (session !== 'signed out') return <ReferralLink mobile={session.mobile} />;
  return (
    <EmptyState
      art={<GiftArt />}
      title={messages.loggedOut}
      text={messages.loginFirst}
      action={
        <Link to={links.login()} state={{ returnTo: links.refer() } satisfies ReturnState} className={buttonLook('primary')}>
          Login/Signup
        </Link>
      }
    />
  );
}
