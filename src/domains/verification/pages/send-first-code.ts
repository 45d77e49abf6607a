import { msg, type Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import type { SiteConfig } from '../../../shared/site-config.ts';
import { botCheckError } from '../../bot-check/contract.ts';
import { verificationError, verificationMessages as messages, type Purpose } from '../contract.ts';
import { OFFLINE, requestCode, type SendOutcome } from './request-code.ts';

type Failure = Exclude<SendOutcome['status'], 'sent' | 'too-soon'>;

const failures: Readonly<Record<Failure, (mobile: string, site: SiteConfig) => Message>> = {
  'not-sent': (mobile) => verificationError('sms-not-sent', { mobile }),
  'out-of-attempts': () => verificationError('out-of-attempts'),
  offline: () => OFFLINE,
  'bot-check-failed': (_mobile, { brand }) => botCheckError('bot-check-failed', { email: brand.email }),
};

/**
 * Requests the first code of a flow and shows the outcome as a toast, in the texts of the mobile
 * screen. The caller shows the wait of 'too-soon'. Never throws.
 */
export async function sendFirstCode(mobile: string, purpose: Purpose, site: SiteConfig): Promise<SendOutcome> {
  const outcome = await requestCode(mobile, purpose, site.botCheck);
  if (outcome.status === 'sent') showToast({ text: msg(messages.sent, { mobile }), theme: 'green' });
  else if (outcome.status !== 'too-soon')
    showToast({ text: failures[outcome.status](mobile, site), theme: 'red', durationMs: TOAST_MS.long });
  return outcome;
}
