import { expect, test } from 'vitest';
import { useProgram } from '../../test/support/program.ts';
import { deleteExpiredLimits, consumeLimit } from './limits.server.ts';
import { DAY_SECONDS } from '../lib/clock.ts';

const program = useProgram();
const limit = { name: 'taps', max: 3, windowSeconds: 60 };

const take = (subject: string, change: Partial<typeof limit> = {}) =>
  consumeLimit(program.db, { ...limit, ...change, subject, now: program.clock.now() });

test('no more than the most pass in a window, however many come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => take('racing')));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3);
});

test('says how long to wait, and gives anew in the next window', async () => {
  program.clock.set('2026-11-21T05:00:15.400Z');
  for (let taken = 0; taken < 3; taken += 1) expect(await take('waiting')).toEqual({ allowed: true });
  expect(await take('waiting')).toEqual({ allowed: false, retryAfterSeconds: 45 });
  program.clock.set('2026-11-21T05:00:59.999Z');
  expect(await take('waiting')).toEqual({ allowed: false, retryAfterSeconds: 1 });
  program.clock.set('2026-11-21T05:01:00Z');
  expect(await take('waiting')).toEqual({ allowed: true });
});

test('a window is one window at each of its milliseconds', async () => {
  for (let ms = 0; ms < 60_000; ms += 137) {
    program.clock.set(new Date(Date.parse('2026-11-21T05:02:00Z') + ms));
    await take('counting', { max: 1000 });
  }
  expect(await program.db.selectFrom('limit_windows').select('taken').where('taken', '>', 400).execute()).toEqual([{ taken: 438 }]);
});

test('subjects and names count apart', async () => {
  for (let taken = 0; taken < 3; taken += 1) await take('greedy');
  expect(await take('greedy')).toMatchObject({ allowed: false });
  expect(await take('modest')).toEqual({ allowed: true });
  expect(await take('greedy', { name: 'doors' })).toEqual({ allowed: true });
});

test('who is counted cannot be read from the table, and old windows are swept', async () => {
  await take('9876501234');
  const readable = JSON.stringify(await program.db.selectFrom('limit_windows').selectAll().execute());
  expect(readable).not.toContain('9876501234');
  program.clock.advance(25 * 60 * 60);
  await deleteExpiredLimits(program.db, program.clock.now());
  expect(await program.db.selectFrom('limit_windows').selectAll().execute()).toEqual([]);
});

test('no window is longer than its row is kept: nobody would be counted in it to its end', async () => {
  await expect(take('patient', { windowSeconds: DAY_SECONDS + 1 })).rejects.toThrow('a window ends before its row is deleted');
  expect(await take('patient', { windowSeconds: DAY_SECONDS })).toEqual({ allowed: true });
});

test('a row is kept as long as its window runs', async () => {
  program.clock.set('2026-11-21T00:00:00Z');
  for (let taken = 0; taken < 3; taken += 1) await take('kept', { windowSeconds: DAY_SECONDS });
  program.clock.set('2026-11-21T23:59:59.999Z');
  await deleteExpiredLimits(program.db, program.clock.now());
  expect(await take('kept', { windowSeconds: DAY_SECONDS })).toMatchObject({ allowed: false });
});
