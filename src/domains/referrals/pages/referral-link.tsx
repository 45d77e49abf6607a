import type { ReactNode } from 'react';
import { useLanguage, type Translate } from '../../../i18n/language.tsx';
import { CopyIcon } from '../../../ui/icons/edit.tsx';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { msg } from '../../../i18n/messages.ts';
import type { Mobile } from '../../../lib/mobile.ts';
import { encodeReferralCode } from '../../../lib/referral-code.ts';
import type { Brand } from '../../../shared/brand.ts';
import { referralMessages as messages } from '../contract.ts';

export const referralUrl = (mobile: string) => `${window.location.origin}/${encodeReferralCode(mobile as Mobile)}`;

/** The text before the link in a shared message. */
export const referralText = (t: Translate, { name }: Brand) =>
  t('Laundry picked up and delivered by {brand}. Sign up with my link:', { brand: name });

/** Copies the link and shows the outcome. Never throws. */
export async function copyReferralLink(url: string) {
  const copied = await copyText(url);
  if (copied) showToast({ text: messages.copied, theme: 'green' });
  else
    showToast({
      text: msg('This browser does not let us copy. Please open this page in another browser.'),
      theme: 'red',
      durationMs: TOAST_MS.long,
    });
}

/**
 * Copies a text. In-app browsers lack the Clipboard API or refuse it: then uses `execCommand`, and
 * returns false if that fails, too.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const field = document.createElement('textarea');
    field.value = text;
    field.readOnly = true;
    field.className = 'sr-only';
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}

/** The customer's link as a button that copies it. `actions` are shown below it. */
export function ReferralLink({ mobile, actions }: { mobile: string; actions: ReactNode }) {
  const { t } = useLanguage();
  const url = referralUrl(mobile);
  return (
    <div className="space-y-5">
      <button
        type="button"
        onClick={() => void copyReferralLink(url)}
        className="flex min-h-14 w-full items-center justify-between gap-3 rounded-field border border-dashed border-accent-ink bg-accent-soft px-4 py-3 text-start hover:bg-sunk"
      >
        <span className="min-w-0">
          <span className="block text-sm text-ink-soft">{t('Tap to copy')}</span>
          <span className="block font-semibold wrap-anywhere text-accent-ink">{url}</span>
        </span>
        <CopyIcon />
      </button>
      {actions}
    </div>
  );
}
