import type { Clock } from '../../src/kit/clock.ts';

export interface FakeClock extends Clock {
  set(time: string | Date): void;
  advance(seconds: number): void;
}

/** Stands still until told. The default is a Saturday morning in Gurugram (10:30 in Asia/Kolkata), before the pickup cut-off. */
export function fakeClock(start = '2026-11-21T05:00:00Z'): FakeClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    set: (to) => {
      time = new Date(to).getTime();
    },
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
}
