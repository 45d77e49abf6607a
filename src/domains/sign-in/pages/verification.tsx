import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Spinner } from '../../../ui/spinner.tsx';
import { showToast } from '../../../ui/toast.ts';
import { links, safeReturnTo } from '../../../web/links.ts';
import { useDelayedRedirect } from '../../../web/redirects.ts';
import { site } from '../../../web/site.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { CodeEntry } from '../../verification/pages/code-entry.tsx';
import { createAccount } from './create-account.ts';
import { Entrance } from './entrance.tsx';
import { pendingSignUp, setPendingSignUp, type PendingSignUp } from './pending-sign-up.ts';

export const meta = () => [{ title: `Verification · ${site().brand.name}` }, { name: 'robots', content: 'noindex' }];

export default function VerificationPage() {
  const [signUp] = useState(pendingSignUp);
  const navigate = useNavigate();
  useEffect(() => {
    // A reload has forgotten the sign-up on purpose (pending-sign-up.ts).
    if (!signUp) void navigate(links.signUp(), { replace: true });
  }, [signUp, navigate]);
  return <Entrance title="Enter verification code">{signUp ? <Verify signUp={signUp} /> : <Spinner label="One moment" />}</Entrance>;
}

function Verify({ signUp }: { signUp: PendingSignUp }) {
  const [step, setStep] = useState<'code' | 'creating' | 'cancelled' | 'expired'>('code');
  const navigate = useNavigate();
  useDelayedRedirect(step === 'cancelled', links.signUp(), 'signUpCancelled');
  useDelayedRedirect(step === 'expired', links.signUp(), 'codeExpired');

  const leave = (why: 'cancelled' | 'expired') => {
    setPendingSignUp(undefined);
    setStep(why);
  };
  const create = async () => {
    setStep('creating');
    try {
      const result = await createAccount(signUp);
      setPendingSignUp(undefined);
      if (!result) return await navigate(safeReturnTo(signUp.returnState) ?? links.home(), { replace: true });
      const { email } = site().brand;
      showToast({ text: `Something went wrong while creating an account, complaint it at ${email}`, theme: 'red', durationMs: 5000 });
      await navigate(links.signUp(), { replace: true });
    } catch (error) {
      alertProblem(error, { doing: 'creating an account' });
      setStep('code');
    }
  };

  if (step === 'creating') return <Spinner label="Creating your account" />;
  if (step !== 'code') return <Spinner label="Back to the sign-up" />;
  return (
    <CodeEntry
      mobile={signUp.mobile}
      purpose="signup"
      onConfirmed={() => void create()}
      onExpired={() => leave('expired')}
      onCancel={() => leave('cancelled')}
    />
  );
}
