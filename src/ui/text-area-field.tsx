import { useId, type ComponentPropsWithRef } from 'react';
import { FieldFrame, fieldAria, fieldBox, type FieldText } from './field-frame.tsx';

export type TextAreaFieldProps = FieldText &
  Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'className' | 'style' | 'value' | 'maxLength'> & {
    value: string;
    maxLength: number;
  };

/** A message of several lines, with a counter of what is left to say. */
export function TextAreaField({ label, error, hint, ...area }: TextAreaFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className={fieldBox}>
        <textarea
          rows={4}
          {...area}
          {...fieldAria(id, { label, error, hint })}
          className="field-sizing-content max-h-64 min-h-28 w-full resize-y rounded-field bg-transparent px-4 py-3 text-base outline-none"
        />
      </div>
      <p className="text-end text-xs text-ink-soft tabular-nums">
        {area.value.length}/{area.maxLength} <span className="sr-only">characters used</span>
      </p>
    </FieldFrame>
  );
}
