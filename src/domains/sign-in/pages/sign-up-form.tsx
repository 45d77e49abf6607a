import { useEffect, useEffectEvent, useState, type FormEvent, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Link, useLocation } from 'react-router';
import { MAX_LINE_LENGTH } from '../../../contract/define-call.ts';
import { readReferral } from '../../../lib/referral-code.ts';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { MobileField, mobileHint } from '../../../ui/fields/mobile-field.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField, type TextFieldProps } from '../../../ui/fields/text-field.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useForm, type FormOutput } from '../../../browser/form.ts';
import { useDelayedRedirect } from '../../../browser/redirects.ts';
import { accountError, lookUp, lookUpQueries, signUp, signUpFields } from '../../accounts/contract.ts';
import { shownConsent } from '../../consents/contract.ts';
import { ConsentText } from '../../consents/pages/consent-text.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { startWait, type Wait } from '../../verification/pages/sent-code.ts';
import { CodeWait } from '../../verification/pages/code-wait.tsx';
import { sendFirstCode } from '../../verification/pages/send-first-code.ts';
import { useFlow } from './flow.ts';
import {
  EMPTY_SIGN_UP,
  enteredMobile,
  passwordOfForm,
  pendingSignUp,
  setPasswordOfForm,
  setPasswordOfSignUp,
  unfinishedSignUp,
  useEnteredMobile,
} from './pending-sign-in.ts';

const EMPTY = { ...EMPTY_SIGN_UP, password: '' };

/** Every referral is accepted: an unknown one never prevents a sign-up. */
const rules = { ...signUpFields, referral: z.string() };

interface SignUpFormProps {
  /** The code of a referral page. The form then has no field for it. */
  referral?: string;
  below: ReactNode;
}

export function SignUpForm({ referral, below }: SignUpFormProps) {
  const { t } = useLanguage();
  const site = useSiteConfig();
  const form = useForm(rules, { ...EMPTY, referral: referral ?? '' }, signUp.errors);
  useEnteredMobile(form.values.mobile, (stored) => form.set('mobile', stored));
  const [sent, setSent] = useState(false);
  /** The form was submitted with it once. The next time the sign-up goes on. */
  const [unknownReferral, setUnknownReferral] = useState<string>();
  const [wait, setWait] = useState<Wait>();
  const { state } = useLocation();
  // After a reload, and after Back from the code or from the privacy policy. Not the initial
  // values, which are those of the server's document.
  const restore = useEffectEvent(() => {
    const kept = unfinishedSignUp.get();
    const of = (field: keyof typeof kept) => form.values[field] || kept[field];
    form.reset({
      name: of('name'),
      mobile: enteredMobile() || of('mobile'),
      referral: referral ?? of('referral'),
      password: form.values.password || (passwordOfForm() ?? ''),
    });
  });
  useEffect(() => restore(), []);
  const hasPassword = form.values.password !== '';
  useEffect(() => {
    // The next visitor of the form does not get it.
    if (hasPassword) setPasswordOfForm(undefined);
  }, [hasPassword]);
  const keep = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement && target.name in EMPTY_SIGN_UP)
      unfinishedSignUp.set({ ...unfinishedSignUp.get(), [target.name]: target.value });
  };
  const flow = useFlow();
  useDelayedRedirect(sent, flow.verification, flow.delays.toVerification, { keepInHistory: true });

  const { pending, mutate } = useMutation({
    async mutationFn({ password, ...fields }: FormOutput<typeof rules>) {
      setWait(undefined);
      const { response } = await fetchSend(lookUp, { query: lookUpQueries.mobile(fields.mobile) });
      if (response === 'success') return form.setError('mobile', accountError('user-exists'));
      if (referral === undefined && fields.referral !== unknownReferral && !(await isKnownReferral(fields.referral))) {
        setUnknownReferral(fields.referral);
        return form.focus('referral');
      }
      const outcome = await sendFirstCode(fields.mobile, 'signup', site);
      switch (outcome.status) {
        case 'sent':
          pendingSignUp.set({ ...fields, consent: shownConsent(t, 'account'), returnState: state as unknown, isConfirmed: false });
          setPasswordOfSignUp(password);
          return setSent(true);
        case 'too-soon':
          return setWait(startWait(outcome.waitSeconds));
        case 'bot-check-failed':
        case 'offline':
          // The form keeps its values, so that the customer can submit it again.
          return;
        case 'not-sent':
        case 'out-of-attempts':
          unfinishedSignUp.clear();
          form.reset({ ...EMPTY, referral: referral ?? '' });
      }
    },
    onError: (error) => alertProblem(error, { doing: 'signing up' }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = form.validate();
    if (fields && !pending && !sent) void mutate(fields);
  };

  return (
    <form method="post" onSubmit={submit} onChange={keep} noValidate className="space-y-5">
      <TextField
        label={t('Name')}
        hint={t('At least 2 characters')}
        {...form.field('name')}
        autoComplete="name"
        maxLength={MAX_LINE_LENGTH}
      />
      <MobileField
        label={t('Mobile')}
        hint={t(mobileHint(form.values.mobile))}
        {...form.field('mobile')}
        {...(form.errors.mobile?.code === 'user-exists' && { error: <UserExists /> })}
      />
      <PasswordField label={t('Password')} hint={t('At least 6 characters')} {...form.field('password')} autoComplete="new-password" />
      {referral === undefined && <ReferralField {...form.field('referral')} isUnknown={form.values.referral === unknownReferral} />}
      {wait && <CodeWait wait={wait} />}
      <ConsentText purpose="account" onLeave={() => setPasswordOfForm(form.values.password)} />
      <SubmitButton variant="primary" wide pending={pending || sent}>
        {t('Sign up')}
      </SubmitButton>
      {below}
    </form>
  );
}

/**
 * Returns true for no code, and for the code of an account. Also if the look-up fails: a referral
 * never prevents a sign-up.
 */
async function isKnownReferral(referral: string): Promise<boolean> {
  if (referral.trim() === '') return true;
  const mobile = readReferral(referral);
  if (!mobile) return false;
  try {
    return (await fetchSend(lookUp, { query: lookUpQueries.mobile(mobile) })).response === 'success';
  } catch {
    return true;
  }
}

/**
 * Shows a hint for an unreadable referral, so that a typing error does not cost the referrer the
 * bonus.
 */
function ReferralField({ isUnknown, ...field }: { value: string; isUnknown: boolean } & Omit<TextFieldProps, 'value' | 'label' | 'hint'>) {
  const { t } = useLanguage();
  const { label, hint } = useFlow().referralField;
  const [isBlurred, setBlurred] = useState(false);
  const isUnreadable = isBlurred && field.value.trim() !== '' && !readReferral(field.value);
  return (
    <TextField
      label={t(label)}
      hint={isUnreadable ? t('This is not a referral code, link or mobile. You can sign up without one.') : hint && t(hint)}
      {...field}
      {...(isUnknown && { error: t('We do not know this referral. Correct it, or sign up again to go on without it.') })}
      onFocus={() => setBlurred(false)}
      onBlur={() => setBlurred(true)}
      autoComplete="off"
      autoCapitalize="characters"
      maxLength={200}
    />
  );
}

/** The text of 'user-exists' with a link to the password reset. */
function UserExists() {
  const { t } = useLanguage();
  const { forgotPassword } = useFlow();
  const link = (
    <Link to={forgotPassword} className={textLinkStyles}>
      {t('forgot password?')}
    </Link>
  );
  return <RichText text="User already exists, {forgotPassword}" parts={{ forgotPassword: link }} />;
}
