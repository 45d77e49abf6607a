import { beforeEach, describe, expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';
import { reportError } from './contract.ts';
import { MAX_REPORTS, MAX_REPORT_BYTES } from './rules.ts';
import { deleteExpiredReports } from './service.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const program = useProgram();
const path = 'error/adderror.php';
const report = JSON.stringify({
  message: 'Cannot read properties of undefined',
  stack: 'at pick (home.js:1:2)',
  context: { doing: 'picking' },
});
const success = { response: 'success', message: 'Error reported', data: null };

const storedReports = () => program.db.selectFrom('error_reports').select(['message', 'report', 'reported_at']).orderBy('id').execute();

beforeEach(async () => {
  await program.db.deleteFrom('error_reports').execute();
  await program.db.deleteFrom('limit_windows').execute();
});

/** Returns an address in 10.0.0.0/8. Each number gives another network and another /24. */
const network = (number: number) => `10.${(number >> 8) & 255}.${number & 255}.1`;

/** Odd numbers come from loopback, even ones each from another network. */
async function sendFrom(number: number) {
  const caller = number % 2 ? program.caller() : program.caller({ ip: network(number) });
  return (await caller.post(path, { error: report })).statusCode;
}

/**
 * Sends as many requests at once as there are database connections: a request that waits for one
 * fails after three seconds, which a busy machine exceeds. Returns the statuses.
 */
async function sendAll(count: number, send: (number: number) => Promise<number>) {
  const statuses: number[] = [];
  for (let first = 0; first < count; first += 10) {
    const batch = Array.from({ length: Math.min(10, count - first) }, (_none, index) => send(first + index));
    statuses.push(...(await Promise.all(batch)));
  }
  return statuses;
}

test('stores message, stack, context and time of a report', async () => {
  expect(await program.caller().send(reportError, { error: report })).toEqual(success);
  expect(await storedReports()).toEqual([{ message: 'Cannot read properties of undefined', report, reported_at: program.clock.now() }]);
});

test('stores a report that is not JSON as text, also without .php', async () => {
  expect((await program.caller().post('error/adderror', { error: 'fell over near 9876501234 {' })).json()).toEqual(success);
  expect(await storedReports()).toMatchObject([{ message: 'fell over near [removed] {' }]);
});

test.each([{}, { error: null }, { error: { message: 'm' } }, { error: ['m'] }, { message: 'm' }])('rejects the body %j', async (body) => {
  const response = await program.caller().post(path, body);
  expect([response.statusCode, response.json().response]).toEqual([400, 'error']);
  expect(await storedReports()).toEqual([]);
});

test('ignores fields that are not in the contract (I2)', async () => {
  await program.caller().post(path, { error: report, message: 'x', report: 'y', id: 1, reported_at: '1970-01-01', userid: 'z' });
  expect(await storedReports()).toEqual([{ message: 'Cannot read properties of undefined', report, reported_at: program.clock.now() }]);
});

describe('limits', () => {
  test('accepts 20 reports of a network in ten minutes', async () => {
    const flood = program.caller({ ip: '198.51.100.9' });
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await flood.post(path, { error: report })).statusCode));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const rejected = await flood.post(path, { error: report });
    expect([rejected.statusCode, rejected.json()]).toEqual([
      429,
      { response: 'error', message: 'Too many error reports, thank you', code: 'too-many-error-reports', params: {}, data: null },
    ]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);

    expect((await program.caller({ ip: '198.51.100.10' }).post(path, { error: report })).statusCode).toBe(200);
    program.clock.advance(Number(rejected.headers['retry-after']));
    expect((await flood.post(path, { error: report })).statusCode).toBe(200);
  });

  test('a forwarding header does not change the network of a caller', async () => {
    const loopback = program.caller();
    for (let number = 0; number < 20; number += 1) await loopback.post(path, { error: report }, { 'x-forwarded-for': network(number) });
    expect((await loopback.post(path, { error: report }, { 'x-forwarded-for': network(99) })).statusCode).toBe(429);
    expect((await loopback.post(path, { error: report })).statusCode).toBe(200);
  });

  test('one block of networks cannot use up the reports of all', async () => {
    const post = async (ip: string) => (await program.caller({ ip }).post(path, { error: report })).statusCode;
    const statuses: number[] = [];
    for (let window = 0; window < 6; window += 1) {
      statuses.push(...(await sendAll(120, (number) => post(`198.51.100.${number}`))));
      if (window < 5) program.clock.advance(9.5 * 60);
    }
    // 200 in each of the two hours that the windows touch, of 500.
    expect(statuses.filter((status) => status === 200)).toHaveLength(400);
    expect(await post('203.0.113.7')).toBe(200);
  });

  test('accepts 500 reports of all callers in an hour, including loopback', async () => {
    const statuses = await sendAll(520, sendFrom);
    expect(statuses.filter((status) => status === 200)).toHaveLength(500);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(await storedReports()).toHaveLength(500);
  });
});

test('deletes reports after 30 days, and all but the newest 10,000', async () => {
  await program.caller().send(reportError, { error: 'old' });
  program.clock.advance(30 * DAY_SECONDS);
  await program.caller().send(reportError, { error: 'new' });
  await deleteExpiredReports(program.db, program.clock.now());
  expect((await storedReports()).map(({ message }) => message)).toEqual(['old', 'new']);
  program.clock.advance(1);
  await deleteExpiredReports(program.db, program.clock.now());
  expect((await storedReports()).map(({ message }) => message)).toEqual(['new']);

  const rows = Array.from({ length: MAX_REPORTS }, () => ({ message: 'flood', report: '', reported_at: program.clock.now() }));
  await program.db.insertInto('error_reports').values(rows).execute();
  await deleteExpiredReports(program.db, program.clock.now());
  expect(await program.db.selectFrom('error_reports').select('message').where('message', '=', 'new').execute()).toEqual([]);
  expect(await storedReports()).toHaveLength(MAX_REPORTS);
});

/**
 * Reports up to the body limit, with secrets in every field and format (docs/security.md, S8).
 */
test('stores none of the secrets in 400 random reports and truncates each report', async () => {
  const seed = Date.now() >>> 0;
  const random = mulberry32(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const randomText = (alphabet: string, length: number) => Array.from({ length }, () => pick(Array.from(alphabet))).join('');

  const secrets = () => ({
    mobile: `9${randomText('0123456789', 9)}`,
    code: randomText('0123456789', 6),
    password: randomText(String.raw`abcXYZ019 "'\{},:;&<>=%@अ🧺`, 6 + Math.floor(random() * 20))
      .trim()
      .padEnd(6, '!'),
    token: randomText('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 43),
    userid: randomText('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 20),
  });
  type Secrets = ReturnType<typeof secrets>;
  const places: readonly ((s: Secrets) => unknown)[] = [
    (s) => s,
    (s) => JSON.stringify(s),
    (s) => JSON.stringify({ request: { body: JSON.stringify(s) } }),
    (s) => `POST /login/login.php ${JSON.stringify(s)} failed`,
    (s) => `?mobile=${s.mobile}&otp=${s.code}#token=${s.token}`,
    (s) => `SMS sent successfully on +91${s.mobile}`,
    (s) => `SMS sent successfully on +91 ${s.mobile.slice(0, 5)} ${s.mobile.slice(5)}`,
    (s) => `Your code is ${s.code}.`,
    (s) => `Cookie: session=${s.token}; signed_in=1`,
    (s) => `authorization: Bearer ${s.token}`,
    (s) => `/auth/orders of ${s.userid}`,
    (s) => ({ [s.mobile]: s.code, list: [s.code, Number(s.mobile), { newPassword: s.password, confirm_password: [s.password] }] }),
    (s) => `password: ${s.password}`,
    (s) => `wrong password ${s.password} for ${s.mobile}`,
    (s) => `<input type="password" value="${s.password}">`,
    (s) => encodeURIComponent(`token=${s.token}&mobile=${s.mobile}`),
  ];
  const forms: readonly ((what: unknown, filler: string) => string)[] = [
    (what, filler) => JSON.stringify({ message: 'fell over', stack: filler, context: what }),
    (what, filler) => JSON.stringify({ message: what, stack: filler, context: { dependencies: [what] } }),
    (what, filler) => JSON.stringify({ message: 'fell over', stack: `Error\n${JSON.stringify(what)}\n${filler}`, context: {} }),
    (what, filler) => JSON.stringify({ message: JSON.stringify(what), stack: filler }).slice(0, -3),
    (what, filler) => `${JSON.stringify(what)}\n${filler}`,
    (what, filler) => `${filler}\n${JSON.stringify({ context: what })}`.slice(3),
  ];

  const planted: Secrets[] = [];
  for (let number = 0; number < 400; number += 1) {
    const secret = secrets();
    planted.push(secret);
    const filler = number % 10 === 0 ? 'at render (home.js:1:2)\n'.repeat(2200) : 'at render (home.js:1:2)';
    const error = pick(forms)(pick(places)(secret), filler);
    const response = await program.caller({ ip: network(number) }).post(path, { error });
    expect([response.statusCode, seed]).toEqual([200, seed]);
  }

  const rows = await storedReports();
  expect(rows).toHaveLength(400);
  for (const [index, row] of rows.entries()) {
    const text = `${row.message}\n${row.report}`;
    const found = Object.entries(planted[index]!).filter(([, value]) => asStored(value).some((form) => text.includes(form)));
    expect({ seed, index, found, report: found.length > 0 ? row.report : '' }).toEqual({ seed, index, found: [], report: '' });
    expect(Buffer.byteLength(row.report)).toBeLessThanOrEqual(MAX_REPORT_BYTES);
    // Digits with separators are still a mobile number.
    expect([seed, index, text.replace(/[^0-9]/g, '').includes(planted[index]!.mobile)]).toEqual([seed, index, false]);
  }
  expect(rows.some(({ report }) => report.includes('at render (home.js:1:2)'))).toBe(true);

  const tooLarge = await program.caller().post(path, { error: 'x'.repeat(1024 * 1024) });
  expect([tooLarge.statusCode, tooLarge.json().response]).toEqual([413, 'error']);
  expect(await storedReports()).toHaveLength(400);
});

/** The spellings of a text inside stored JSON. */
const asStored = (secret: string) => {
  const once = JSON.stringify(secret).slice(1, -1);
  return [secret, once, JSON.stringify(once).slice(1, -1)];
};

/** A seeded random generator, so that a failing run can be repeated. */
function mulberry32(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
