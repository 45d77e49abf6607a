import { Link } from 'react-router';
import { useLanguage } from '../../../languages/language.tsx';
import { buttonLook } from '../../../ui/button-look.ts';
import { GiftArt } from '../../../ui/art/moments.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatRupees } from '../../../kit/money.ts';
import { links, type ReturnState } from '../../../web/links.ts';
import { useSession } from '../../../web/session-user.ts';
import { site } from '../../../web/site.ts';
import type { PageHandle } from '../../../web/page-meta.tsx';
import { REFERRAL_BONUS_PAISE, referralMessages as messages } from '../contract.ts';
import { LinkLoading, ReferScreen } from './refer-screen.tsx';
import { ReferralLink } from './referral-link.tsx';
import { WaysToShare } from './ways-to-share.tsx';

export const handle: PageHandle = {
  meta: (t) => [
    { title: `${t(messages.heading)} · ${site().brand.name}` },
    {
      name: 'description',
      content: t('Bring a friend to {brand} and get {amount} in your wallet.', {
        brand: site().brand.name,
        amount: formatRupees(REFERRAL_BONUS_PAISE),
      }),
    },
  ],
};

export default function ReferPage() {
  return (
    <ReferScreen>
      <Share />
    </ReferScreen>
  );
}

function Share() {
  const { t } = useLanguage();
  const session = useSession();
  if (session === 'unknown') return <LinkLoading />;
  if (session !== 'signed out') return <ReferralLink mobile={session.mobile} ways={<WaysToShare mobile={session.mobile} />} />;
  return (
    <EmptyState
      art={<GiftArt />}
      title={t(messages.loggedOut)}
      text={t(messages.loginFirst)}
      action={
        <Link to={links.login()} state={{ returnTo: links.refer() } satisfies ReturnState} className={buttonLook('primary')}>
          {t('Login/Signup')}
        </Link>
      }
    />
  );
}
