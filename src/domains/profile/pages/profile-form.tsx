import { useEffect, type FormEvent } from 'react';
import { MAX_LINE_LENGTH } from '../../../contract/define-call.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useForm } from '../../../browser/form.ts';
import { tabStorage } from '../../../browser/tab-storage.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import type { SessionUser } from '../../../browser/session-user.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { profileError, profileFields, profileMessages as messages, updateUserDetails } from '../contract.ts';
import { refreshSession } from './refresh-session.ts';

/** The changed fields that are not saved, by customer. */
const unsaved = tabStorage<Readonly<Record<string, { name?: string; email?: string }>>>('unsavedprofile', {});

export function ProfileForm({ user }: { user: SessionUser }) {
  const { t } = useLanguage();
  const { name, email } = user;
  const form = useForm(profileFields(user), { name, email, ...unsaved.get()[user.userid] }, updateUserDetails.errors);
  const { name: typedName, email: typedEmail } = form.values;
  useEffect(() => {
    const changed = { ...(typedName !== name && { name: typedName }), ...(typedEmail !== email && { email: typedEmail }) };
    unsaved.set({ [user.userid]: changed });
  }, [user.userid, name, email, typedName, typedEmail]);
  const { pending, mutate } = useMutation({
    async mutationFn(changed: Partial<typeof form.values>) {
      const result = await fetchSend(updateUserDetails, { token: user.userid, ...changed });
      if (result.response !== 'success') return form.setError('email', toErrorMessage(result));
      await refreshSession();
      showToast({ text: messages.updated, theme: 'green' });
    },
    onError: (error) => alertProblem(error, { doing: 'updating the profile' }),
  });

  const update = () => {
    const fields = form.validate();
    if (!fields || pending) return;
    const changed = { ...(fields.name !== name && { name: fields.name }), ...(fields.email !== email && { email: fields.email }) };
    if (Object.keys(changed).length === 0) return showToast({ text: profileError('nothing-to-update'), theme: 'light' });
    void mutate(changed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update();
  };

  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <TextField
        label={t('Name')}
        hint={t('At least 2 characters')}
        {...form.field('name')}
        autoComplete="name"
        maxLength={MAX_LINE_LENGTH}
      />
      <TextField
        label={t('Email')}
        hint={t('Such as name@example.com')}
        {...form.field('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={200}
      />
      <TextField label={t('Mobile')} error={undefined} hint={t(messages.mobileFixed)} value={user.mobile} prefix="+91" readOnly />
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Update')}
      </SubmitButton>
    </form>
  );
}
