import type { ReactNode } from 'react';

/** The footer of every page. It leaves space for the tab bar on phones. */
export function Footer({ columns, small }: { columns: readonly { title: string; content: ReactNode }[]; small: ReactNode }) {
  return (
    <footer className="below-fold print:hidden border-t border-line bg-surface max-md:pb-[calc(4rem+env(safe-area-inset-bottom))]">
      <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 sm:py-10">
        <div className="grid grid-cols-2 gap-x-6 gap-y-4 sm:gap-8 lg:grid-cols-4">
          {columns.map(({ title, content }) => (
            <section key={title} className="min-w-0">
              <h2 className="mb-1 text-sm font-semibold">{title}</h2>
              {content}
            </section>
          ))}
        </div>
        <div className="mt-4 border-t border-line pt-4 text-xs text-ink-soft sm:mt-8 sm:pt-6 sm:text-sm">{small}</div>
      </div>
    </footer>
  );
}

/** The classes of a footer link. */
export const footerLinkStyles =
  'flex min-h-11 items-center gap-2 text-sm wrap-anywhere text-ink-soft hover:text-ink hover:underline underline-offset-3';
