import { useEffect, useEffectEvent, type FormEvent } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { useForm } from '../../../browser/form.ts';
import { signUp, signUpFields } from '../../accounts/contract.ts';
import { FormPage } from './form-page.tsx';
import { LockPicture } from '../../../ui/art/screens/lock.tsx';

interface PasswordAgainProps {
  mobile: string;
  onEntered(password: string): void;
}

/** The last step of a sign-up whose page was reloaded: no storage contains its password. */
export function PasswordAgain({ mobile, onEntered }: PasswordAgainProps) {
  const { t } = useLanguage();
  const form = useForm({ password: signUpFields.password }, { password: '' }, signUp.errors);
  const focusField = useEffectEvent(() => form.focus('password'));
  // The code field, which had the focus, was removed.
  useEffect(() => focusField(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = form.validate();
    if (fields) onEntered(fields.password);
  };
  return (
    <FormPage
      picture={<LockPicture />}
      title={t('Enter your password again')}
      text={t('Your mobile number is verified. The page was loaded again, and we do not store passwords in it.')}
    >
      <form method="post" onSubmit={submit} noValidate className="space-y-5">
        {/* Password managers store the password for this username. */}
        <input type="text" name="username" autoComplete="username" value={mobile} readOnly hidden />
        <PasswordField label={t('Password')} hint={t('At least 6 characters')} {...form.field('password')} autoComplete="new-password" />
        <SubmitButton variant="primary" wide pending={false}>
          {t('Sign up')}
        </SubmitButton>
      </form>
    </FormPage>
  );
}
