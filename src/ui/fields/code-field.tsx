import { useId, type ChangeEvent, type ComponentPropsWithRef } from 'react';
import { normalizedChange } from './normalized-change.ts';
import { FieldFrame, fieldAria, fieldBox, type FieldText } from './field-frame.tsx';

export type CodeFieldProps = FieldText &
  Omit<ComponentPropsWithRef<'input'>, 'id' | 'className' | 'style' | 'value' | 'onChange' | 'maxLength'> & {
    value: string;
    length: number;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };

/**
 * A one-time code: one field, so that pasting, autofill from the SMS and screen readers work;
 * digits only, drawn large.
 */
export function CodeField({ label, error, hint, length, onChange, ...input }: CodeFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className={fieldBox}>
        <input
          {...input}
          {...fieldAria(id, { label, error, hint })}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          onChange={normalizedChange((text) => text.replaceAll(/\D/g, '').slice(0, length), onChange)}
          className="min-h-16 w-full min-w-0 rounded-field bg-transparent ps-[0.35em] text-center text-3xl font-semibold tracking-[0.35em] tabular-nums outline-none"
        />
      </div>
    </FieldFrame>
  );
}
