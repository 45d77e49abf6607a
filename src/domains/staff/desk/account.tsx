/** The account of the person who is logged in: adds a passkey for this device. */
import { useState } from 'react';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type Message } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../ui/layout/definition-table.tsx';
import { confirmWithPasskey } from './passkey.ts';
import { ROLE_NAMES } from './role-names.ts';
import { staffSend, useMe } from './session.ts';
import { showProblem } from './show-problem.ts';
import { StaffPage } from './staff-page.tsx';

export function Component() {
  const { t, formatMessage } = useLanguage();
  const { name, mobile, role } = useMe();
  const [error, setError] = useState<Message>();
  const { pending, mutate } = useMutation({
    async mutationFn() {
      const result = await confirmWithPasskey(staffSend);
      if ('error' in result) setError(result.error);
      else showToast({ theme: 'green', text: msg('The passkey is added: the next log-in asks for it.') });
    },
    onError: (problem) => showProblem(problem, 'adding a passkey'),
  });
  return (
    <StaffPage width="narrow" title={t('Your account')}>
      <Card as="section">
        <DefinitionTable
          rows={[
            { label: t('Name'), value: name },
            { label: t('Mobile Number'), value: `+91 ${mobile}` },
            { label: t('Role'), value: t(ROLE_NAMES[role]) },
          ]}
        />
      </Card>
      <Card as="section">
        <div className="space-y-4">
          <h2 className="text-lg font-semibold">{t('Passkey')}</h2>
          <p className="text-ink-soft">
            {t('With a passkey, a stolen password is not enough to log in: the device asks for your fingerprint, face or PIN.')}
          </p>
          <FormError text={error && formatMessage(error)} />
          <Button
            variant="primary"
            wide
            pending={pending}
            onClick={() => {
              setError(undefined);
              void mutate(undefined);
            }}
          >
            {t('Add a passkey')}
          </Button>
        </div>
      </Card>
    </StaffPage>
  );
}
