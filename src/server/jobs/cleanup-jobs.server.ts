/** Housekeeping between requests: rows whose time is over leave at the start and then once an hour. Several processes may do it at once. */
import type { Clock } from '../../lib/clock.ts';

const EVERY_MS = 60 * 60 * 1000;

export interface CleanupJob {
  /** What leaves, as it reads in the log. */
  name: string;
  run(now: Date): Promise<unknown>;
}

export interface CleanupJobsOptions {
  jobs: readonly CleanupJob[];
  clock: Clock;
  /** A sweep that failed is tried again in an hour; the others run. */
  onFailure(error: unknown, name: string): void;
}

export function createCleanupJobs({ jobs, clock, onFailure }: CleanupJobsOptions) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const runAll = async () => {
    for (const { name, run } of jobs) {
      try {
        await run(clock.now());
      } catch (error) {
        onFailure(error, name);
      }
    }
  };

  return {
    runAll,
    start() {
      running = runAll();
      timer = setInterval(() => {
        running = runAll();
      }, EVERY_MS);
      timer.unref();
    },
    /** Answers once nothing uses the database any more. */
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
