import { MAX_LINE_LENGTH } from '../../../../contract/define-call.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { deskError } from '../contract.ts';

interface ReasonFieldProps {
  label: string;
  value: string;
  isMissing: boolean;
  onChange(reason: string): void;
}

/** The required reason of a change, for the customer. */
export function ReasonField({ label, value, isMissing, onChange }: ReasonFieldProps) {
  const { formatMessage } = useLanguage();
  return (
    <TextField
      label={label}
      error={isMissing ? formatMessage(deskError('reason-required')) : null}
      value={value}
      autoComplete="off"
      maxLength={MAX_LINE_LENGTH}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
