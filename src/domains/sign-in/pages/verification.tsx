import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { msg } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { links, safeReturnTo } from '../../../shared/links.ts';
import { useDelayedRedirect } from '../../../browser/redirects.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { CodeEntry } from '../../verification/pages/code-entry.tsx';
import { AccountReady } from './account-ready.tsx';
import { createAccount } from './create-account.ts';
import { FormPage } from './form-page.tsx';
import { useFlow } from './flow.ts';
import { useNativeApp, useOpenLogin } from './native-app.ts';
import { usePendingSignIn, type PendingSignUp } from './pending-sign-in.tsx';

export const handle = unindexedPage(msg('Verification'));

export default function VerificationPage() {
  const { t } = useLanguage();
  const pending = usePendingSignIn();
  // A copy of the pending sign-up, which is removed while this page is still shown.
  const [signUp] = useState(pending.signUp);
  const { signUp: start } = useFlow();
  const navigate = useNavigate();
  useEffect(() => {
    // After a reload there is no pending sign-up (pending-sign-in.tsx).
    if (!signUp) void navigate(start, { replace: true });
  }, [signUp, start, navigate]);
  return signUp ? <Verify signUp={signUp} /> : <SpinnerPage label={t('One moment')} />;
}

const HEADING = msg('Enter verification code');

function SpinnerPage({ label }: { label: string }) {
  const { t } = useLanguage();
  return (
    <FormPage title={t(HEADING)}>
      <Spinner label={label} />
    </FormPage>
  );
}

function NoResponse({ onRetry }: { onRetry(): void }) {
  const { t } = useLanguage();
  return (
    <FormPage title={t(HEADING)}>
      <div className="space-y-5">
        <p>{t('Your code was right, but the answer to the last step did not arrive.')}</p>
        <Button variant="primary" wide onClick={onRetry}>
          {t('Try again')}
        </Button>
      </div>
    </FormPage>
  );
}

function Verify({ signUp }: { signUp: PendingSignUp }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const [step, setStep] = useState<'code' | 'creating' | 'no-response' | 'ready' | 'cancelled' | 'expired'>('code');
  const flow = useFlow();
  const app = useNativeApp();
  const { setSignUp } = usePendingSignIn();
  const login = useOpenLogin(signUp.returnState);
  const navigate = useNavigate();
  useDelayedRedirect(step === 'cancelled', flow.signUp, 'signUpCancelled');
  useDelayedRedirect(step === 'expired', flow.signUp, 'codeExpired');

  const leave = (reason: 'cancelled' | 'expired') => {
    setSignUp(undefined);
    setStep(reason);
  };
  const create = async ({ isRetry }: { isRetry: boolean }) => {
    setStep('creating');
    try {
      const outcome = await createAccount(signUp, isRetry);
      setSignUp(undefined);
      if (outcome === 'refused') {
        showToast({
          text: msg('Something went wrong while creating an account, complaint it at {email}', { email: brand.email }),
          theme: 'red',
          durationMs: TOAST_MS.long,
        });
        return await navigate(flow.signUp, { replace: true });
      }
      // If there is an app, it decides what follows.
      if (app.accountCreated(signUp.mobile)) return setStep('ready');
      if (outcome === 'signed-in') return await navigate(safeReturnTo(signUp.returnState) ?? links.home(), { replace: true });
      showToast({ text: msg('Your account is ready, please log in'), theme: 'green' });
      await login.open();
    } catch (error) {
      alertProblem(error, { doing: 'creating an account' });
      // The code is used, so only the account is retried.
      setStep('no-response');
    }
  };

  if (step === 'ready') return <AccountReady />;
  if (step === 'creating') return <SpinnerPage label={t('Creating your account')} />;
  if (step === 'no-response') return <NoResponse onRetry={() => void create({ isRetry: true })} />;
  if (step !== 'code') return <SpinnerPage label={t('Back to the sign-up')} />;
  return (
    <FormPage title={t(HEADING)}>
      <CodeEntry
        mobile={signUp.mobile}
        purpose="signup"
        onConfirmed={() => void create({ isRetry: false })}
        onExpired={() => leave('expired')}
        onCancel={() => leave('cancelled')}
      />
    </FormPage>
  );
}
