import { useLanguage } from '../../../i18n/language.tsx';
import { GiftArt } from '../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { ShareIcon } from '../../../ui/icons/edit.tsx';
import { useSession } from '../../../browser/session-user.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { webviewLinks } from '../../../shared/webview-links.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { track } from '../../analytics/pages/track.ts';
import { referralMessages as messages } from '../../referrals/contract.ts';
import { copyReferralLink, ReferralLink, referralText, referralUrl } from '../../referrals/pages/referral-link.tsx';
import { LinkLoading, ReferScreen } from '../../referrals/pages/refer-screen.tsx';
import { LoginLink } from '../../sign-in/pages/login-link.tsx';
import { sendToHost } from './bridge.ts';
import { usePushedUser } from './webview.tsx';

export const handle: PageHandle = { meta: (t, { brand }) => [{ title: pageTitle(t(messages.heading), brand) }] };

export default function WebviewReferPage() {
  return (
    <ReferScreen>
      <Share />
    </ReferScreen>
  );
}

/**
 * Shares the number of the session. Without a session it shares the number of the user that the app
 * pushed.
 */
function Share() {
  const { t } = useLanguage();
  const session = useSession();
  const pushed = usePushedUser();
  if (session === 'unknown') return <LinkLoading />;
  const mobile = session === 'signed-out' ? pushed?.mobile : session.mobile;
  if (mobile) return <ReferralLink mobile={mobile} actions={<ShareThroughApp mobile={mobile} />} />;
  return (
    <EmptyState
      art={<GiftArt />}
      title={t(messages.loggedOut)}
      text={t(messages.loginFirst)}
      action={
        <LoginLink className={buttonStyles('primary')} returnState={{ returnTo: webviewLinks.refer() }}>
          {t('Login/Signup')}
        </LoginLink>
      }
    />
  );
}

function ShareThroughApp({ mobile }: { mobile: string }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const share = () => {
    track('share');
    const url = referralUrl(mobile);
    if (!sendToHost('share', { url, text: referralText(t, brand) })) void copyReferralLink(url);
  };
  return (
    <Button variant="primary" wide icon={<ShareIcon />} onClick={share}>
      {t('Share')}
    </Button>
  );
}
