import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../src/lib/clock.ts';

export interface FakeClock extends Clock {
  set(time: string | Date): void;
  advance(seconds: number): void;
}

/** A Saturday morning in Gurugram (10:30 in Asia/Kolkata), before the pickup cut-off. */
export const TEST_MORNING = '2026-11-21T05:00:00Z';

/** A clock that changes only by `set` and `advance`. */
export const fakeClock = (start = TEST_MORNING): FakeClock => clockAt(start, () => 0);

/** A clock whose time is also in a file, for processes that use `readFileClock`. */
export function fileClock(file: string, start = TEST_MORNING): FakeClock {
  const clock = fakeClock(start);
  const write = () => {
    // A rename is atomic: a reader never sees a partial time.
    writeFileSync(`${file}.next`, clock.now().toISOString());
    renameSync(`${file}.next`, file);
  };
  write();
  return {
    now: clock.now,
    set: (to) => {
      clock.set(to);
      write();
    },
    advance: (seconds) => {
      clock.advance(seconds);
      write();
    },
  };
}

/**
 * Reads the clock of another process. Without a cache, so a request never gets a time before it was
 * sent.
 */
export const readFileClock = (file: string): Clock => ({ now: () => new Date(readFileSync(file, 'utf8')) });

/** A clock that advances in real time, for browser tests. */
export function runningClock(start = TEST_MORNING): FakeClock {
  const startedAt = performance.now();
  return clockAt(start, () => performance.now() - startedAt);
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
