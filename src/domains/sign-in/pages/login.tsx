import { useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { useForm, type FormOutput } from '../../../browser/form.ts';
import { useSession } from '../../../browser/session-user.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { links, safeReturnTo, type ReturnState } from '../../../shared/links.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { accountError, login, loginFields } from '../../accounts/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { formatWait } from '../../verification/pages/code-wait.tsx';
import { FormPage } from './form-page.tsx';
import { useFlow } from './flow.ts';
import { GuestOrderNotice, mayHaveGuestOrder } from './guest-notice.tsx';
import { logIn } from './log-in.ts';
import { SignedInNotice } from './signed-in-notice.tsx';
import { setEnteredMobile, useEnteredMobile } from './pending-sign-in.ts';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Login'), brand) },
    { name: 'description', content: t('Log in to order and to follow your laundry.') },
  ],
};

export default function LoginPage() {
  const language = useLanguage();
  const { t } = language;
  const form = useForm(loginFields, { mobile: '', password: '' }, login.errors);
  useEnteredMobile(form.values.mobile, (stored) => form.set('mobile', stored));
  const [formError, setFormError] = useState<ErrorMessage | CallRefused>();
  const { state } = useLocation();
  // The server renders the document without the state of the history entry.
  const isHydrated = useSession() !== 'unknown';
  const flow = useFlow();
  const navigate = useNavigate();

  const { pending, mutate } = useMutation({
    async mutationFn(credentials: FormOutput<typeof loginFields>) {
      const error = await logIn(credentials);
      if (!error) {
        setEnteredMobile('');
        return await navigate(safeReturnTo(state) ?? links.home(), { replace: true });
      }
      if (error.code === 'user-not-found') form.setError('mobile', accountError('user-unknown'));
      else if (error.code === 'wrong-password') form.setError('password', accountError('password-incorrect'));
      else setFormError(error);
    },
    onError(error) {
      // A rate-limit error stays in the form, where the customer can read it after a toast would
      // close.
      if (error instanceof CallRefused) setFormError(error);
      else alertProblem(error, { doing: 'logging in' });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const credentials = form.validate();
    if (!credentials || pending) return;
    setFormError(undefined);
    void mutate(credentials);
  };

  return (
    <FormPage title={t('Login')}>
      <SignedInNotice />
      {isHydrated && mayHaveGuestOrder(safeReturnTo(state), (state as Partial<ReturnState> | null)?.hadSession) && (
        <div className="mb-5">
          <GuestOrderNotice />
        </div>
      )}
      <form method="post" onSubmit={submit} noValidate className="space-y-5">
        <MobileField
          label={t('Mobile Number')}
          hint={t('10 digits, without the country code')}
          {...form.field('mobile')}
          autoComplete="username"
        />
        <PasswordField label={t('Password')} {...form.field('password')} autoComplete="current-password" />
        <p className="text-sm">
          <Link to={flow.forgotPassword} className={textLinkStyles}>
            {t('Forgot Password?')}
          </Link>
        </p>
        <FormError text={formError && errorText(language, formError)} />
        <SubmitButton variant="primary" wide pending={pending}>
          {t('Login')}
        </SubmitButton>
        <Link to={flow.signUp} state={state as unknown} className={buttonStyles('secondary', 'regular', true)}>
          {t('Create a account')}
        </Link>
      </form>
    </FormPage>
  );
}

/** The error, with the time to wait if a limit is reached. */
function errorText(language: Language, error: ErrorMessage | CallRefused): string {
  const text = language.formatMessage(error);
  const seconds = error instanceof CallRefused ? error.retryAfterSeconds : undefined;
  return seconds ? `${text}. ${language.t('You can try again in {wait}.', { wait: formatWait(language, seconds) })}` : text;
}
