import { useId, type Ref } from 'react';
import { classes } from '../classes.ts';
import { FormError } from '../feedback/form-error.tsx';

export type SegmentedChoiceProps<Value extends string> = {
  legend: string;
  /** Hides the label if a heading above has the same text. Screen readers still get it. */
  legendHidden?: boolean;
  variant: 'segments' | 'chips';
  options: readonly { value: Value; label: string; hint?: string; disabled?: boolean }[];
  value: Value | '';
  onChange: (value: Value) => void;
  error?: string | null | undefined;
  /** The first option, to focus it if the choice is invalid. */
  ref?: Ref<HTMLInputElement>;
};

const variants = {
  segments: {
    group: 'flex flex-wrap gap-1 rounded-field bg-sunk p-1',
    option:
      'grow basis-22 rounded-[0.625rem] text-ink-soft has-checked:bg-surface has-checked:text-ink has-checked:shadow-card ' +
      'has-checked:inset-ring has-checked:inset-ring-edge',
  },
  chips: {
    group: 'flex flex-wrap gap-2',
    option: 'rounded-full border border-edge bg-surface px-5 has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent',
  },
};

/** Radio buttons styled as segments or chips, for a few options. */
export function SegmentedChoice<Value extends string>(props: SegmentedChoiceProps<Value>) {
  const id = useId();
  const variant = variants[props.variant];
  return (
    <fieldset aria-describedby={props.error ? `${id}-error` : undefined} className="min-w-0 space-y-1.5">
      <legend className={props.legendHidden ? 'sr-only' : 'text-sm font-medium'}>{props.legend}</legend>
      <div className={variant.group}>
        {props.options.map(({ value, label, hint, disabled }, index) => (
          <label
            key={value}
            className={classes(
              'relative grid min-h-12 place-content-center px-3 py-2 text-center text-sm font-semibold transition-colors',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink has-disabled:opacity-45',
              variant.option,
            )}
          >
            <input
              ref={index === 0 ? props.ref : undefined}
              type="radio"
              name={id}
              value={value}
              checked={value === props.value}
              disabled={disabled}
              onChange={() => props.onChange(value)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {label}
            {hint && <span className="text-xs font-normal">{hint}</span>}
          </label>
        ))}
      </div>
      <FormError id={`${id}-error`} text={props.error} />
    </fieldset>
  );
}
