import type { FormEvent } from 'react';
import * as z from 'zod/mini';
import { useForm } from '../../../browser/form.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { ROLES, personFields, setPerson, type Person, type PersonChange } from './contract.ts';
import { ROLE_NAMES } from './role-names.ts';

const rules = { ...personFields, role: z.enum(ROLES) };

interface PersonDialogProps {
  open: boolean;
  /** Undefined to add a person. */
  person: Person | undefined;
  /** The only owner keeps the role. */
  keepsRole: boolean;
  pending: boolean;
  /** `name` is the name of the person. */
  onSave(name: string, change: PersonChange): void;
  onClose(): void;
}

export function PersonDialog({ open, person, keepsRole, pending, onSave, onClose }: PersonDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={person ? t('Change a person') : t('Add a person')}>
      <PersonForm person={person} keepsRole={keepsRole} pending={pending} onSave={onSave} />
    </Dialog>
  );
}

/** The dialog mounts it when it opens: it starts with the values of the person. */
function PersonForm({ person, keepsRole, pending, onSave }: Pick<PersonDialogProps, 'person' | 'keepsRole' | 'pending' | 'onSave'>) {
  const { t } = useLanguage();
  const initial = { name: person?.name ?? '', mobile: person?.mobile ?? '', role: person?.role ?? ('rider' as const) };
  const form = useForm(rules, initial, setPerson.errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = form.validate();
    if (!values || pending) return;
    const { name, mobile, role } = values;
    onSave(name, person ? { action: 'change', personid: person.personid, name, role } : { action: 'add', name, mobile, role });
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <TextField label={t('Name')} {...form.field('name')} autoComplete="off" data-autofocus />
      <MobileField label={t('Mobile Number')} {...form.field('mobile')} autoComplete="off" readOnly={person !== undefined} />
      <SelectField
        label={t('Role')}
        error={undefined}
        hint={
          keepsRole
            ? t('The only owner: add another owner before this one is removed or changed.')
            : t('An owner may do everything. An operator runs the laundry. A rider collects and delivers.')
        }
        value={form.values.role}
        options={(keepsRole ? (['owner'] as const) : ROLES).map((role) => ({ value: role, label: t(ROLE_NAMES[role]) }))}
        onChange={(event) => form.set('role', event.target.value)}
      />
      {person?.status === 'active' && form.values.role !== person.role && (
        <Notice tone="warn" live>
          {t('With another role, {name} is logged out on every device and has to log in again.', { name: person.name })}
        </Notice>
      )}
      <SubmitButton variant="primary" wide pending={pending}>
        {person ? t('Save') : t('Add')}
      </SubmitButton>
    </form>
  );
}
