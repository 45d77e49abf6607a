/**
 * 'Loading chunk failed' (specification sections 8 and 9): shown when a script of the page fails, or has not come after 120 s. Three ways lead here: the
 * document's own scripts (before-scripts.ts, since nothing else runs then), a navigation's scripts, and parts of a page that are loaded later.
 */
import { lazy, useEffect, useState, type ComponentType } from 'react';
import { useNavigation } from 'react-router';
import { useLanguage } from '../i18n/language.tsx';
import { buttonLook } from '../ui/actions/button-styles.ts';
import { HYDRATED, SCRIPT_FAILED_NOTICE_ID, SCRIPT_TIMEOUT_MS } from './script-deadline.ts';

export const SCRIPT_FAILED = 'Loading chunk failed';

/** Tells the watcher that the page's own scripts run. */
export const announceHydration = () => void window.dispatchEvent(new Event(HYDRATED));

/** For what the watcher does not see: something else the page cannot start without did not come. */
export function showScriptFailed() {
  const notice = document.getElementById(SCRIPT_FAILED_NOTICE_ID);
  if (notice) notice.hidden = false;
}

/** Stands hidden in every document; the watcher shows it. */
export function ScriptFailedNotice() {
  return (
    <div id={SCRIPT_FAILED_NOTICE_ID} role="alert" hidden suppressHydrationWarning>
      <ReloadOffer />
    </div>
  );
}

/** A form without an action loads the page again, with or without scripts. */
export function ReloadButton() {
  const { t } = useLanguage();
  return (
    <form method="get" data-native="yes">
      <button type="submit" className={buttonLook('primary', 'small')}>
        {t('Reload')}
      </button>
    </form>
  );
}

function ReloadOffer() {
  const { t } = useLanguage();
  return (
    <div className="fixed inset-x-0 top-0 z-50 flex flex-wrap items-center justify-center gap-4 border-b border-line bg-surface p-4 shadow-float">
      <p className="font-semibold">{t(SCRIPT_FAILED)}</p>
      <ReloadButton />
    </div>
  );
}

/** A navigation that takes longer than this waits for a script: every call gives up much earlier. */
export function NavigationDeadline() {
  const { state, location } = useNavigation();
  const [overdue, setOverdue] = useState<string>();
  const waitingFor = state === 'idle' ? undefined : location?.key;
  useEffect(() => {
    if (waitingFor === undefined) return;
    const timer = setTimeout(() => setOverdue(waitingFor), SCRIPT_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [waitingFor]);
  return waitingFor !== undefined && overdue === waitingFor ? (
    <div role="alert">
      <ReloadOffer />
    </div>
  ) : null;
}

export class ScriptFailed extends Error {
  override name = 'ScriptFailed';
  constructor(cause?: unknown) {
    super(SCRIPT_FAILED, { cause });
  }
}

/** A part of a page whose script is loaded when it is first needed. `preload` fetches it early, on the customer's intent. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  const preload = () => (loading ??= withDeadline(load).then((component) => ({ default: component })));
  return Object.assign(lazy(preload), { preload: () => void preload().catch(() => {}) });
}

async function withDeadline<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ScriptFailed()), SCRIPT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), deadline]);
  } catch (error) {
    throw error instanceof ScriptFailed ? error : new ScriptFailed(error);
  } finally {
    clearTimeout(timer);
  }
}
