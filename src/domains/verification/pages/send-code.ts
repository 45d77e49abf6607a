import { CallRefused } from '../../../web/call-failures.ts';
import { fetchSend } from '../../../web/client.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { sendCode, type Purpose } from '../contract.ts';

export type SendOutcome = 'sent' | 'not sent' | 'bot check failed';

/** Passes the bot check and has a code sent. Whatever goes wrong has one of two outcomes, because the customer is told one of two things. */
export async function sendCodeTo(mobile: string, purpose: Purpose): Promise<SendOutcome> {
  let challenge: string;
  try {
    const { prove } = await import('../../bot-check/pages/prove.ts');
    challenge = await prove(fetchSend);
  } catch (error) {
    void reportProblem(error, { doing: 'the bot check' });
    return 'bot check failed';
  }
  try {
    const answer = await fetchSend(sendCode, { mobile, purpose, challenge });
    return answer.response === 'success' ? 'sent' : 'not sent';
  } catch (error) {
    return error instanceof CallRefused && error.status === 403 ? 'bot check failed' : 'not sent';
  }
}
