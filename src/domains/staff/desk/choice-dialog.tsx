import type { FormEvent, ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';

interface ChoiceDialogProps {
  open: boolean;
  title: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  /** Shown in place of the form if there is no option. */
  empty?: ReactNode;
  pending: boolean;
  children?: ReactNode;
  onChoose(value: string): void;
  /** Resolves to true if the dialog closes. */
  onSubmit(): Promise<boolean>;
  onClose(): void;
}

/** Asks for one of several values. */
export function ChoiceDialog({
  open,
  title,
  label,
  value,
  options,
  empty,
  pending,
  children,
  onChoose,
  onSubmit,
  onClose,
}: ChoiceDialogProps) {
  const { t } = useLanguage();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!pending && (await onSubmit())) onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {options.length === 0 ? (
        empty
      ) : (
        <form onSubmit={(event) => void submit(event)} className="space-y-4">
          <SelectField label={label} error={null} value={value} options={options} onChange={({ target }) => onChoose(target.value)} />
          {children}
          <div className="grid gap-3 sm:grid-cols-2">
            <SubmitButton variant="primary" wide pending={pending}>
              {t('Save')}
            </SubmitButton>
            <Button variant="quiet" wide onClick={onClose}>
              {t('Cancel')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
