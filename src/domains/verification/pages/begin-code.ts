import type { Told } from '../../../i18n/messages.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { site } from '../../../browser/site-config.ts';
import { botCheckMessages } from '../../bot-check/contract.ts';
import { verificationMessages as messages, type Purpose } from '../contract.ts';
import { sendCodeTo, type SendOutcome } from './send-code.ts';

const ALERT_MS = 5000;

const failures: Readonly<Record<Exclude<SendOutcome, 'sent'>, (mobile: string) => Told>> = {
  'not sent': messages.sendFailed,
  'out of attempts': () => messages.outOfAttempts,
  'bot check failed': () => botCheckMessages.failed(site().brand.email),
};

/** The first code of a flow: sends it and says what came of it, in the words of the screen that asks for the mobile. */
export async function beginCode(mobile: string, purpose: Purpose): Promise<SendOutcome> {
  const outcome = await sendCodeTo(mobile, purpose);
  if (outcome === 'sent') showToast({ text: messages.sent(mobile), theme: 'green' });
  else showToast({ text: failures[outcome](mobile), theme: 'red', durationMs: ALERT_MS });
  return outcome;
}
