import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { CloseIcon } from '../icons/close.tsx';
import { ToastOutlet } from '../feedback/toast-outlet.tsx';
import { focusRegion } from '../use-kept-focus.ts';
import { enterModal } from './modal-history.ts';

export type ModalProps = {
  open: boolean;
  /** Called for the close button, Escape, a navigation back and a click on the backdrop. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The actions, which stay visible below the scrolling content. */
  footer?: ReactNode;
  /** True if the caller has history entries for it. */
  hasOwnEntries?: boolean;
};

const CLOSING_MS = 200;
const DOUBLE_CLICK_MS = 500;
/** A finger taps twice within this distance. */
const DOUBLE_CLICK_PX = 50;

const isDoubleClick = (first: PointerEvent, second: PointerEvent) =>
  second.timeStamp - first.timeStamp < DOUBLE_CLICK_MS && Math.hypot(second.x - first.x, second.y - first.y) < DOUBLE_CLICK_PX;

/**
 * True while the modal is open or its closing animation runs, so that content and panel disappear
 * together.
 */
function useLingering(open: boolean): boolean {
  const [lingering, setLingering] = useState(open);
  if (open && !lingering) setLingering(true);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setLingering(false), CLOSING_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return lingering;
}

/**
 * Counts openings. As a key it resets the content, even if the modal opens again during its closing
 * animation.
 */
function useOpenings(open: boolean): number {
  const [state, setState] = useState({ open, openings: 0 });
  if (open !== state.open) setState({ open, openings: state.openings + (open ? 1 : 0) });
  return state.openings;
}

/** A part of the page that can have the focus, at the latest the main element. */
const REGION = '[tabindex="-1"]';

/**
 * The base of Dialog, Sheet and ConfirmDialog: a modal <dialog>, which traps the focus, makes the
 * rest of the page inert, closes on Escape and restores the focus: to the opener, or to the region
 * around it if the opener is gone. Content is mounted only while open, so forms start empty.
 */
export function Modal({
  open,
  onClose,
  title,
  children,
  footer,
  hasOwnEntries = false,
  variant,
  role,
}: ModalProps & { variant: 'centre' | 'sheet'; role?: 'alertdialog' }) {
  const { t } = useLanguage();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const mounted = useLingering(open);
  const opening = useOpenings(open);

  const close = useEffectEvent(onClose);
  /** The part of the page around the opener. */
  const region = useRef<HTMLElement>(null);

  useEffect(() => {
    if (open || !region.current) return;
    // The closed dialog keeps the focus until it disappears.
    const { activeElement } = document;
    if (activeElement === document.body || dialog.current?.contains(activeElement)) focusRegion(region.current);
    region.current = null;
  }, [open]);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    region.current = document.activeElement?.closest<HTMLElement>(REGION) ?? null;
    const listening = new AbortController();
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (onBackdrop: boolean, event: HTMLElementEventMap[Name]) => void,
    ) => element.addEventListener(name, (event) => act(event.target === element, event), listening);
    // Only a click that starts and ends on the backdrop closes: selecting text across the edge must
    // not, nor the second press of a double click on a button after which the dialog is smaller.
    let pressedBackdrop = false;
    let lastPress: PointerEvent | undefined;
    listen('pointerdown', (onBackdrop, press) => {
      pressedBackdrop = onBackdrop && !(lastPress && isDoubleClick(lastPress, press));
      lastPress = press;
    });
    listen('click', (onBackdrop) => {
      if (onBackdrop && pressedBackdrop) close();
    });
    listen('close', () => {
      if (!element.open) close();
    });
    const root = document.documentElement;
    // A second modal measures no scrollbar, because the first one has removed it.
    if (!document.querySelector('dialog:modal')) root.style.setProperty('--scrollbar-width', `${innerWidth - root.clientWidth}px`);
    element.showModal();
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector('h2'))?.focus();
    const leave = hasOwnEntries ? undefined : enterModal(() => close());
    return () => {
      leave?.();
      listening.abort();
      // Also before React removes the element, because only close() restores the focus.
      element.close();
    };
  }, [open, hasOwnEntries]);

  return (
    <dialog ref={dialog} role={role} aria-labelledby={mounted ? titleId : undefined} className={`modal modal-${variant}`}>
      {mounted && (
        <div className="modal-panel flex flex-col">
          <header className="sticky top-0 z-10 flex items-start justify-between gap-3 bg-surface pt-4 ps-5 pe-3 pb-2">
            <h2 id={titleId} tabIndex={-1} className="pt-2 text-xl leading-7 font-bold tracking-tight">
              {title}
            </h2>
            <IconButton label={t('Close')} icon={<CloseIcon />} onClick={onClose} />
          </header>
          <div key={opening} className="flex-1 px-5 pb-6">
            {children}
          </div>
          {footer && (
            <footer className="modal-footer sticky z-10 border-t border-line bg-surface px-5 pt-4 pb-[calc(1rem+env(safe-area-inset-bottom))]">
              {footer}
            </footer>
          )}
        </div>
      )}
      {open && <ToastOutlet />}
    </dialog>
  );
}
