import type { ChangeEvent } from 'react';
import { normalizedChange } from './normalized-change.ts';
import { msg, type MessageKey } from '../../i18n/messages.ts';
import { isIndianMobile, isMobile, normalizeTypedMobile } from '../../lib/mobile.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export type MobileFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'prefix' | 'inputMode' | 'type' | 'maxLength'> & {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

/**
 * Returns the hint below a new mobile number. Any ten digits are valid (specification section 1),
 * so a number that is probably mistyped gets a hint, and no error.
 */
export const mobileHint = (mobile: string): MessageKey =>
  isMobile(mobile) && !isIndianMobile(mobile)
    ? msg('Indian mobile numbers begin with 6, 7, 8 or 9. Please check.')
    : msg('10 digits, without the country code');

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
