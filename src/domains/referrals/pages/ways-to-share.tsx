import { useSyncExternalStore } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { WhatsappSign } from '../../../ui/art/signs.tsx';
import { ShareIcon } from '../../../ui/icons/edit.tsx';
import { useSiteConfig } from '../../../browser/site-config.ts';
import { track } from '../../analytics/pages/track.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { referralText, referralUrl } from './referral-link.tsx';

const noSubscription = () => () => {};

/** The ways to pass the link on that this browser has. */
export function WaysToShare({ mobile }: { mobile: string }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const url = referralUrl(mobile);
  const text = referralText(t, brand);
  // Known in the browser only; the document offers what every browser has.
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
      // Closing the share sheet is no problem to report.
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
        <WhatsappSign />
        {t('WhatsApp')}
      </a>
    </div>
  );
}
