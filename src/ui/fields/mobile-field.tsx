import type { ChangeEvent } from 'react';
import { tidiedBy } from './normalize-on-blur.ts';
import { tidyMobile } from '../../lib/mobile.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export type MobileFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'prefix' | 'inputMode' | 'type' | 'maxLength'> & {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

const DIGITS = 10;

/**
 * Ten digits after a fixed +91. Not `maxLength`: the browser would cut a pasted '+91 98765 43210' before we could take the country code off;
 * the tidied text is cut instead.
 */
export function MobileField({ onChange, ...field }: MobileFieldProps) {
  return (
    <TextField
      autoComplete="tel-national"
      {...field}
      prefix="+91"
      // Not type="tel": neither "tel-national" nor "username" may complete that, says HTML. The keyboard of digits is what it was for.
      type="text"
      inputMode="numeric"
      onChange={tidiedBy((text) => tidyMobile(text).slice(0, DIGITS), onChange)}
    />
  );
}
