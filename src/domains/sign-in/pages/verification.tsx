import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { msg } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { links, safeReturnTo } from '../../../shared/links.ts';
import { useDelayedRedirect } from '../../../browser/redirects.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { CodeEntry } from '../../verification/pages/code-entry.tsx';
import { AccountReady } from './account-ready.tsx';
import { createAccount } from './create-account.ts';
import { FormPage, WaitingPage } from './form-page.tsx';
import { useFlow } from './flow.ts';
import { useNativeApp, useOpenLogin } from './native-app.ts';
import { PasswordAgain } from './password-again.tsx';
import {
  discardSignUp,
  passwordOfSignUp,
  pendingSignUp,
  setEnteredMobile,
  setPasswordOfSignUp,
  type PendingSignUp,
} from './pending-sign-in.ts';
import { PhonePicture } from '../../../ui/art/screens/phone.tsx';

export const handle = unindexedPage(msg('Verification'));

/** The page depends on session storage, so the document cannot contain it. */
export const clientLoader = () => null;
clientLoader.hydrate = true as const;

export const HydrateFallback = () => <WaitingPage title={HEADING} />;

export default function VerificationPage() {
  // A copy of the pending sign-up, which is removed while this page is still shown.
  const [signUp] = useState(pendingSignUp.get);
  const { signUp: start } = useFlow();
  const navigate = useNavigate();
  useEffect(() => {
    if (!signUp) void navigate(start, { replace: true });
  }, [signUp, start, navigate]);
  return signUp ? <Verify signUp={signUp} /> : <WaitingPage title={HEADING} />;
}

const HEADING = msg('Enter verification code');

function NoResponse({ onRetry }: { onRetry(): void }) {
  const { t } = useLanguage();
  const retry = useRef<HTMLButtonElement>(null);
  // The code field, which had the focus, was removed.
  useEffect(() => retry.current?.focus(), []);
  return (
    <FormPage picture={<PhonePicture />} title={t(HEADING)}>
      <div className="space-y-5">
        <p>{t('Your code was right, but the answer to the last step did not arrive.')}</p>
        <Button ref={retry} variant="primary" wide onClick={onRetry}>
          {t('Try again')}
        </Button>
      </div>
    </FormPage>
  );
}

function Verify({ signUp }: { signUp: PendingSignUp }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const [step, setStep] = useState<'code' | 'password' | 'creating' | 'no-response' | 'ready' | 'cancelled' | 'expired'>(
    // Confirmed before a reload.
    signUp.isConfirmed ? 'password' : 'code',
  );
  const flow = useFlow();
  const app = useNativeApp();
  const login = useOpenLogin(signUp.returnState);
  const navigate = useNavigate();
  useDelayedRedirect(step === 'cancelled', flow.signUp, 'signUpCancelled');
  useDelayedRedirect(step === 'expired', flow.signUp, 'codeExpired');

  const leave = (reason: 'cancelled' | 'expired') => {
    discardSignUp();
    setEnteredMobile('');
    setStep(reason);
  };
  const create = async (password: string, { isRetry }: { isRetry: boolean }) => {
    setPasswordOfSignUp(password);
    setStep('creating');
    try {
      const outcome = await createAccount(signUp, password, isRetry);
      discardSignUp();
      setEnteredMobile(outcome === 'signed-in' ? '' : signUp.mobile);
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

  const confirmed = () => {
    pendingSignUp.set({ ...signUp, isConfirmed: true });
    const password = passwordOfSignUp();
    if (password === undefined) return setStep('password');
    void create(password, { isRetry: false });
  };

  if (step === 'ready') return <AccountReady />;
  if (step === 'creating') return <WaitingPage title={HEADING} label={t('Creating your account')} />;
  if (step === 'no-response') return <NoResponse onRetry={() => void create(passwordOfSignUp() ?? '', { isRetry: true })} />;
  // The account may exist already: the reload may have interrupted the last call.
  if (step === 'password')
    return <PasswordAgain mobile={signUp.mobile} onEntered={(password) => void create(password, { isRetry: true })} />;
  if (step !== 'code') return <WaitingPage title={HEADING} label={t('Back to the sign-up')} />;
  return (
    <FormPage picture={<PhonePicture />} title={t(HEADING)}>
      <CodeEntry
        mobile={signUp.mobile}
        purpose="signup"
        onConfirmed={confirmed}
        onExpired={() => leave('expired')}
        onCancel={() => leave('cancelled')}
      />
    </FormPage>
  );
}
