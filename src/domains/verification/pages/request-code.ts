import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import type { BotCheckConfig } from '../../../shared/site-config.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { sendCode, type Purpose } from '../contract.ts';

export type SendOutcome = 'sent' | 'not-sent' | 'out-of-attempts' | 'bot-check-failed';

/**
 * Passes the bot check and requests a code. Never throws: each failure has one of the three
 * specified texts.
 */
export async function requestCode(mobile: string, purpose: Purpose, botCheck: BotCheckConfig): Promise<SendOutcome> {
  let challenge: string;
  try {
    const { solveBotCheck } = await import('../../bot-check/pages/solve-bot-check.ts');
    challenge = await solveBotCheck(fetchSend, botCheck);
  } catch (error) {
    reportProblem(error, { doing: 'the bot check' });
    return 'bot-check-failed';
  }
  try {
    const { response } = await fetchSend(sendCode, { mobile, purpose, challenge });
    return response === 'success' ? 'sent' : 'not-sent';
  } catch (error) {
    if (!(error instanceof CallRefused)) {
      reportProblem(error, { doing: 'sending a code' });
      return 'not-sent';
    }
    if (error.code === 'bot-check-failed') return 'bot-check-failed';
    return error.code === 'out-of-attempts' ? 'out-of-attempts' : 'not-sent';
  }
}
