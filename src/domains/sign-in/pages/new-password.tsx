import { useEffect, useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { msg, type Message } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useForm } from '../../../browser/form.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useDelayedRedirect } from '../../../browser/redirects.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { newPasswordFields, profileError, profileMessages as messages, updateUserDetails } from '../../profile/contract.ts';
import { FormPage, WaitingPage } from './form-page.tsx';
import { useFlow } from './flow.ts';
import { useOpenLogin } from './native-app.ts';
import { LoginLink } from './login-link.tsx';
import { pendingReset, setEnteredMobile, type PendingReset } from './pending-sign-in.ts';
import { LockPicture } from '../../../ui/art/screens/lock.tsx';

export const handle = unindexedPage(msg('New password'));

const alertRed = (text: Message) => showToast({ text, theme: 'red', durationMs: TOAST_MS.long });

/** The page depends on session storage, so the document cannot contain it. */
export const clientLoader = () => null;
clientLoader.hydrate = true as const;

export const HydrateFallback = () => <WaitingPage title={msg('New password')} />;

export default function NewPasswordPage() {
  const { t } = useLanguage();
  // A copy of the pending reset, which is removed while this page is still shown.
  const [reset, setReset] = useState(pendingReset.get);
  return (
    <FormPage picture={<LockPicture />} title={t('New password')}>
      {reset?.isConfirmed ? <NewPassword reset={reset} onExpired={() => setReset(null)} /> : <ResetExpired />}
    </FormPage>
  );
}

/** Shown without a confirmed code, and if the code expired ten minutes after its confirmation. */
function ResetExpired() {
  const { t } = useLanguage();
  useEffect(() => alertRed(profileError('reset-expired')), []);
  const { restartReset, delays } = useFlow();
  useDelayedRedirect(true, restartReset, delays.resetUserMissing);
  return (
    <Link to={restartReset} className={buttonStyles('primary', 'regular', true)}>
      {t('Forgot Password?')}
    </Link>
  );
}

function NewPassword({ reset, onExpired }: { reset: PendingReset; onExpired(): void }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const form = useForm(newPasswordFields, { password: '', confirmation: '' }, updateUserDetails.errors);
  const [ended, setEnded] = useState<'changed' | 'cancelled'>();
  const { restartReset, delays } = useFlow();
  const login = useOpenLogin();
  useDelayedRedirect(ended === 'cancelled', restartReset, delays.newPasswordCancelled);

  const failed = msg(messages.passwordFailed, { email: brand.email });
  const { pending, mutate } = useMutation({
    async mutationFn(password: string) {
      const result = await fetchSend(updateUserDetails, { token: reset.userid, password });
      if (result.response === 'success') {
        pendingReset.clear();
        setEnteredMobile(reset.mobile);
        showToast({ text: messages.passwordChanged, theme: 'green' });
        setEnded('changed');
        // The form, which had the focus, is removed.
        document.getElementById(MAIN_ID)?.focus();
        await login.open();
      } else if (result.code === 'reset-expired') {
        pendingReset.clear();
        onExpired();
      } else alertRed(failed);
    },
    onError: (error) => alertProblem(error, { doing: 'updating the password' }, { text: failed, durationMs: TOAST_MS.long }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = form.validate();
    const isDifferent = form.values.confirmation !== form.values.password;
    if (isDifferent) form.setError('confirmation', profileError('passwords-differ'));
    // The first invalid field has the focus.
    if (isDifferent && !fields) form.focus('password');
    if (isDifferent || !fields || pending || ended) return;
    void mutate(fields.password);
  };
  const cancel = () => {
    form.reset();
    pendingReset.clear();
    setEnteredMobile('');
    setEnded('cancelled');
  };

  // The customer may mend the difference in the first field.
  const isMended = form.errors.confirmation?.code === 'passwords-differ' && form.values.confirmation === form.values.password;
  // If the app opens its own log-in, this page stays behind it.
  if (ended === 'changed') return <LoginLink className={buttonStyles('primary', 'regular', true)}>{t('Login')}</LoginLink>;
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      {/* Password managers store the new password for this username. */}
      <input type="text" name="username" autoComplete="username" value={reset.mobile} readOnly hidden />
      <PasswordField label={t('New Password')} hint={t('At least 6 characters')} {...form.field('password')} autoComplete="new-password" />
      <PasswordField
        label={t('Confirm New Password')}
        hint={t('The same password again')}
        {...form.field('confirmation')}
        {...(isMended && { error: undefined })}
        autoComplete="new-password"
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SubmitButton variant="primary" pending={pending}>
          {t('Update password')}
        </SubmitButton>
        <Button variant="secondary" pending={ended !== undefined} onClick={cancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
