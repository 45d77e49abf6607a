import { fetchSend } from '../../../web/client.ts';
import { signUp } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { giveReferralBonus } from '../../referrals/contract.ts';
import { logIn } from './log-in.ts';
import type { PendingSignUp } from './pending-sign-up.ts';

/** After the code: the account, the referrer's bonus, the log-in (specification section 4, "Signup"). Answers the message when there is no account. */
export async function createAccount({ name, mobile, password, referral }: PendingSignUp): Promise<{ refused: string } | undefined> {
  const answer = await fetchSend(signUp, { name, mobile, password, ...(referral && { referral }) });
  if (answer.response !== 'success') return { refused: answer.message };
  track('sign_up');
  if (referral) {
    // Its answer is read but unused, and its failure is the referrer's loss only until the new customer logs in again.
    await fetchSend(giveReferralBonus, { mob: referral, newuser: mobile }).catch((error: unknown) =>
      reportProblem(error, { doing: 'the referral bonus' }),
    );
  }
  return logIn({ mobile, password });
}
