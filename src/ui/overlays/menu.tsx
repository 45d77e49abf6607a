import { useEffect, useId, useRef, type ReactNode } from 'react';
import { ChevronDownIcon } from '../icons/chevron.tsx';

/**
 * A drop-down list of links and buttons. The popover API closes it on Escape and outside clicks,
 * reports its state on the button and restores the focus. It is not an ARIA menu, so Tab moves
 * through it.
 */
export function Menu({ label, icon, children }: { label: ReactNode; icon?: ReactNode; children: ReactNode }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    const listening = new AbortController();
    const hide = () => element?.hidePopover();
    window.addEventListener('popstate', hide, listening);
    // Closes the menu after a click on one of its links or buttons.
    const choose = (event: Event) => event.target instanceof Element && event.target.closest('a, button') && hide();
    element?.addEventListener('click', choose, listening);
    return () => listening.abort();
  }, []);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className="inline-flex min-h-11 max-w-[min(16rem,40vw-24px)] md:max-lg:max-w-44 items-center gap-2 rounded-full border border-line bg-surface ps-3 pe-2 text-sm font-semibold transition-colors hover:bg-sunk max-[22rem]:pe-3"
      >
        {icon}
        <span className="truncate">{label}</span>
        {/* The narrowest bar has space for the name or the icon. */}
        <span className="max-[22rem]:hidden">
          <ChevronDownIcon small />
        </span>
      </button>
      <div ref={list} id={id} popover="auto" className="menu">
        {children}
      </div>
    </>
  );
}

/** The classes of a menu item, a link or a button. */
export const menuItemStyles =
  'flex min-h-12 w-full items-center gap-3 rounded-field px-3 text-start font-medium transition-colors hover:bg-sunk aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink';
