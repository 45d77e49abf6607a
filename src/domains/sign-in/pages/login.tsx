import { useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { useForm } from '../../../browser/form.ts';
import { links, safeReturnTo } from '../../../browser/links.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { accountError, login, loginFields } from '../../accounts/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { Entrance } from './entrance.tsx';
import { useFlow } from './flow.ts';
import { logIn } from './log-in.ts';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Login'), brand) },
    { name: 'description', content: t('Log in to order and to follow your laundry.') },
  ],
};

export default function LoginPage() {
  const { t, formatMessage } = useLanguage();
  const form = useForm(loginFields, { mobile: '', password: '' }, login.errors);
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<ErrorMessage>();
  const { state } = useLocation();
  const flow = useFlow();
  const navigate = useNavigate();

  const enter = async () => {
    const credentials = form.check();
    if (!credentials || pending) return;
    setPending(true);
    setRefusal(undefined);
    try {
      const failed = await logIn(credentials);
      if (!failed) return await navigate(safeReturnTo(state) ?? links.home(), { replace: true });
      if (failed.code === 'user-not-found') form.refuse('mobile', accountError('user-unknown'));
      else if (failed.code === 'wrong-password') form.refuse('password', accountError('password-incorrect'));
      else setRefusal(failed);
    } catch (error) {
      // Waiting after too many tries is said where it stays readable.
      if (error instanceof CallRefused) setRefusal(error);
      else alertProblem(error, { doing: 'logging in' });
    } finally {
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter();
  };

  return (
    <Entrance title={t('Login')}>
      <form method="post" onSubmit={submit} noValidate className="space-y-5">
        <MobileField label={t('Mobile Number')} {...form.field('mobile')} autoComplete="username" />
        <PasswordField label={t('Password')} {...form.field('password')} autoComplete="current-password" />
        <p className="text-sm">
          <Link to={flow.forgotPassword} className={textLinkStyles}>
            {t('Forgot Password?')}
          </Link>
        </p>
        <FormError text={refusal && formatMessage(refusal)} />
        <SubmitButton variant="primary" wide pending={pending}>
          {t('Login')}
        </SubmitButton>
        <Link to={flow.signUp} state={state as unknown} className={buttonStyles('secondary', 'regular', true)}>
          {t('Create a account')}
        </Link>
      </form>
    </Entrance>
  );
}
