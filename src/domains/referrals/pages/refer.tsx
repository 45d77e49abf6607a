import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { GiftArt } from '../../../ui/art/moments.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { formatRupees } from '../../../lib/money.ts';
import { links, type ReturnState } from '../../../shared/links.ts';
import { useSession } from '../../../browser/session-user.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { REFERRAL_BONUS_PAISE, referralMessages as messages } from '../contract.ts';
import { LinkLoading, ReferScreen } from './refer-screen.tsx';
import { ReferralLink } from './referral-link.tsx';
import { ShareButtons } from './share-buttons.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t(messages.heading), brand) },
    {
      name: 'description',
      content: t('Bring a friend to {brand} and get {amount} in your wallet.', {
        brand: brand.name,
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
  if (session !== 'signed-out') return <ReferralLink mobile={session.mobile} actions={<ShareButtons mobile={session.mobile} />} />;
  return (
    <EmptyState
      art={<GiftArt />}
      title={t(messages.loggedOut)}
      text={t(messages.loginFirst)}
      action={
        <Link to={links.login()} state={{ returnTo: links.refer() } satisfies ReturnState} className={buttonStyles('primary')}>
          {t('Login/Signup')}
        </Link>
      }
    />
  );
}
