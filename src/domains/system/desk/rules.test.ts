import { expect, test } from 'vitest';
import { NOTIFICATION_KINDS } from '../../notifications/contract.ts';
import type { JobRun, System } from './contract.ts';
import { alertsOf, LEDGER_JOB, NEW_ENTRIES_JOB, problemsOf } from './rules.ts';

const NOW = '2026-11-21 19:00:00';
const ran = (job: string, change: Partial<NonNullable<JobRun['run']>> = {}): JobRun => ({
  job,
  run: {
    state: 'succeeded',
    started: '2026-11-21 18:30:00',
    seconds: 0.1,
    error: null,
    succeeded: '2026-11-21 18:30:00',
    unbalanced: null,
    ...change,
  },
});
const ledger = (change: Parameters<typeof ran>[1]) => ({ jobs: [ran(LEDGER_JOB, change)] });
const messages = (change: Partial<System['messages']>) => ({ messages: { ...WORKING.messages, ...change } });

const WORKING: System = {
  now: NOW,
  messages: {
    are_sent: true,
    unsent_kinds: [],
    overdue: 0,
    oldest: null,
    refused: 0,
    codes_sent: 10,
    codes_failed: 0,
    codes_unreachable: 0,
  },
  stores_photos: true,
  reports: 0,
  jobs: [ran(LEDGER_JOB, { started: '2026-11-20 20:00:00', succeeded: '2026-11-20 20:00:00' }), ran('clean up')],
  ledger: { progress: 5, steps: 5 },
  backup: { is_expected: true, succeeded: '2026-11-20 17:00:00' },
};

test('a program that works has no problem, nor has a new one', () => {
  expect(problemsOf(WORKING)).toEqual([]);
  expect(
    problemsOf({
      ...WORKING,
      jobs: [
        { job: LEDGER_JOB, run: null },
        { job: 'clean up', run: null },
      ],
    }),
  ).toEqual([]);
});

test.each<[problem: string, change: Partial<System>]>([
  ['codes-fail', messages({ codes_sent: 2, codes_failed: 2 })],
  ['codes-fail', messages({ codes_sent: 1, codes_failed: 2, codes_unreachable: 1 })],
  ['codes-unreachable', messages({ codes_sent: 1, codes_failed: 2, codes_unreachable: 2 })],
  ['some-codes-fail', messages({ codes_sent: 3, codes_failed: 2, codes_unreachable: 2 })],
  ['messages-wait', messages({ overdue: 1 })],
  ['messages-refused', messages({ refused: 1 })],
  ['messages-off', messages({ are_sent: false, unsent_kinds: [...NOTIFICATION_KINDS] })],
  ['some-messages-off', messages({ unsent_kinds: ['reversed'] })],
  ['photos-fail', { stores_photos: false }],
  ['backup-late', { backup: { is_expected: true, succeeded: '2026-11-20 16:59:59' } }],
  ['no-backup', { backup: { is_expected: true, succeeded: null } }],
  ['job-failed', { jobs: [ran('clean up', { state: 'failed' })] }],
  ['jobs-late', { jobs: [ran('clean up', { started: '2026-11-21 15:59:59' })] }],
  ['jobs-late', { jobs: [...WORKING.jobs, { job: 'never run', run: null }] }],
  ['ledger-unbalanced', ledger({ state: 'unbalanced', unbalanced: NOW })],
  ['ledger-unbalanced', ledger({ state: 'running', unbalanced: NOW })],
  ['ledger-unbalanced', ledger({ state: 'interrupted', unbalanced: NOW })],
  ['ledger-unbalanced', { jobs: [...WORKING.jobs, ran(NEW_ENTRIES_JOB, { state: 'unbalanced', unbalanced: NOW })] }],
  ['ledger-unchecked', ledger({ state: 'failed' })],
  ['ledger-unchecked', ledger({ state: 'interrupted' })],
  ['ledger-unchecked', ledger({ succeeded: '2026-11-19 18:59:59' })],
])('problemsOf returns %s', (problem, change) => {
  expect(problemsOf({ ...WORKING, ...change })).toEqual([problem]);
});

test('a running audit is no problem', () => {
  expect(problemsOf({ ...WORKING, ...ledger({ state: 'running', started: NOW }) })).toEqual([]);
});

test('the worst problem comes first', () => {
  const all = { ...messages({ refused: 1, codes_failed: 20 }), ...ledger({ state: 'unbalanced', unbalanced: NOW }) };
  expect(problemsOf({ ...WORKING, ...all })).toEqual(['ledger-unbalanced', 'codes-fail', 'messages-refused']);
});

test.each<[problem: string, change: Partial<System>]>([
  ['a job that started three hours ago', { jobs: [ran('clean up', { started: '2026-11-21 16:00:00' })] }],
  ['an audit two days ago', ledger({ succeeded: '2026-11-19 19:00:00' })],
  ['a day without codes', messages({ codes_sent: 0 })],
  ['a demonstration without a backup', { backup: { is_expected: false, succeeded: null } }],
])('%s is no problem', (_name, change) => {
  expect(problemsOf({ ...WORKING, ...change })).toEqual([]);
});

test('Today shows only the problems that are alerts', () => {
  const all = { ...messages({ are_sent: false, refused: 1, overdue: 1 }), ...ledger({ state: 'failed' }) };
  expect(alertsOf({ ...WORKING, ...all })).toEqual(['messages-off']);
  expect(alertsOf(WORKING)).toEqual([]);
});
