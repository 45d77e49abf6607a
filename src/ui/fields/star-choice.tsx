import { useId } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { FormError } from '../feedback/form-error.tsx';
import { StarShape } from '../layout/star-shape.tsx';

export type StarChoiceProps = {
  legend: string;
  /** 0 while nothing is chosen. */
  value: number;
  onChange: (stars: number) => void;
  error: string | null | undefined;
};

/** Five radio buttons styled as stars. */
export function StarChoice({ legend, value, onChange, error }: StarChoiceProps) {
  const { plural } = useLanguage();
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="text-sm font-medium">{legend}</legend>
      <div className="mt-1 -ms-1.5 flex text-star">
        {[1, 2, 3, 4, 5].map((star) => (
          <label
            key={star}
            className="relative grid size-12 place-items-center rounded-full has-focus-visible:outline-3 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name={id}
              value={star}
              checked={star === value}
              onChange={() => onChange(star)}
              aria-label={plural(star, { one: '1 star', other: '{count} stars' }, { count: star })}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <StarShape filled={star <= value} large />
          </label>
        ))}
      </div>
      <FormError id={`${id}-error`} text={error} />
    </fieldset>
  );
}
