import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useForm, type FormOutput } from '../../../browser/form.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { accountError, lookUp, lookUpQueries, signUp, signUpFields } from '../../accounts/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { startWait, useIsCodeSent, type Wait } from '../../verification/pages/sent-code.ts';
import { CodeWait } from '../../verification/pages/code-wait.tsx';
import { sendFirstCode } from '../../verification/pages/send-first-code.ts';
import { CodeEntry } from '../../verification/pages/code-entry.tsx';
import { FormPage } from './form-page.tsx';
import { useFlow } from './flow.ts';
import { LoginLink } from './login-link.tsx';
import { pendingReset, useEnteredMobile, type PendingReset } from './pending-sign-in.ts';
import { PhonePicture } from '../../../ui/art/screens/phone.tsx';

export const handle = unindexedPage(msg('Forgot password'));

/**
 * Asks for the mobile, then for the code. The new password is a separate page (specification
 * section 4, "Forgot password").
 */
export default function ForgotPasswordPage() {
  const { t } = useLanguage();
  const reset = pendingReset.use();
  const isCodeSent = useIsCodeSent('reset', reset?.mobile);
  const flow = useFlow();
  const navigate = useNavigate();
  const restart = () => {
    pendingReset.clear();
    // The code field, which had the focus, is removed.
    document.getElementById(MAIN_ID)?.focus();
  };
  const openNewPassword = (confirmed: PendingReset) => {
    pendingReset.set({ ...confirmed, isConfirmed: true });
    void navigate(flow.newPassword, { replace: true });
  };

  if (!reset || !isCodeSent) {
    return (
      <FormPage
        picture={<PhonePicture />}
        title={t('Forgot password')}
        text={t('We send a code to your mobile, then you choose a new password.')}
        below={<BackToLogin />}
      >
        <MobileStep onSent={pendingReset.set} />
      </FormPage>
    );
  }
  return (
    <FormPage picture={<PhonePicture />} title={t('Enter verification code')} below={<BackToLogin />}>
      <CodeEntry mobile={reset.mobile} purpose="reset" onConfirmed={() => openNewPassword(reset)} onExpired={restart} onCancel={restart} />
    </FormPage>
  );
}

const BackToLogin = () => {
  const { t } = useLanguage();
  return <LoginLink className={buttonStyles('quiet')}>{t('Login')}</LoginLink>;
};

function MobileStep({ onSent }: { onSent(reset: PendingReset): void }) {
  const { t } = useLanguage();
  const site = useSiteConfig();
  const form = useForm({ mobile: signUpFields.mobile }, { mobile: '' }, signUp.errors);
  useEnteredMobile(form.values.mobile, (stored) => form.set('mobile', stored));
  const [wait, setWait] = useState<Wait>();
  const { pending, mutate } = useMutation({
    async mutationFn({ mobile }: FormOutput<Pick<typeof signUpFields, 'mobile'>>) {
      const { data } = await fetchSend(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) });
      const userid = data?.[0]?.userid;
      if (userid === undefined) return form.setError('mobile', accountError('no-account'));
      const outcome = await sendFirstCode(mobile, 'reset', site);
      if (outcome.status === 'sent') onSent({ mobile, userid, isConfirmed: false });
      if (outcome.status === 'too-soon') setWait(startWait(outcome.waitSeconds));
      // As in the sign-up: the specification resets the form if no SMS is sent (section 8).
      if (outcome.status === 'not-sent' || outcome.status === 'out-of-attempts') form.reset({ mobile: '' });
    },
    onError: (error) => alertProblem(error, { doing: 'asking for a reset code' }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = form.validate();
    if (fields && !pending) void mutate(fields);
  };

  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <MobileField label={t('Mobile Number')} hint={t('10 digits, without the country code')} {...form.field('mobile')} />
      {wait && <CodeWait wait={wait} />}
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Proceed')}
      </SubmitButton>
    </form>
  );
}
