import { fetchSend } from '../../../web/client.ts';
import { signUp } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { giveReferralBonus } from '../../referrals/contract.ts';
import { logIn } from './log-in.ts';
import type { PendingSignUp } from './pending-sign-up.ts';

/** 'created': the account stands, and its owner has to log in by hand. */
export type CreateOutcome = 'signed in' | 'created' | 'refused';

/**
 * After the code: the account, the referrer's bonus, the log-in (specification section 4, "Signup"). `again`: an earlier try got no answer, so the account
 * may stand already and be refused as known; whoever can log in to it has it.
 */
export async function createAccount({ name, mobile, password, referral }: PendingSignUp, again: boolean): Promise<CreateOutcome> {
  const answer = await fetchSend(signUp, { name, mobile, password, ...(referral && { referral }) });
  const stands = answer.response === 'success' || (again && (await logIn({ mobile, password })) === undefined);
  if (!stands) return 'refused';
  track('sign_up');
  if (referral) {
    // Its answer is read but unused. A failure is the referrer's loss, because nothing asks again: it must not be the new customer's too.
    await fetchSend(giveReferralBonus, { mob: referral, newuser: mobile }).catch((error: unknown) =>
      reportProblem(error, { doing: 'the referral bonus' }),
    );
  }
  try {
    return (await logIn({ mobile, password })) ? 'created' : 'signed in';
  } catch (error) {
    // Nothing that happens from here on unmakes the account.
    reportProblem(error, { doing: 'logging in after the sign-up' });
    return 'created';
  }
}
