/**
 * The notice 'Loading chunk failed' (specification sections 8 and 9) and the button that loads the
 * page again.
 */
import { useEffect, useState } from 'react';
import { useNavigation } from 'react-router';
import { useLanguage } from '../i18n/language.tsx';
import { SCRIPT_FAILED } from '../browser/lazy-component.ts';
import { SCRIPT_FAILED_NOTICE_ID, SCRIPT_TIMEOUT_MS } from '../pre-hydration/handshake.ts';
import { buttonStyles } from '../ui/actions/button-styles.ts';

/**
 * For the document's own scripts. Hidden in every document; the pre-hydration script shows it,
 * because nothing else runs then.
 */
export function ScriptFailedNotice() {
  return (
    <div id={SCRIPT_FAILED_NOTICE_ID} role="alert" hidden suppressHydrationWarning>
      <NoticeBar />
    </div>
  );
}

/**
 * Shows a line at the top while a navigation waits for its page (app.css), and the notice if that
 * exceeds `SCRIPT_TIMEOUT_MS`. Every call times out much earlier, so a navigation that takes this
 * long waits for a script.
 */
export function NavigationDeadline() {
  // Undefined while no navigation is pending.
  const navigationKey = useNavigation().location?.key;
  const [overdueKey, setOverdueKey] = useState<string>();
  useEffect(() => {
    if (navigationKey === undefined) return;
    const timer = setTimeout(() => setOverdueKey(navigationKey), SCRIPT_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [navigationKey]);
  if (navigationKey === undefined) return null;
  if (overdueKey !== navigationKey) return <i aria-busy />;
  return (
    <div role="alert">
      <NoticeBar />
    </div>
  );
}

/** A form without an action loads the page again, with or without scripts. */
export function ReloadButton() {
  const { t } = useLanguage();
  return (
    <form method="get" data-native="yes">
      <button type="submit" className={buttonStyles('primary', 'small')}>
        {t('Reload')}
      </button>
    </form>
  );
}

function NoticeBar() {
  const { t } = useLanguage();
  return (
    <div className="fixed inset-x-0 top-0 z-50 flex flex-wrap items-center justify-center gap-4 border-b border-line bg-surface p-4 shadow-float">
      <p className="font-semibold">{t(SCRIPT_FAILED)}</p>
      <ReloadButton />
    </div>
  );
}
