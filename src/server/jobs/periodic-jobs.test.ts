import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createPeriodicJobs, type JobRun } from './periodic-jobs.server.ts';

const HOUR_MS = 60 * 60 * 1000;

test('runs every job at the start, and reports a failed job without skipping the next', async () => {
  const clock = fakeClock();
  const done: string[] = [];
  const failed: string[] = [];
  const finished = Promise.withResolvers<void>();
  const jobs = createPeriodicJobs({
    clock,
    pauseMs: HOUR_MS,
    jobs: [
      { name: 'failing', run: () => Promise.reject(new Error('no')) },
      { name: 'working', run: async (now) => done.push(now.toISOString()) },
      { name: 'last', run: async () => finished.resolve() },
    ],
    onFailure: (_error, name) => failed.push(name),
  });
  jobs.start();
  await finished.promise;
  await jobs.stop();
  expect(done).toEqual([clock.now().toISOString()]);
  expect(failed).toEqual(['failing']);
});

test('reports the end of every run, but not of a job that records itself', async () => {
  const runs: JobRun[] = [];
  const finished = Promise.withResolvers<void>();
  const jobs = createPeriodicJobs({
    clock: fakeClock(),
    pauseMs: HOUR_MS,
    jobs: [
      { name: 'failing', run: () => Promise.reject(new Error('no')) },
      { name: 'itself', recordsItself: true, run: async () => {} },
      { name: 'working', run: async () => {} },
    ],
    onFailure: () => {},
    onEnd: async (run) => {
      runs.push(run);
      if (run.job === 'working') finished.resolve();
    },
  });
  jobs.start();
  await finished.promise;
  await jobs.stop();
  expect(runs.map(({ job, error }) => [job, (error as Error | undefined)?.message])).toEqual([
    ['failing', 'no'],
    ['working', undefined],
  ]);
});

test('stop waits for the running job', async () => {
  const order: string[] = [];
  const work = Promise.withResolvers<void>();
  const run = () => work.promise.then(() => order.push('done'));
  const jobs = createPeriodicJobs({ clock: fakeClock(), pauseMs: HOUR_MS, jobs: [{ name: 'slow', run }], onFailure: () => {} });
  jobs.start();
  const stopped = jobs.stop().then(() => order.push('stopped'));
  work.resolve();
  await stopped;
  expect(order).toEqual(['done', 'stopped']);
});

test('stop aborts the running job without reporting a failure, and starts no other job', async () => {
  const ran: string[] = [];
  const failed: string[] = [];
  const untilAborted = (_now: Date, signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      ran.push('endless');
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const jobs = createPeriodicJobs({
    clock: fakeClock(),
    pauseMs: HOUR_MS,
    jobs: [
      { name: 'endless', run: untilAborted },
      { name: 'next', run: async () => ran.push('next') },
    ],
    onFailure: (_error, name) => failed.push(name),
  });
  jobs.start();
  await jobs.stop();
  expect({ ran, failed }).toEqual({ ran: ['endless'], failed: [] });
});

test('a run does not start before the former run has ended', async () => {
  let concurrent = 0;
  const maximum: number[] = [];
  const finished = Promise.withResolvers<void>();
  const run = async () => {
    concurrent += 1;
    maximum.push(concurrent);
    // Far longer than the pause.
    await sleep(20);
    concurrent -= 1;
    if (maximum.length >= 3) finished.resolve();
  };
  const jobs = createPeriodicJobs({ clock: fakeClock(), pauseMs: 1, jobs: [{ name: 'long', run }], onFailure: () => {} });
  jobs.start();
  await finished.promise;
  await jobs.stop();
  expect(Math.max(...maximum)).toBe(1);
});

test('runs no job while the clock is wrong', async () => {
  const ran: string[] = [];
  const failed: string[] = [];
  const checks = [false, true];
  const finished = Promise.withResolvers<void>();
  const jobs = createPeriodicJobs({
    clock: fakeClock(),
    pauseMs: HOUR_MS,
    checkClock: async () => {
      if (checks.shift()) throw new Error('the clock is wrong');
    },
    jobs: ['first', 'second', 'third'].map((name) => ({
      name,
      run: async () => {
        ran.push(name);
        if (name === 'third') finished.resolve();
      },
    })),
    onFailure: (_error, name) => failed.push(name),
  });
  jobs.start();
  await finished.promise;
  await jobs.stop();
  expect({ ran, failed }).toEqual({ ran: ['first', 'third'], failed: ['second'] });
});
