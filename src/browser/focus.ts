import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to the main element after a navigation, as a new document would. If the page has
 * focused an element of its own, that element keeps the focus: the effects of the page run first.
 */
export function useFocusOnNavigation(mainId: string) {
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    const main = document.getElementById(mainId);
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [pathname, mainId]);
}
