import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useProgram } from '../../test/support/program.ts';
import { size } from '../../test/support/size.ts';
import { deleteExpiredLimits, consumeLimit, readUses } from './limits.server.ts';
import { DAY_SECONDS, addSeconds } from '../lib/clock.ts';

const program = useProgram();
const limit = { name: 'taps', max: 3, windowSeconds: 60 };

const consume = (subject: string, change: Partial<typeof limit> = {}) =>
  consumeLimit(program.db, { ...limit, ...change, subject, now: program.clock.now() });

test('allows no more than the maximum of concurrent uses in a window', async () => {
  const results = await Promise.all(Array.from({ length: 40 }, () => consume('racing')));
  expect(results.filter(({ allowed }) => allowed)).toHaveLength(3);
});

test('returns the seconds until the next window, and allows uses again in it', async () => {
  program.clock.set('2026-11-21T05:00:15.400Z');
  for (const uses of [1, 2, 3]) expect(await consume('waiting')).toEqual({ allowed: true, uses });
  expect(await consume('waiting')).toEqual({ allowed: false, retryAfterSeconds: 45 });
  program.clock.set('2026-11-21T05:00:59.999Z');
  expect(await consume('waiting')).toEqual({ allowed: false, retryAfterSeconds: 1 });
  program.clock.set('2026-11-21T05:01:00Z');
  expect(await consume('waiting')).toEqual({ allowed: true, uses: 1 });
});

test('counts uses at any millisecond of a window in one row', async () => {
  for (let ms = 0; ms < 60_000; ms += 137) {
    program.clock.set(new Date(Date.parse('2026-11-21T05:02:00Z') + ms));
    await consume('counting', { max: 1000 });
  }
  expect(await program.db.selectFrom('limit_windows').select('taken').where('taken', '>', 400).execute()).toEqual([{ taken: 438 }]);
});

test('counts subjects and names separately', async () => {
  for (let count = 0; count < 3; count += 1) await consume('greedy');
  expect(await consume('greedy')).toMatchObject({ allowed: false });
  expect(await consume('modest')).toEqual({ allowed: true, uses: 1 });
  expect(await consume('greedy', { name: 'doors' })).toEqual({ allowed: true, uses: 1 });
});

test('stores no subject in plain text, and deletes expired windows', async () => {
  await consume('9876501234');
  const readable = JSON.stringify(await program.db.selectFrom('limit_windows').selectAll().execute());
  expect(readable).not.toContain('9876501234');
  program.clock.advance(25 * 60 * 60);
  await deleteExpiredLimits(program.db, program.clock.now());
  expect(await program.db.selectFrom('limit_windows').selectAll().execute()).toEqual([]);
});

test('throws for a window that is longer than the retention of its row', async () => {
  await expect(consume('patient', { windowSeconds: DAY_SECONDS + 1 })).rejects.toThrow('a window ends before its row is deleted');
  expect(await consume('patient', { windowSeconds: DAY_SECONDS })).toEqual({ allowed: true, uses: 1 });
});

test.each([
  ['2026-11-20T18:30:00Z', '2026-11-21T18:29:59.999Z', true],
  ['2026-11-20T18:29:59.999Z', '2026-11-20T18:30:00Z', false],
  ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00Z', true],
])('a day at %s and at %s, in Asia/Kolkata, is the same window: %s', async (first, second, isSame) => {
  const use = { ...limit, windowSeconds: DAY_SECONDS, subject: `day of ${first}` };
  await consumeLimit(program.db, { ...use, now: new Date(first) });
  expect(await readUses(program.db, { ...use, now: new Date(second) })).toBe(isSame ? 1 : 0);
});

test('at the limit of a day, returns the seconds until midnight in Asia/Kolkata', async () => {
  program.clock.set('2026-11-21T18:29:00Z');
  for (let count = 0; count < 3; count += 1) await consume('late', { windowSeconds: DAY_SECONDS });
  expect(await consume('late', { windowSeconds: DAY_SECONDS })).toEqual({ allowed: false, retryAfterSeconds: 60 });
});

test('throws for windows that do not divide a day', async () => {
  await expect(consume('odd', { windowSeconds: 7 })).rejects.toThrow('windows of equal length fill a day');
});

test('keeps a row until its window ends', async () => {
  program.clock.set('2026-11-20T18:30:00Z');
  for (let count = 0; count < 3; count += 1) await consume('kept', { windowSeconds: DAY_SECONDS });
  program.clock.set('2026-11-21T18:29:59.999Z');
  await deleteExpiredLimits(program.db, program.clock.now());
  expect(await consume('kept', { windowSeconds: DAY_SECONDS })).toMatchObject({ allowed: false });
});

test('reads the uses of the current window', async () => {
  const use = { ...limit, subject: 'read', now: program.clock.now() };
  expect(await readUses(program.db, use)).toBe(0);
  for (let count = 0; count < 5; count += 1) await consume('read');
  expect(await readUses(program.db, use)).toBe(3);
  expect(await readUses(program.db, { ...use, now: addSeconds(use.now, 60) })).toBe(0);
});

test('deletes windows that a clock that was ahead has counted, so that they count nothing later', async () => {
  program.clock.set('2026-11-25T00:00:00Z');
  for (let count = 0; count < 3; count += 1) await consume('ahead');
  program.clock.set('2026-11-24T12:00:30Z');
  await consume('current');
  await deleteExpiredLimits(program.db, program.clock.now());
  expect(await readUses(program.db, { ...limit, subject: 'current', now: program.clock.now() })).toBe(1);
  program.clock.set('2026-11-25T00:00:00Z');
  expect(await consume('ahead')).toEqual({ allowed: true, uses: 1 });
});

const EXPIRED = size({ small: 12_000, full: 2_000_000 });
const INSERTED_AT_ONCE = 50_000;

test(`deletes ${EXPIRED} expired windows, in statements that end within their time`, { timeout: 600_000 }, async () => {
  const expired = addSeconds(program.clock.now(), -2 * DAY_SECONDS);
  for (let from = 1; from <= EXPIRED; from += INSERTED_AT_ONCE) {
    await sql`
      insert into limit_windows (name, subject_hash, window_start, taken)
      select 'crowd', int4send(n), ${expired}::timestamptz + n * interval '1 ms', 1
        from generate_series(${from}::int, ${Math.min(EXPIRED, from + INSERTED_AT_ONCE - 1)}::int) n`.execute(program.db);
  }
  await consume('current');
  await deleteExpiredLimits(program.db, program.clock.now());
  expect(await program.db.selectFrom('limit_windows').select('taken').where('name', '=', 'crowd').execute()).toEqual([]);
  expect(await readUses(program.db, { ...limit, subject: 'current', now: program.clock.now() })).toBe(1);
});
