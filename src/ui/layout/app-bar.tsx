import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';

/**
 * The bar at the top. Its navigation list is in the bar on wide screens and a tab bar at the bottom
 * on phones. Four tabs have a fixed width, because the browser may paint before it has parsed all
 * of them; a fifth one narrows them. A filter or transform on this header would detach the tabs
 * from the bottom of the screen.
 */
export function AppBar({ brand, nav, account }: { brand: ReactNode; nav?: ReactNode; account?: ReactNode }) {
  const { t } = useLanguage();
  return (
    <header className="print:hidden sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex min-h-16 w-full max-w-6xl flex-wrap items-center gap-x-2 px-4 sm:gap-x-4 sm:px-6">
        {brand}
        {nav && (
          <nav
            aria-label={t('Main')}
            className="tab-bar max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:border-t max-md:border-line max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)] lg:ms-4"
          >
            <ul className="flex max-md:mx-auto max-md:max-w-lg max-md:*:min-w-0 max-md:*:basis-1/4 md:flex-wrap lg:gap-1">{nav}</ul>
          </nav>
        )}
        <div className="ms-auto flex min-w-0 flex-wrap items-center justify-end gap-x-2">{account}</div>
      </div>
    </header>
  );
}

/**
 * The classes of a navigation link, which contains an icon and a `<span>`. aria-current marks the
 * current page.
 */
export const navLinkStyles =
  'flex items-center justify-center font-medium text-ink-soft transition-colors hover:text-ink aria-[current=page]:text-accent-ink ' +
  'max-md:min-h-15 max-md:flex-col max-md:gap-0.5 max-md:px-1 max-md:text-[min(0.75rem,5vw)] ' +
  'md:min-h-11 md:rounded-full md:px-2.5 md:text-sm lg:px-4 md:aria-[current=page]:bg-accent-soft md:[&>svg]:hidden';

/** The classes of the brand, which links to home. */
export const brandStyles = 'inline-flex min-h-11 shrink-0 items-center gap-2 text-xl font-extrabold tracking-tight text-ink';
