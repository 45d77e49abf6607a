import { useCallback, useEffect, useRef } from 'react';

/** Focuses the region, or the main element if the region is empty or gone. */
export function focusRegion(region: HTMLElement | null) {
  const target = region?.isConnected && region.textContent ? region : document.querySelector('main');
  target?.focus({ preventScroll: true });
}

/**
 * Returns the ref of a region with tabIndex -1. When its focused element disappears with a
 * rendering of the caller, the region gets the focus.
 */
export function useKeptFocus() {
  const region = useRef<HTMLElement>(null);
  const focused = useRef<EventTarget>(null);
  useEffect(() => {
    const { current: last } = focused;
    if (document.activeElement !== document.body || !(last instanceof Element) || last.isConnected) return;
    focused.current = null;
    focusRegion(region.current);
  });
  return useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const remember = (event: FocusEvent) => {
      focused.current = event.target;
    };
    region.current = element;
    element.addEventListener('focusin', remember);
    return () => {
      region.current = null;
      element.removeEventListener('focusin', remember);
    };
  }, []);
}
