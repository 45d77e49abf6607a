import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { CallRefused } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useForm, type FormOutput } from '../../../browser/form.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type ErrorMessage, type Message, type MessageKey } from '../../../i18n/messages.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { loginFields } from '../../accounts/contract.ts';
import { staffLogin, type Me } from './contract.ts';
import { confirmWithPasskey } from './passkey.ts';
import { cancelLogin, rememberLogin, type LoginReason } from './session.ts';
import { showProblem } from './show-problem.ts';
import { StaffPage } from './staff-page.tsx';

type RequiredCeremony = 'passkey-required' | 'passkey-missing';

interface LoginFormProps {
  /** The person who has to log in again. */
  mobile?: string;
  onLogin(me: Me): void | Promise<void>;
}

function LoginForm({ mobile, onLogin }: LoginFormProps) {
  const [ceremony, setCeremony] = useState<RequiredCeremony>();
  return ceremony ? (
    <PasskeyForm ceremony={ceremony} onLogin={onLogin} onRestart={() => setCeremony(undefined)} />
  ) : (
    <PasswordForm mobile={mobile} onLogin={onLogin} onPasskey={setCeremony} />
  );
}

interface PasswordFormProps extends Pick<LoginFormProps, 'onLogin'> {
  mobile: string | undefined;
  onPasskey(ceremony: RequiredCeremony): void;
}

function PasswordForm({ mobile, onLogin, onPasskey }: PasswordFormProps) {
  const { t, formatMessage } = useLanguage();
  const form = useForm(loginFields, { mobile: mobile ?? '', password: '' }, staffLogin.errors);
  const [formError, setFormError] = useState<ErrorMessage>();
  const { pending, mutate } = useMutation({
    async mutationFn(credentials: FormOutput<typeof loginFields>) {
      const result = await fetchSend(staffLogin, credentials);
      if (result.response === 'success') await onLogin(result.data);
      else if (result.code === 'passkey-required' || result.code === 'passkey-missing') onPasskey(result.code);
      else setFormError(toErrorMessage(result));
    },
    onError(error) {
      if (error instanceof CallRefused) setFormError(error);
      else showProblem(error, 'logging in');
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
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <MobileField label={t('Mobile Number')} {...form.field('mobile')} autoComplete="username" readOnly={mobile !== undefined} />
      <PasswordField
        label={t('Password')}
        {...form.field('password')}
        autoComplete="current-password"
        data-autofocus={mobile !== undefined || undefined}
      />
      <FormError text={formError && formatMessage(formError)} />
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Log in')}
      </SubmitButton>
    </form>
  );
}

/** The second factor. Browsers ask for a passkey only after a tap. */
interface PasskeyFormProps extends Pick<LoginFormProps, 'onLogin'> {
  ceremony: RequiredCeremony;
  onRestart(): void;
}

function PasskeyForm({ ceremony, onLogin, onRestart }: PasskeyFormProps) {
  const { t, formatMessage } = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const [error, setError] = useState<Message>();
  const { pending, mutate } = useMutation({
    async mutationFn() {
      const result = await confirmWithPasskey();
      if ('me' in result) await onLogin(result.me);
      else setError(result.error);
    },
    onError: (problem) => showProblem(problem, 'using a passkey'),
  });
  const isMissing = ceremony === 'passkey-missing';
  return (
    <div className="space-y-5">
      <p className="text-ink-soft">
        {isMissing
          ? t('Your role needs a passkey besides the password: the fingerprint, face or PIN of this device, or a security key.')
          : t('Confirm that it is you, with the passkey of this device or your security key.')}
      </p>
      <FormError text={error && formatMessage(error)} />
      <Button
        ref={button}
        variant="primary"
        wide
        pending={pending}
        onClick={() => {
          setError(undefined);
          void mutate(undefined);
        }}
      >
        {isMissing ? t('Add a passkey') : t('Use the passkey')}
      </Button>
      <Button variant="quiet" wide onClick={onRestart}>
        {t('Back to the password')}
      </Button>
    </div>
  );
}

/** `ending`: why the server has ended the session of this browser, if it has. */
export function LoginScreen({ ending }: { ending: ErrorMessage | null }) {
  const { t, formatMessage } = useLanguage();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // A rider works on the round. A link to another screen is kept.
  const onLogin = async (me: Me) => {
    if (me.role === 'rider' && pathname === staffLinks.today()) await navigate(staffLinks.round(), { replace: true });
    rememberLogin(me);
  };
  return (
    <StaffPage width="narrow" title={t('Log in')} text={t('This is the console of the people who work in the laundry.')}>
      {ending && (
        <Notice tone="warn" live>
          {formatMessage(ending)}
        </Notice>
      )}
      <Card>
        <LoginForm onLogin={onLogin} />
      </Card>
    </StaffPage>
  );
}

const LOGIN_REASONS: Readonly<Record<LoginReason, MessageKey>> = {
  'login-required': msg('Your session has ended. Nothing that you typed is lost.'),
  'login-too-old': msg('This needs a log-in of the last ten minutes. Nothing that you typed is lost.'),
  entries: msg('Log in to send what is kept on this phone.'),
};

/** Asks the person above the page, whose state stays. */
export function LoginDialog({ reason, mobile }: { reason: LoginReason | null; mobile: string }) {
  const { t } = useLanguage();
  return (
    <Dialog open={reason !== null} onClose={cancelLogin} title={t('Log in again')}>
      <div className="space-y-5">
        <p className="text-ink-soft">{reason !== null && t(LOGIN_REASONS[reason])}</p>
        <LoginForm mobile={mobile} onLogin={rememberLogin} />
      </div>
    </Dialog>
  );
}
