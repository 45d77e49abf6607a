import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { ChevronDownIcon } from '../icons/chevron.tsx';
import { CheckIcon } from '../icons/status.tsx';

export type AccordionStepProps = {
  /** Shared by the steps of one group, so that the browser keeps only one of them open. */
  group: string;
  number: number;
  title: string;
  /** The current choice, or the prompt to choose. */
  summary: ReactNode;
  done: boolean;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ReactNode;
};

export function AccordionStep({ group, number, title, summary, done, open, onToggle, children }: AccordionStepProps) {
  const { t } = useLanguage();
  return (
    <details
      name={group}
      open={open}
      onToggle={(event) => onToggle(event.currentTarget.open)}
      className="group rounded-card border border-line bg-surface shadow-card open:border-edge"
    >
      <summary className="flex min-h-18 list-none items-center gap-page rounded-card p-page">
        <span
          className={`grid size-[min(2.25rem,10vw)] shrink-0 place-items-center rounded-full text-sm font-bold tabular-nums ${done ? 'bg-good-soft text-good' : 'bg-accent-soft text-accent-ink'}`}
        >
          {done ? <CheckIcon small /> : <span aria-hidden="true">{number}</span>}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">
            <span className="sr-only">{done ? t('Step {number}, done:', { number }) : t('Step {number}:', { number })} </span>
            {title}
          </span>
          <span className="block text-sm text-ink-soft">{summary}</span>
        </span>
        <span className="text-ink-soft transition-transform group-open:rotate-180">
          <ChevronDownIcon />
        </span>
      </summary>
      <div className="px-page pt-1 pb-5">{children}</div>
    </details>
  );
}
