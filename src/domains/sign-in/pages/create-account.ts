import { fetchSend } from '../../../browser/client.ts';
import { signUp } from '../../accounts/contract.ts';
import { track } from '../../analytics/pages/track.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { giveReferralBonus } from '../../referrals/contract.ts';
import { logIn } from './log-in.ts';
import type { PendingSignUp } from './pending-sign-in.ts';

/** 'created': the account exists, but the log-in failed and the customer must log in. */
export type CreateOutcome = 'signed-in' | 'created' | 'refused';

/**
 * Creates the account, requests the referrer's bonus and logs in (specification section 4,
 * "Signup"). `isRetry`: the response of an earlier attempt was lost, so the account may exist. Then
 * a successful log-in counts as signed in. Throws if the sign-up, or the log-in of a retry, gets no
 * response.
 */
export async function createAccount(
  { name, mobile, referral, consent }: PendingSignUp,
  password: string,
  isRetry: boolean,
): Promise<CreateOutcome> {
  const { response } = await fetchSend(signUp, { name, mobile, password, consent, ...(referral && { referral }) });
  const isCreated = response === 'success';
  if (!isCreated && !isRetry) return 'refused';
  const hasBonusResponse = await requestBonus(referral, mobile);
  const outcome = isCreated ? await logInToNewAccount({ mobile, password }) : await logInToExistingAccount({ mobile, password });
  if (outcome === 'refused') return outcome;
  track('sign_up');
  // The server credits the bonus once, even if it is requested twice.
  if (!hasBonusResponse) await requestBonus(referral, mobile);
  return outcome;
}

interface Credentials {
  mobile: string;
  password: string;
}

/** Never throws: the account exists whether or not the log-in succeeds. */
const logInToNewAccount = async (credentials: Credentials): Promise<'signed-in' | 'created'> => {
  try {
    return (await logIn(credentials)) ? 'created' : 'signed-in';
  } catch (error) {
    reportProblem(error, { doing: 'logging in after the sign-up' });
    return 'created';
  }
};

/** Returns 'refused' if the server rejects the log-in. Throws the errors of `logIn`. */
const logInToExistingAccount = async (credentials: Credentials): Promise<'signed-in' | 'refused'> =>
  (await logIn(credentials)) ? 'refused' : 'signed-in';

/**
 * Returns whether a response arrived. Its content is unused, as specified. Never throws: a failed
 * bonus must not fail the sign-up.
 */
async function requestBonus(referral: string, newuser: string): Promise<boolean> {
  if (!referral) return true;
  try {
    await fetchSend(giveReferralBonus, { mob: referral, newuser });
    return true;
  } catch (error) {
    reportProblem(error, { doing: 'the referral bonus' });
    return false;
  }
}
