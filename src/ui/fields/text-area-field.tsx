import { useId, type ComponentPropsWithRef } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { FieldFrame, fieldAria, fieldBox, type FieldText } from './field-frame.tsx';

export type TextAreaFieldProps = FieldText &
  Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'className' | 'style' | 'value' | 'maxLength'> & {
    value: string;
    /** Shown as a counter and not enforced, so pasted text is never truncated silently. */
    maxLength: number;
  };

/** A text of several lines, with a character counter. */
export function TextAreaField({ label, error, hint, maxLength, ...area }: TextAreaFieldProps) {
  const { t } = useLanguage();
  const id = useId();
  const { length } = Array.from(area.value);
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
      <p className={`text-end text-xs tabular-nums ${length > maxLength ? 'font-semibold text-bad-ink' : 'text-ink-soft'}`}>
        {length}/{maxLength} <span className="sr-only">{t('characters used')}</span>
      </p>
    </FieldFrame>
  );
}
