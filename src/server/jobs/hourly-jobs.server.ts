import type { Clock } from '../../lib/clock.ts';

const INTERVAL_MS = 60 * 60 * 1000;

export interface Job {
  /** For the log: '<name> failed'. */
  name: string;
  /** Must end within a few seconds after `signal` is aborted, because the program is stopping. */
  run(now: Date, signal: AbortSignal): Promise<unknown>;
}

interface HourlyJobsOptions {
  jobs: readonly Job[];
  clock: Clock;
  /** Called when a job throws. The other jobs still run, and this one runs again in an hour. */
  onFailure(error: unknown, name: string): void;
}

/**
 * Runs every job, one after the other, at the start and then once an hour. Several processes may
 * run the same job concurrently.
 */
export function createHourlyJobs({ jobs, clock, onFailure }: HourlyJobsOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const runAll = async () => {
    for (const { name, run } of jobs) {
      if (signal.aborted) return;
      try {
        await run(clock.now(), signal);
      } catch (error) {
        if (!signal.aborted) onFailure(error, name);
      }
    }
  };

  return {
    start() {
      running = runAll();
      timer = setInterval(() => {
        running = runAll();
      }, INTERVAL_MS);
      timer.unref();
    },
    /** Aborts the running job. Resolves once no job uses the database. */
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
