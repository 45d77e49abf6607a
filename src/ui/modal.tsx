import { useEffect, useId, useLayoutEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/close.tsx';
import { ToastOutlet } from './toast-outlet.tsx';

export type ModalProps = {
  open: boolean;
  /** Called for x, Escape, the back gesture and a press on the backdrop. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Stays in sight below the scrolling content: the actions. */
  footer?: ReactNode;
};

const CLOSING_MS = 200;

/** True while open, and until the closing motion has ended, so that the content does not vanish before its panel. */
function useLingering(open: boolean): boolean {
  const [lingering, setLingering] = useState(false);
  useEffect(() => {
    if (open) return setLingering(true);
    const timer = setTimeout(() => setLingering(false), CLOSING_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return open || lingering;
}

/**
 * The mechanics of Dialog, Sheet and ConfirmDialog on the platform's modal <dialog>: it traps the focus, makes the rest of the page
 * inert, closes on Escape and gives the focus back. Content is mounted only while open, so a form inside starts fresh each time.
 */
export function Modal({
  open,
  onClose,
  title,
  children,
  footer,
  look,
  role,
}: ModalProps & { look: 'centre' | 'sheet'; role?: 'alertdialog' }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);
  const titleId = useId();
  const mounted = useLingering(open);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    element.showModal();
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector('h2'))?.focus();
    // Before React removes the element, too: only close() gives the focus back.
    return () => element.close();
  }, [open]);

  // Pressed and released on the backdrop: selecting text from the inside to the outside must not close.
  const isBackdrop = (event: { target: unknown; currentTarget: unknown }) => event.target === event.currentTarget;
  const press = (event: PointerEvent) => {
    pressedBackdrop.current = isBackdrop(event);
  };

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      className={`modal modal-${look}`}
      onPointerDown={press}
      onClick={(event) => pressedBackdrop.current && isBackdrop(event) && onClose()}
      onClose={(event) => open && !event.currentTarget.open && onClose()}
    >
      {mounted && (
        <div className="modal-panel flex flex-col">
          <header className="sticky top-0 z-10 flex items-start justify-between gap-3 bg-surface pt-4 ps-5 pe-3 pb-2">
            <h2 id={titleId} tabIndex={-1} className="pt-2 text-xl leading-7 font-bold tracking-tight">
              {title}
            </h2>
            <IconButton label="Close" icon={<CloseIcon />} onClick={onClose} />
          </header>
          <div className="flex-1 px-5 pb-6">{children}</div>
          {footer && (
            <footer className="sticky bottom-0 z-10 border-t border-line bg-surface px-5 pt-4 pb-[calc(1rem+env(safe-area-inset-bottom))]">
              {footer}
            </footer>
          )}
        </div>
      )}
      {open && <ToastOutlet />}
    </dialog>
  );
}
