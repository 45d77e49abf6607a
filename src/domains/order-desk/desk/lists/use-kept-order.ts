import { useEffect, useRef } from 'react';

interface FocusedOrder {
  element: Element;
  /** A row of the order, or a notice about it: the part with the attribute `data-order`. */
  part: Element;
  orderid: string;
  /** The rows beside it, for a row that leaves the list. */
  neighbours: (Element | null)[];
}

function focusedOrderOf(element: Element): FocusedOrder | undefined {
  const part = element.closest('[data-order]');
  if (!part) return undefined;
  const neighbours = [part.nextElementSibling, part.previousElementSibling];
  return { element, part, orderid: part.getAttribute('data-order') ?? '', neighbours };
}

const rowsOf = (orderid: string) => [...document.querySelectorAll(`li[data-order="${CSS.escape(orderid)}"]`)];

/** Returns the next action of the order, or its link if it has none. */
function nextTarget({ part, orderid, neighbours }: FocusedOrder): HTMLElement | null {
  const row = [part, ...rowsOf(orderid), ...neighbours].find((found) => found?.isConnected && found.matches('li'));
  return row?.querySelector<HTMLElement>('button') ?? row?.querySelector('a') ?? null;
}

/**
 * When the focused element of an order disappears with a rendering of the caller, focuses the next
 * action of the order, wherever its row is now; without a row, that of a neighbour; without both,
 * `region`.
 */
export function useKeptOrder(region: () => HTMLElement | null) {
  const focused = useRef<FocusedOrder>(undefined);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest('dialog') || target === region()) return;
      focused.current = focusedOrderOf(target);
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  });
  useEffect(() => {
    const { activeElement, body } = document;
    const { current: last } = focused;
    // A closed dialog whose opener is gone has focused the region.
    if (!last || last.element.checkVisibility() || (activeElement !== body && activeElement !== region())) return;
    focused.current = undefined;
    const target = nextTarget(last) ?? region();
    target?.focus({ preventScroll: true });
    // The row may be far away now. A finger or mouse works on where it was.
    if (target?.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' });
  });
}
