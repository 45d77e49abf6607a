import type { Clock } from '../../src/kit/clock.ts';

export interface FakeClock extends Clock {
  set(time: string | Date): void;
  advance(seconds: number): void;
}

/** A Saturday morning in Gurugram (10:30 in Asia/Kolkata), before the pickup cut-off. */
export const TEST_MORNING = '2026-11-21T05:00:00Z';

/** Stands still until told. */
export const fakeClock = (start = TEST_MORNING): FakeClock => clockAt(start, () => 0);

/** Goes on by itself, for programs that real browsers use: they wait in real time. */
export function flowingClock(start = TEST_MORNING): FakeClock {
  const begun = performance.now();
  return clockAt(start, () => performance.now() - begun);
}

function clockAt(start: string, elapsedMs: () => number): FakeClock {
  let base = new Date(start).getTime();
  return {
    now: () => new Date(base + elapsedMs()),
    set: (to) => {
      base = new Date(to).getTime() - elapsedMs();
    },
    advance: (seconds) => {
      base += seconds * 1000;
    },
  };
}
