import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { CallRefused } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useForm } from '../../../browser/form.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { checkStaffLink, newPassword, setStaffPassword, staffError } from './contract.ts';
import { showProblem } from './show-problem.ts';
import { StaffPage } from './staff-page.tsx';

const rules = { password: newPassword };

/** The page of the one-time link, whose token is in the fragment. */
export function Component() {
  const { t, formatMessage } = useLanguage();
  const [token] = useState(() => window.location.hash.slice(1));
  const form = useForm(rules, { password: '' }, setStaffPassword.errors);
  const [formError, setFormError] = useState<ErrorMessage>();
  const [isSet, setIsSet] = useState(false);
  const { pending, mutate } = useMutation({
    async mutationFn({ password }: { password: string }) {
      const result = await fetchSend(setStaffPassword, { token, password });
      if (result.response !== 'success') return setFormError(toErrorMessage(result));
      // The history keeps no token.
      window.history.replaceState(window.history.state, '', window.location.pathname);
      setIsSet(true);
    },
    onError(error) {
      if (error instanceof CallRefused) setFormError(error);
      else showProblem(error, 'setting a password');
    },
  });
  // Without an answer, the form itself shows the error.
  const check = useQuery({
    queryKey: [token],
    queryFn: async ({ signal }) => (await fetchSend(checkStaffLink, { token }, { signal })).response === 'success',
    onError: () => {},
  });
  const isUsed = !isSet && check.status === 'success' && !check.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = form.validate();
    if (!values || pending) return;
    setFormError(undefined);
    void mutate(values);
  };
  return (
    <StaffPage width="narrow" title={t('Set your password')} text={t('You need it, with your mobile number, to log in to the console.')}>
      <Card>
        {isUsed ? (
          <Notice tone="bad" live>
            {formatMessage(staffError('invalid-link'))}
          </Notice>
        ) : isSet ? (
          <Notice
            tone="good"
            live
            title={t('Your password is set')}
            action={
              <Link to={staffLinks.today()} className={buttonStyles('primary', 'small')}>
                {t('Log in')}
              </Link>
            }
          >
            {t('Log in with your mobile number and this password.')}
          </Notice>
        ) : (
          <form method="post" onSubmit={submit} noValidate className="space-y-5">
            <PasswordField
              label={t('New password')}
              hint={t('At least 10 characters. Three or four words are easy to remember.')}
              {...form.field('password')}
              autoComplete="new-password"
            />
            <FormError text={formError && formatMessage(formError)} />
            <SubmitButton variant="primary" wide pending={pending}>
              {t('Set password')}
            </SubmitButton>
          </form>
        )}
      </Card>
    </StaffPage>
  );
}
