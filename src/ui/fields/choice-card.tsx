import type { ReactNode } from 'react';

export type ChoiceCardProps = {
  /** The same for all cards of one group. */
  name: string;
  value: string;
  checked: boolean;
  disabled?: boolean;
  onChoose: () => void;
  title: string;
  /** A small icon or picture before the title. */
  media?: ReactNode;
  /** Content at the end of the title line, such as a price. */
  aside?: ReactNode;
  children?: ReactNode;
};

/**
 * A radio button the size of a card: a saved address, a wash program. Put several inside a
 * `<fieldset>` with a legend.
 */
export function ChoiceCard({ name, value, checked, disabled, onChoose, title, media, aside, children }: ChoiceCardProps) {
  return (
    <label className="group relative flex items-start gap-3 rounded-card border border-edge bg-surface p-4 transition-colors hover:border-accent-ink has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:ring-1 has-checked:ring-accent-ink has-disabled:border-line has-disabled:bg-sunk has-disabled:text-ink-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink">
      {media}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3 font-semibold">
          <span>{title}</span>
          {aside}
        </span>
        {children && <span className="mt-0.5 block text-sm text-ink-soft">{children}</span>}
      </span>
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        disabled={disabled}
        onChange={onChoose}
        className="mt-0.5 grid size-5 shrink-0 appearance-none place-items-center rounded-full border-2 border-edge bg-surface outline-none checked:border-6 checked:border-accent-ink forced-colors:appearance-auto"
      />
    </label>
  );
}
