import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';

export interface Job {
  /** For the log: '<name> failed'. */
  name: string;
  /** Must end within a few seconds after `signal` is aborted, because the program is stopping. */
  run(now: Date, signal: AbortSignal): Promise<unknown>;
  /** `onEnd` is not called for the job, which records its runs. */
  recordsItself?: true;
}

/** A run that has ended. `error` is undefined after a success. */
export interface JobRun {
  job: string;
  startedAt: Date;
  durationMs: number;
  error?: unknown;
}

interface PeriodicJobsOptions {
  jobs: readonly Job[];
  clock: Clock;
  /** Throws if the clock is wrong: a job would then delete what has not expired. */
  checkClock?(): Promise<void>;
  /** The time between the end of a run and the next. */
  pauseMs: number;
  /** Called when a job throws. The other jobs still run, and this one again after the pause. */
  onFailure(error: unknown, name: string): void;
  onSuccess?(name: string): void;
  /** Called after each run that the stop has not aborted. Must not throw. */
  onEnd?(run: JobRun): Promise<void>;
}

export interface PeriodicJobs {
  /**
   * Runs every job, one after the other, and again `pauseMs` after the last has ended. Several
   * processes may run the same job concurrently.
   */
  start(): void;
  /** Aborts the running job. Resolves once no job uses the database. */
  stop(): Promise<void>;
}

export function createPeriodicJobs({ jobs, clock, checkClock, pauseMs, onFailure, onSuccess, onEnd }: PeriodicJobsOptions): PeriodicJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  /** Never rejects. Resolves to undefined if the program stops. */
  const runOne = async ({ name, run }: Job): Promise<JobRun | undefined> => {
    const started = { job: name, startedAt: clock.now() };
    const start = performance.now();
    const ended = () => ({ ...started, durationMs: performance.now() - start });
    try {
      if (checkClock) await checkClock();
      if (signal.aborted) return undefined;
      await run(clock.now(), signal);
      onSuccess?.(name);
      return ended();
    } catch (error) {
      if (signal.aborted) return undefined;
      onFailure(error, name);
      return { ...ended(), error };
    }
  };

  const runAll = async () => {
    for (const job of jobs) {
      if (signal.aborted) return;
      const run = await runOne(job);
      if (run && !job.recordsItself) await onEnd?.(run);
    }
  };

  const runUntilStopped = async () => {
    while (!signal.aborted) {
      await runAll();
      // Rejects when the program stops. Does not keep the process running.
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };

  return {
    start() {
      running = runUntilStopped();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
