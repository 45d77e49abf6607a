import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * A new page takes the focus, as a loaded document would: the link that led to it says nothing any more. A page that put the focus somewhere itself keeps it
 * there (its effects run first).
 */
export function useFocusOnNavigation(mainId: string) {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.getElementById(mainId);
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [pathname, mainId]);
}
