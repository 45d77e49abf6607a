import { useId, type ComponentPropsWithRef } from 'react';
import { FieldFrame, fieldAria, fieldBox, fieldInput, type FieldText } from './field-frame.tsx';
import { ChevronDownIcon } from '../icons/chevron.tsx';

export type SelectFieldProps = FieldText &
  Omit<ComponentPropsWithRef<'select'>, 'id' | 'className' | 'style' | 'children' | 'multiple'> & {
    options: readonly { value: string; label: string }[];
  };

/** The native select, which opens the right picker on every phone. */
export function SelectField({ label, error, hint, options, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className={`${fieldBox} relative`}>
        <select {...select} {...fieldAria(id, { label, error, hint })} className={`${fieldInput} appearance-none pe-11`}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value} className="bg-surface text-ink">
              {text}
            </option>
          ))}
        </select>
        <span className="pointer-events-none absolute inset-e-3 text-ink-soft">
          <ChevronDownIcon />
        </span>
      </div>
    </FieldFrame>
  );
}
