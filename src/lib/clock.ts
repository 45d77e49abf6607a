/**
 * The only source of the current time. Tests pass their own clock; rules take the time as an
 * argument.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const addSeconds = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);

export const DAY_SECONDS = 24 * 60 * 60;

/**
 * The clocks of processes on one database may differ by this much, including the time that a
 * request waits for a lock. A stored time that is further in the future comes from a clock that was
 * ahead and has been set back. It must not count in a limit or extend a wait.
 */
export const MAX_CLOCK_SKEW_SECONDS = 10;
