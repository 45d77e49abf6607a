import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import { classes } from '../classes.ts';
import { FieldFrame, fieldAria, fieldBox, fieldInput, type FieldText } from './field-frame.tsx';
import { LockIcon } from '../icons/status.tsx';

export type TextFieldProps = FieldText &
  Omit<ComponentPropsWithRef<'input'>, 'id' | 'className' | 'style' | 'prefix'> & {
    prefix?: string;
    /** A control at the end of the box, such as a show/hide button. */
    end?: ReactNode;
  };

export function TextField({ label, error, hint, prefix, end, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className={fieldBox}>
        {prefix && (
          <span aria-hidden="true" className="shrink-0 border-e border-line ps-4 pe-3 whitespace-nowrap text-ink-soft tabular-nums">
            {prefix}
          </span>
        )}
        <input
          {...input}
          {...fieldAria(id, { label, error, hint })}
          className={classes(fieldInput, input.readOnly && 'pe-2 text-ink-soft')}
        />
        {input.readOnly && (
          <span className="pe-3 text-ink-soft">
            <LockIcon small />
          </span>
        )}
        {end}
      </div>
    </FieldFrame>
  );
}
