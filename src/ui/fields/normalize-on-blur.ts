import type { ChangeEvent } from 'react';

type OnChange = (event: ChangeEvent<HTMLInputElement>) => void;

/** Puts what was typed or pasted into its tidy form before the form hears of it, so that every field reports the same way. */
export function tidiedBy(tidy: (text: string) => string, onChange: OnChange): OnChange {
  return (event) => {
    const input = event.target;
    const tidied = tidy(input.value);
    // Only where it differs: writing the same text would still move the caret in some browsers.
    if (input.value !== tidied) input.value = tidied;
    onChange(event);
  };
}
