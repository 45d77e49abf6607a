import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../src/lib/clock.ts';

export interface FakeClock extends Clock {
  set(time: string | Date): void;
  advance(seconds: number): void;
}

/** A Saturday morning in Gurugram (10:30 in Asia/Kolkata), before the pickup cut-off. */
export const TEST_MORNING = '2026-11-21T05:00:00Z';

/** Stands still until told. */
export const fakeClock = (start = TEST_MORNING): FakeClock => clockAt(start, () => 0);

/** Stands still in this process and, by the file, in every program that was started with `readFileClock` it. */
export function fileClock(file: string, start = TEST_MORNING): FakeClock {
  const clock = fakeClock(start);
  const write = () => {
    // Whoever reads meanwhile finds the time of before, never half of one.
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

/** The same clock from another process: read each time, so that a request never meets an older time than the one it was sent at. */
export const readFileClock = (file: string): Clock => ({ now: () => new Date(readFileSync(file, 'utf8')) });

/** Goes on by itself, for programs that real browsers use: they wait in real time. */
export function runningClock(start = TEST_MORNING): FakeClock {
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
