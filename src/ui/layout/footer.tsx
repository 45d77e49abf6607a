import type { ReactNode } from 'react';

/** The footer of every page. It leaves space for the tab bar on phones. */
export function Footer({ columns, small }: { columns: readonly { title: string; content: ReactNode }[]; small: ReactNode }) {
  return (
    <footer className="print:hidden border-t border-line bg-surface max-md:pb-[calc(4rem+env(safe-area-inset-bottom))]">
      <div className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6">
        <div className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
          {columns.map(({ title, content }) => (
            <section key={title} className="min-w-0">
              <h2 className="mb-1 text-sm font-semibold">{title}</h2>
              {content}
            </section>
          ))}
        </div>
        <div className="mt-8 border-t border-line pt-6 text-sm text-ink-soft">{small}</div>
      </div>
    </footer>
  );
}

/** The classes of a footer link. */
export const footerLinkStyles =
  'flex min-h-11 items-center gap-2 text-sm wrap-anywhere text-ink-soft hover:text-ink hover:underline underline-offset-3';
