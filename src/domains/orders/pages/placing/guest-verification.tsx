import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { Split } from '../../../../ui/layout/split.tsx';
import { links } from '../../../../shared/links.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { shownConsent } from '../../../consents/contract.ts';
import { ConsentText } from '../../../consents/pages/consent-text.tsx';
import { startWait, useIsCodeSent, type Wait } from '../../../verification/pages/sent-code.ts';
import { CodeWait } from '../../../verification/pages/code-wait.tsx';
import { sendFirstCode } from '../../../verification/pages/send-first-code.ts';
import { CodeEntry } from '../../../verification/pages/code-entry.tsx';
import { setGuestConsent, setVerifiedGuestMobile, verifiedGuestMobile } from './verified-guest.ts';
import { DraftSummary } from './draft-summary.tsx';
import { PlaceUnlessSamePickup } from './second-pickup.tsx';
import type { KeyedDraft } from '../draft/draft.ts';
import { PhonePicture } from '../../../../ui/art/screens/phone.tsx';

/**
 * Verifies the guest's mobile number before the order is placed; the draft stays unchanged until
 * then (design section 6, "Guest"). Sends the code only on a click, so that a reload never sends
 * one.
 */
export function GuestVerification({ draft, mobile }: { draft: KeyedDraft; mobile: string }) {
  const { t } = useLanguage();
  const site = useSiteConfig();
  const navigate = useNavigate();
  const isCodeSent = useIsCodeSent('guest', mobile);
  const [wait, setWait] = useState<Wait>();
  const [sending, setSending] = useState(false);
  const [verified, setVerified] = useState(verifiedGuestMobile() === mobile);
  const attempt = { draft, userid: null };
  if (verified) return <PlaceUnlessSamePickup {...attempt} />;

  const confirmed = () => {
    setVerifiedGuestMobile(mobile);
    setVerified(true);
  };
  const leave = () => void navigate(links.cart(), { replace: true });
  const send = async () => {
    setGuestConsent(shownConsent(t, 'order'));
    setSending(true);
    const outcome = await sendFirstCode(mobile, 'guest', site);
    setSending(false);
    if (outcome.status === 'too-soon') setWait(startWait(outcome.waitSeconds));
    if (outcome.status === 'out-of-attempts') leave();
  };
  return (
    <Split
      width="narrow"
      picture={<PhonePicture />}
      title={t('Verify your mobile number')}
      text={t('Our rider calls +91 {mobile}. One code by SMS, and your order is placed.', { mobile })}
    >
      {isCodeSent ? (
        <>
          <CodeEntry mobile={mobile} purpose="guest" onConfirmed={confirmed} onExpired={leave} onCancel={leave} />
          <DraftSummary attempt={attempt} />
        </>
      ) : (
        <>
          <DraftSummary attempt={attempt} />
          {wait && <CodeWait wait={wait} />}
          <ConsentText purpose="order" />
          <div className="grid gap-3 sm:grid-cols-2">
            <Button variant="primary" pending={sending} onClick={() => void send()}>
              {t('Send code')}
            </Button>
            <Button variant="secondary" onClick={leave}>
              {t('Cancel')}
            </Button>
          </div>
        </>
      )}
    </Split>
  );
}
