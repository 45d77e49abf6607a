import { useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { attempt, ATTEMPT_REASONS, type AttemptReason, type DeskOrder } from './contract.ts';
import { ATTEMPT_TEXTS } from './desk-texts.ts';
import { TextDialog } from '../../staff/desk/text-dialog.tsx';
import type { SendChange } from './use-change.ts';

interface AttemptDialogProps {
  open: boolean;
  order: Pick<DeskOrder, 'orderid' | 'version'>;
  pending: boolean;
  change: SendChange;
  onClose(): void;
}

/** Asks why a visit failed. */
export function AttemptDialog({ open, order: { orderid, version }, pending, change, onClose }: AttemptDialogProps) {
  const { t } = useLanguage();
  const [why, setWhy] = useState<AttemptReason>('nobody-home');
  return (
    <TextDialog
      open={open}
      title={t('Failed visit')}
      label={t('Note (optional)')}
      submitLabel={t('Save')}
      pending={pending}
      onSubmit={(note) =>
        change({ call: attempt, body: { orderid, version, why, ...(note && { note }) }, done: msg('The visit is noted') })
      }
      onClose={onClose}
    >
      <SelectField
        label={t('What happened?')}
        error={null}
        value={why}
        options={ATTEMPT_REASONS.map((reason) => ({ value: reason, label: t(ATTEMPT_TEXTS[reason]) }))}
        onChange={({ target }) => setWhy(target.value as AttemptReason)}
      />
    </TextDialog>
  );
}
