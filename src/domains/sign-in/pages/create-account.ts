import { fetchSend } from '../../../browser/client.ts';
import { signUp } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { giveReferralBonus } from '../../referrals/contract.ts';
import { logIn } from './log-in.ts';
import type { PendingSignUp } from './pending-sign-in.tsx';

/** 'created': the account stands, and its owner has to log in by hand. */
export type CreateOutcome = 'signed-in' | 'created' | 'refused';

/**
 * After the code: the account, the referrer's bonus, the log-in (specification section 4, "Signup"). `again`: an earlier try got no answer, so the account
 * may stand already and be refused as known; whoever can log in to it has it.
 */
export async function createAccount({ name, mobile, password, referral }: PendingSignUp, again: boolean): Promise<CreateOutcome> {
  const answer = await fetchSend(signUp, { name, mobile, password, ...(referral && { referral }) });
  const made = answer.response === 'success';
  if (!made && !again) return 'refused';
  const answered = await askForBonus(referral, mobile);
  const outcome = made ? await enter({ mobile, password }) : await find({ mobile, password });
  if (outcome === 'refused') return outcome;
  track('sign_up');
  // Asked for twice, it is given once.
  if (!answered) await askForBonus(referral, mobile);
  return outcome;
}

interface Credentials {
  mobile: string;
  password: string;
}

/** Nothing that happens from here on unmakes the account. */
const enter = async (credentials: Credentials): Promise<'signed-in' | 'created'> => {
  try {
    return (await logIn(credentials)) ? 'created' : 'signed-in';
  } catch (error) {
    reportProblem(error, { doing: 'logging in after the sign-up' });
    return 'created';
  }
};

const find = async (credentials: Credentials): Promise<'signed-in' | 'refused'> => ((await logIn(credentials)) ? 'refused' : 'signed-in');

/** What it answers is unused, as specified; here only whether an answer came. A failure must not be the new customer's too. */
async function askForBonus(referral: string, newuser: string): Promise<boolean> {
  if (!referral) return true;
  try {
    await fetchSend(giveReferralBonus, { mob: referral, newuser });
    return true;
  } catch (error) {
    reportProblem(error, { doing: 'the referral bonus' });
    return false;
  }
}
