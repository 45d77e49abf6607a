import type { ChangeEvent } from 'react';
import { normalizedChange } from './normalized-change.ts';
import { normalizeTypedMobile } from '../../lib/mobile.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export type MobileFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'prefix' | 'inputMode' | 'type' | 'maxLength'> & {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

/**
 * Ten digits after a fixed +91. `maxLength` would truncate a pasted '+91 98765 43210' before its
 * country code is removed, so the normalized text is truncated instead.
 */
export function MobileField({ onChange, ...field }: MobileFieldProps) {
  return (
    <TextField
      autoComplete="tel-national"
      {...field}
      prefix="+91"
      // Not type="tel": HTML allows neither "tel-national" nor "username" autocompletion for it.
      // inputMode gives the digits keyboard.
      type="text"
      inputMode="numeric"
      onChange={normalizedChange(normalizeTypedMobile, onChange)}
    />
  );
}
