import { msg } from '../../../i18n/messages.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import type { BotCheckConfig } from '../../../shared/site-config.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { sendCode, type Purpose } from '../contract.ts';
import { storeSentCode } from './sent-code.ts';

export type SendOutcome =
  | { status: 'sent' | 'not-sent' | 'out-of-attempts' | 'bot-check-failed' | 'offline' }
  /** No message was attempted, because a limit of requests is reached (docs/decisions/0043). */
  | { status: 'too-soon'; waitSeconds: number };

export const OFFLINE = msg('No internet connection. Please try again once you are online.');

/** Passes the bot check, requests a code and stores that it was sent. Never throws. */
export async function requestCode(mobile: string, purpose: Purpose, botCheck: BotCheckConfig): Promise<SendOutcome> {
  if (!navigator.onLine) return { status: 'offline' };
  let challenge: string;
  try {
    const { solveBotCheck } = await import('../../bot-check/pages/solve-bot-check.ts');
    challenge = await solveBotCheck(fetchSend, botCheck);
  } catch (error) {
    reportProblem(error, { doing: 'the bot check' });
    return { status: 'bot-check-failed' };
  }
  try {
    const { response, data } = await fetchSend(sendCode, { mobile, purpose, challenge });
    if (response !== 'success') return { status: 'not-sent' };
    storeSentCode(purpose, mobile, data.expires_in);
    return { status: 'sent' };
  } catch (error) {
    if (!(error instanceof CallRefused)) {
      reportProblem(error, { doing: 'sending a code' });
      return { status: 'not-sent' };
    }
    const { code, status, retryAfterSeconds } = error;
    if (code === 'bot-check-failed' || code === 'out-of-attempts') return { status: code };
    return status === 429 && retryAfterSeconds ? { status: 'too-soon', waitSeconds: retryAfterSeconds } : { status: 'not-sent' };
  }
}
