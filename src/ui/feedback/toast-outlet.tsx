import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { CloseIcon } from '../icons/close.tsx';
import { dismissToast, openToastOutlet, subscribeToToasts, toastOfOutlet, type Toast, type ToastTheme } from './toast.ts';

const themes = {
  green: 'bg-good-soft text-good border-good',
  red: 'bg-bad-soft text-bad-ink border-bad-ink',
  light: 'bg-snow text-coal border-edge',
  dark: 'bg-coal text-snow border-edge',
} satisfies Record<ToastTheme, string>;

/**
 * Disappears after its duration, which restarts when the pointer or the focus leaves the toast, and
 * when a form is submitted: it is about an earlier attempt.
 */
function ToastCard({ toast }: { toast: Toast }) {
  const { t, formatMessage } = useLanguage();
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [paused, toast]);
  useEffect(() => {
    const dismiss = () => dismissToast(toast.id);
    // While capturing: a toast that the form shows at once stays.
    addEventListener('submit', dismiss, true);
    return () => removeEventListener('submit', dismiss, true);
  }, [toast]);
  const pause = () => setPaused(true);
  const resume = () => setPaused(false);
  return (
    <span
      className={`toast flex items-center gap-1 rounded-field border ps-4 pe-1 shadow-float ${themes[toast.theme]}`}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <span className="min-w-0 flex-1 py-2 text-sm font-medium">{formatMessage(toast.text)}</span>
      <IconButton label={t('Close')} icon={<CloseIcon />} onClick={() => dismissToast(toast.id)} />
    </span>
  );
}

/**
 * Renders the toast: one outlet in the document, one in every modal. Its live regions exist before
 * any toast.
 */
export function ToastOutlet() {
  const id = useId();
  const layer = useRef<HTMLDivElement>(null);
  const toast = useSyncExternalStore(
    subscribeToToasts,
    () => toastOfOutlet(id),
    () => null,
  );
  useEffect(() => {
    const element = layer.current;
    element?.showPopover?.();
    const close = openToastOutlet(id);
    return () => {
      close();
      element?.hidePopover?.();
    };
  }, [id]);
  const card = toast && <ToastCard key={toast.id} toast={toast} />;
  return (
    <div ref={layer} popover="manual" className="toasts">
      <output className="block">{toast?.theme !== 'red' && card}</output>
      <div role="alert">{toast?.theme === 'red' && card}</div>
    </div>
  );
}
