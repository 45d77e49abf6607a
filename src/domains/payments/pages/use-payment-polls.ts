import { useEffect, useEffectEvent } from 'react';

/**
 * Polls are frequent at first, because most payments arrive within seconds; they never end, because
 * some take a day. The first one is later than `GATEWAY_INTERVAL_SECONDS`: a check that the server
 * could not make for the page is then allowed.
 */
const FIRST_POLL_MS = 2500;
const FIRST_POLLS_MS = 5000;
const LATER_POLLS_MS = 60_000;
const FIRST_POLLS = 36;

/**
 * While `isActive`, calls `poll` again and again if the page is visible, and when it becomes
 * visible.
 */
export function usePaymentPolls(poll: () => Promise<unknown>, isActive: boolean) {
  const pollIfVisible = useEffectEvent(async () => {
    if (document.visibilityState === 'visible') await poll();
  });

  useEffect(() => {
    if (!isActive) return;
    let polls = 0;
    let isUnmounted = false;
    let timer: ReturnType<typeof setTimeout>;
    // The next poll is scheduled when the last one has ended, so that they do not pile up on a slow
    // connection.
    const pollRepeatedly = async () => {
      clearTimeout(timer);
      polls += 1;
      const current = polls;
      await pollIfVisible();
      if (isUnmounted || current !== polls) return;
      timer = setTimeout(() => void pollRepeatedly(), polls < FIRST_POLLS ? FIRST_POLLS_MS : LATER_POLLS_MS);
    };
    const pollNow = () => void pollRepeatedly();
    timer = setTimeout(pollNow, FIRST_POLL_MS);
    document.addEventListener('visibilitychange', pollNow);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollNow);
    };
  }, [isActive]);
}
