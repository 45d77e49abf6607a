import { useEffect, useEffectEvent } from 'react';

const REFETCH_MS = 30_000;

/**
 * While `isActive`, calls `refetch` every 30 s if the page is visible, and when it becomes visible
 * again. Does nothing while the browser is offline.
 */
export function useRefetchWhileVisible(refetch: () => Promise<unknown>, isActive: boolean) {
  const refetchIfVisible = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && navigator.onLine) void refetch();
  });
  useEffect(() => {
    if (!isActive) return;
    const listener = () => refetchIfVisible();
    const timer = setInterval(listener, REFETCH_MS);
    document.addEventListener('visibilitychange', listener);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', listener);
    };
  }, [isActive]);
}
