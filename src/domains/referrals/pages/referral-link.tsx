import { useSyncExternalStore } from 'react';
import { buttonLook } from '../../../ui/button-look.ts';
import { Button } from '../../../ui/button.tsx';
import { WhatsappIcon } from '../../../ui/icons/contact.tsx';
import { CopyIcon, ShareIcon } from '../../../ui/icons/edit.tsx';
import { showToast } from '../../../ui/toast.ts';
import type { Mobile } from '../../../kit/mobile.ts';
import { referralCode } from '../../../kit/referral-code.ts';
import { site } from '../../../web/site.ts';
import { track } from '../../analytics/pages/track.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { referralMessages as messages } from '../contract.ts';

const noSubscription = () => () => {};

/** The customer's link, and the ways to pass it on that this browser has. */
export function ReferralLink({ mobile }: { mobile: string }) {
  const link = `${window.location.origin}/${referralCode(mobile as Mobile)}`;
  const words = `Laundry picked up and delivered by ${site().brand.name}. Sign up with my link:`;
  // Known in the browser only; the document offers what every browser has.
  const canShare = useSyncExternalStore(
    noSubscription,
    () => typeof navigator.share === 'function',
    () => false,
  );

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      showToast({ text: messages.copied, theme: 'green' });
    } catch (error) {
      alertProblem(error, { doing: 'copying the referral link' });
    }
  };
  const share = async () => {
    try {
      track('share');
      await navigator.share({ title: site().brand.name, text: words, url: link });
    } catch (error) {
      // Closing the share sheet is no problem to report.
      alertProblem(error, { doing: 'sharing the referral link' });
    }
  };

  return (
    <div className="space-y-5">
      <button
        type="button"
        onClick={() => void copy()}
        className="flex min-h-14 w-full items-center justify-between gap-3 rounded-field border border-dashed border-accent-ink bg-accent-soft px-4 py-3 text-start hover:bg-sunk"
      >
        <span className="min-w-0">
          <span className="block text-sm text-ink-soft">Tap to copy</span>
          <span className="block font-semibold wrap-anywhere text-accent-ink">{link}</span>
        </span>
        <CopyIcon />
      </button>
      <div className="grid gap-3 sm:grid-cols-2">
        {canShare && (
          <Button variant="primary" icon={<ShareIcon />} onClick={() => void share()}>
            Share
          </Button>
        )}
        <a
          href={`https://wa.me/?text=${encodeURIComponent(`${words} ${link}`)}`}
          target="_blank"
          rel="noreferrer"
          className={buttonLook('secondary')}
        >
          <WhatsappIcon />
          WhatsApp
        </a>
      </div>
    </div>
  );
}
