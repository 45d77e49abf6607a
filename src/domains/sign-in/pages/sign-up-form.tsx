import { useState, type FormEvent, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { useLocation, useNavigate } from 'react-router';
import { SubmitButton } from '../../../ui/button.tsx';
import { MobileField } from '../../../ui/mobile-field.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { showToast } from '../../../ui/toast.ts';
import { fetchSend } from '../../../web/client.ts';
import { useForm } from '../../../web/form.ts';
import { links } from '../../../web/links.ts';
import { site } from '../../../web/site.ts';
import { accountMessages as messages, lookUp, lookUpQueries, signUpFields } from '../../accounts/contract.ts';
import { botCheckMessages } from '../../bot-check/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { verificationMessages } from '../../verification/contract.ts';
import { sendCodeTo } from '../../verification/pages/send-code.ts';
import { setPendingSignUp } from './pending-sign-up.ts';

const ALERT_MS = 5000;
const EMPTY = { name: '', mobile: '', password: '', referral: '' };

/** Any text will do: a referral that leads nowhere never stands in the way of a sign-up. */
const rules = { ...signUpFields, referral: z.string() };

interface SignUpFormProps {
  /** Given by a referral page; then there is no field for it. */
  referral?: string;
  below: ReactNode;
}

export function SignUpForm({ referral, below }: SignUpFormProps) {
  const form = useForm(rules, { ...EMPTY, referral: referral ?? '' });
  const [pending, setPending] = useState(false);
  const { state } = useLocation();
  const navigate = useNavigate();

  const begin = async () => {
    const fields = form.check();
    if (!fields || pending) return;
    setPending(true);
    try {
      const known = await fetchSend(lookUp, { query: lookUpQueries.mobile(fields.mobile) });
      if (known.response === 'success') return form.refuse('mobile', messages.userExists);
      const outcome = await sendCodeTo(fields.mobile, 'signup');
      if (outcome === 'bot check failed') return alertRed(botCheckMessages.failed(site().brand.email));
      if (outcome === 'not sent') {
        form.reset({ ...EMPTY, referral: referral ?? '' });
        return alertRed(verificationMessages.sendFailed(fields.mobile));
      }
      showToast({ text: verificationMessages.sent(fields.mobile), theme: 'green' });
      setPendingSignUp({ ...fields, returnState: state as unknown });
      await navigate(links.verification());
    } catch (error) {
      alertProblem(error, { doing: 'signing up' });
    } finally {
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void begin();
  };

  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      <TextField label="Name" {...form.field('name')} autoComplete="name" maxLength={200} />
      <MobileField label="Mobile" {...form.field('mobile')} />
      <PasswordField label="Password" {...form.field('password')} autoComplete="new-password" />
      {referral === undefined && (
        <TextField
          label="Referral Code"
          hint="Optional"
          {...form.field('referral')}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={200}
        />
      )}
      <SubmitButton variant="primary" wide pending={pending}>
        Sign up
      </SubmitButton>
      {below}
    </form>
  );
}

const alertRed = (text: string) => showToast({ text, theme: 'red', durationMs: ALERT_MS });
