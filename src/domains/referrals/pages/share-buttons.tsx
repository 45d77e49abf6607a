import { useSyncExternalStore } from 'react';
import { noSubscription } from '../../../lib/store.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { WhatsappLogo } from '../../../ui/art/logos.tsx';
import { ShareIcon } from '../../../ui/icons/edit.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { track } from '../../analytics/pages/track.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { referralText, referralUrl } from './referral-link.tsx';

/** A WhatsApp link, and a button for the Web Share API if the browser supports it. */
export function ShareButtons({ mobile }: { mobile: string }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const url = referralUrl(mobile);
  const text = referralText(t, brand);
  // The server cannot detect the API, so its document contains only the link.
  const canShare = useSyncExternalStore(
    noSubscription,
    () => typeof navigator.share === 'function',
    () => false,
  );
  const share = async () => {
    try {
      track('share');
      await navigator.share({ title: brand.name, text, url });
    } catch (error) {
      // `alertProblem` ignores the AbortError of a closed share sheet.
      alertProblem(error, { doing: 'sharing the referral link' });
    }
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {canShare && (
        <Button variant="primary" icon={<ShareIcon />} onClick={() => void share()}>
          {t('Share')}
        </Button>
      )}
      <a
        href={`https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`}
        target="_blank"
        rel="noreferrer"
        className={buttonStyles('secondary')}
      >
        <WhatsappLogo />
        {t('WhatsApp')}
      </a>
    </div>
  );
}
