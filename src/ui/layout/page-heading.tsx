import type { ReactNode } from 'react';

/** The h1 of a page, with an optional back link above and actions beside it. */
export function PageHeading({ title, text, back, actions }: { title: string; text?: ReactNode; back?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="space-y-2">
      {back && <div className="-ms-3">{back}</div>}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-title font-bold">{title}</h1>
        {actions}
      </div>
      {text && <p className="max-w-prose text-ink-soft">{text}</p>}
    </header>
  );
}

/** The classes of the back link. */
export const backStyles =
  'inline-flex min-h-11 items-center gap-1 rounded-field px-2 text-sm font-semibold text-accent-ink hover:bg-accent-soft';
