import type { ChangeEvent } from 'react';

type OnChange = (event: ChangeEvent<HTMLInputElement>) => void;

/** Normalizes the typed or pasted text before `onChange` receives the event. */
export function normalizedChange(normalize: (text: string) => string, onChange: OnChange): OnChange {
  return (event) => {
    const input = event.target;
    const normalized = normalize(input.value);
    // Assigning an equal value moves the caret in some browsers.
    if (input.value !== normalized) input.value = normalized;
    onChange(event);
  };
}
