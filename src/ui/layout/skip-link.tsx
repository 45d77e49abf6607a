import { useLanguage } from '../../i18n/language.tsx';
import { buttonStyles } from '../actions/button-styles.ts';

/** The first focusable element: skips the navigation and moves to the element with this id. */
export function SkipLink({ to }: { to: string }) {
  const { t } = useLanguage();
  return (
    <a
      href={`#${to}`}
      className={`sr-only focus:not-sr-only focus:fixed! focus:px-6! focus:py-3! focus:inset-s-3 focus:top-3 focus:z-50 ${buttonStyles('primary')}`}
    >
      {t('Skip to content')}
    </a>
  );
}
