import { useEffect, useState } from 'react';
import { systemClock } from '../../../lib/clock.ts';
import type { Wait } from './sent-code.ts';

/**
 * Returns the whole seconds that are left of the first `wait`, down to 0: for another wait, mount
 * another component. Reads the clock, because timers pause while a phone sleeps. If the clock was
 * set back, the wait starts again.
 */
export function useCountdown(wait: Wait): number {
  const [now, setNow] = useState(() => systemClock.now().getTime());
  const [startedAt, setStartedAt] = useState(Math.min(wait.startedAt, now));
  const secondsLeft = Math.max(0, wait.seconds - Math.floor((now - startedAt) / 1000));
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => {
      const time = systemClock.now().getTime();
      setNow(time);
      setStartedAt((started) => Math.min(started, time));
    }, 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return secondsLeft;
}
