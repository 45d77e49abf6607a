import type { ChangeEvent } from 'react';

type OnChange = (event: ChangeEvent<HTMLInputElement>) => void;

/** Hindi keyboards can type Devanagari digits. */
const latinDigits = (text: string) => text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966));

/**
 * Normalizes the typed or pasted text of a field of digits before `onChange` receives the event.
 * `normalize` gets Latin digits.
 */
export function normalizedChange(normalize: (text: string) => string, onChange: OnChange): OnChange {
  return (event) => {
    const input = event.target;
    const normalized = normalize(latinDigits(input.value));
    // Assigning an equal value moves the caret in some browsers.
    if (input.value !== normalized) input.value = normalized;
    onChange(event);
  };
}
