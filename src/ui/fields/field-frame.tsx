import type { ReactNode } from 'react';
import { AlertIcon } from '../icons/status.tsx';

/** The texts of a field. `error` is required, so that every form shows it. */
export type FieldText = {
  label: string;
  /** Text, or text with a link in it. */
  error: ReactNode;
  hint?: string | undefined;
};

/** Returns the id of the control and the ARIA attributes that link hint and error to it. */
export function fieldAria(id: string, { error, hint }: FieldText) {
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
  };
}

/** The box around a control, with styles for error, focus and read-only. */
export const fieldBox =
  'flex min-h-13 items-center rounded-field border border-edge bg-surface transition-shadow ' +
  'focus-within:border-accent-ink focus-within:ring-2 focus-within:ring-accent-ink ' +
  'has-aria-invalid:border-bad-ink has-aria-invalid:ring-1 has-aria-invalid:ring-bad-ink ' +
  'has-[input:read-only]:border-line has-[input:read-only]:bg-sunk has-disabled:opacity-45';

/** The control inside the box. Below 16 px, iOS zooms the page on focus. */
export const fieldInput = 'min-h-12 w-full min-w-0 rounded-field bg-transparent px-4 text-base outline-none';

/**
 * A label, a control, its hint and its error. The live region exists before any error, so that
 * screen readers announce an error also while the control has the focus (WCAG 4.1.3).
 */
export function FieldFrame({ id, label, error, hint, children }: FieldText & { id: string; children: ReactNode }) {
  return (
    <div>
      <div className="space-y-1.5">
        <label htmlFor={id} className="block text-sm font-medium">
          {label}
        </label>
        {children}
        {hint && (
          <p id={`${id}-hint`} aria-live="polite" className="text-sm text-ink-soft">
            {hint}
          </p>
        )}
      </div>
      <div aria-live="polite">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-sm font-medium text-bad-ink">
            <AlertIcon small />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
}
