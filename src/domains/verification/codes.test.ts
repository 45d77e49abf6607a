/** Confirmation of codes and their rate limits (docs/security.md, A2 and A3). */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { fail } from '../../contract/route.server.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { requestCode, newestCode, newMobile, verifyMobile, PASSWORD } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { login, signUp } from '../accounts/contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { confirmCode, verificationError, type Purpose } from './contract.ts';

const METRICS_TOKEN = 'a token of the tests, long enough';
const program = useProgram({ BOT_CHECK: 'off', METRICS_TOKEN });
const invalid = verificationError('wrong-code');
const outOfAttempts = verificationError('out-of-attempts');

const send = (caller: Caller, mobile: string, purpose: Purpose = 'signup') =>
  caller.post('verification/sendcode', { mobile, purpose, challenge: '' });
const confirm = (caller: Caller, mobile: string, code: string, purpose: Purpose = 'signup') =>
  caller.send(confirmCode, { mobile, purpose, code });
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('sends six digits and confirms the correct code', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  expect(await requestCode(caller, mobile, 'signup')).toEqual({
    response: 'success',
    message: `SMS sent successfully on +91${mobile}`,
    data: { resend_after: 30, expires_in: 600 },
  });
  const [message] = (await caller.get(`outbox.json?mobile=${mobile}`)).json();
  expect(message).toEqual({
    mobile,
    code: expect.stringMatching(/^\d{6}$/),
    text: expect.stringContaining(`${message.code} is your Dhulai verification code`),
    sent_at: program.clock.now().toISOString(),
  });
  expect(await confirm(caller, mobile, message.code)).toMatchObject({ response: 'success', data: { confirmed: true } });
});

describe('a code confirms once, for its browser, mobile and purpose', () => {
  const rejections: [string, ErrorMessage, (issued: { caller: Caller; mobile: string; code: string }) => Promise<unknown>][] = [
    [
      'used before',
      outOfAttempts,
      async ({ caller, mobile, code }) => (await confirm(caller, mobile, code), confirm(caller, mobile, code)),
    ],
    [
      'after ten minutes',
      outOfAttempts,
      async ({ caller, mobile, code }) => {
        program.clock.advance(600);
        return confirm(caller, mobile, code);
      },
    ],
    [
      'after a resend',
      invalid,
      async ({ caller, mobile, code }) => {
        program.clock.advance(31);
        await send(caller, mobile);
        return confirm(caller, mobile, code === (await newestCode(program, mobile)) ? otherThan(code) : code);
      },
    ],
    ['for another purpose', outOfAttempts, ({ caller, mobile, code }) => confirm(caller, mobile, code, 'reset')],
    ['in another browser', outOfAttempts, ({ mobile, code }) => confirm(program.caller(), mobile, code)],
    [
      'in another browser that has a code for another number',
      outOfAttempts,
      async ({ mobile, code }) => {
        const other = program.caller();
        await send(other, newMobile());
        return confirm(other, mobile, code);
      },
    ],
    ['for another number', outOfAttempts, ({ caller, code }) => confirm(caller, newMobile(), code)],
  ];

  test.each(rejections)('rejects a code %s', async (_name, message, attempt) => {
    const [caller, mobile] = [program.caller(), newMobile()];
    await send(caller, mobile);
    const issued = { caller, mobile, code: await newestCode(program, mobile) };
    expect(await attempt(issued)).toEqual(fail(message));
  });

  test('confirms one of fifty concurrent requests', async () => {
    const [caller, mobile] = [program.caller(), newMobile()];
    await send(caller, mobile);
    const code = await newestCode(program, mobile);
    const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(caller, mobile, code)));
    expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
  });

  test('confirms a code just before ten minutes', async () => {
    const [caller, mobile] = [program.caller(), newMobile()];
    await send(caller, mobile);
    program.clock.advance(599);
    expect(await confirm(caller, mobile, await newestCode(program, mobile))).toMatchObject({ response: 'success' });
  });

  test('the grant of a confirmed code expires after ten minutes', async () => {
    const [caller, mobile] = [program.caller(), newMobile()];
    await verifyMobile(program, caller, mobile, 'signup');
    program.clock.advance(600);
    expect(await caller.send(signUp, { name: 'Asha Rao', mobile, password: PASSWORD })).toMatchObject({ response: 'error' });
    expect(await caller.send(login, { mobile, password: PASSWORD })).toMatchObject({ message: 'user not found' });
  });
});

test('a code that is too short uses no attempt, any other wrong code uses one', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await send(caller, mobile);
  const code = await newestCode(program, mobile);
  for (const short of ['', '1', '12345']) {
    const result = await caller.post('verification/confirmcode', { mobile, purpose: 'signup', code: short });
    expect([result.statusCode, result.json()]).toEqual([400, fail(invalid)]);
  }
  for (const wrong of ['abcdef', otherThan(code), `${code}0`]) expect(await confirm(caller, mobile, wrong)).toMatchObject(invalid);
  expect(await confirm(caller, mobile, code)).toMatchObject({ response: 'error', ...invalid });
});

describe('sending', () => {
  const refused = (mobile: string, retryAfter: string) => ({
    statusCode: 429,
    retryAfter,
    body: fail(verificationError('sms-not-sent', { mobile })),
  });
  const attempt = async (caller: Caller, mobile: string) => {
    const { statusCode, headers, ...result } = await send(caller, mobile);
    return { statusCode, retryAfter: headers['retry-after'], body: result.json() };
  };
  const sent = async (mobile: string) => {
    const rows = await program.db
      .selectFrom('outbox_messages')
      .select('id')
      .where('mobile', '=', mobile)
      .where('state', '=', 'sent')
      .execute();
    return rows.length;
  };

  test('sends the next code to a mobile after 30 seconds, for all browsers and purposes', async () => {
    const mobile = newMobile();
    await send(program.caller(), mobile);
    program.clock.advance(29);
    expect(await attempt(program.caller(), mobile)).toEqual(refused(mobile, '1'));
    expect((await send(program.caller(), mobile, 'reset')).statusCode).toBe(429);
    program.clock.advance(1);
    expect((await send(program.caller(), mobile, 'guest')).statusCode).toBe(200);
    expect(await sent(mobile)).toBe(2);
  });

  test('the wait for a code of another network ends with a minute', async () => {
    const mobile = newMobile();
    program.clock.advance(60 - ((program.clock.now().getTime() / 1000) % 60));
    await send(program.caller(), mobile);
    program.clock.advance(10);
    expect(await attempt(program.caller({ ip: '198.51.100.60' }), mobile)).toEqual(refused(mobile, '50'));
    expect(await attempt(program.caller(), mobile)).toEqual(refused(mobile, '20'));
    program.clock.advance(50);
  });

  test('sends five codes an hour and eight a day', async () => {
    const mobile = newMobile();
    let networks = 0;
    const stranger = () => program.caller({ ip: `203.0.${(networks += 1)}.9` });
    for (let count = 0; count < 5; count += 1) {
      expect((await send(stranger(), mobile)).statusCode).toBe(200);
      program.clock.advance(60);
    }
    expect(await attempt(stranger(), mobile)).toEqual(refused(mobile, String(55 * 60)));
    program.clock.advance(55 * 60);
    for (let count = 0; count < 3; count += 1) {
      expect((await send(stranger(), mobile)).statusCode).toBe(200);
      program.clock.advance(60);
    }
    program.clock.advance(2 * 60 * 60);
    expect(await attempt(stranger(), mobile)).toEqual(refused(mobile, String(21 * 60 * 60 - 3 * 60)));
    expect(await sent(mobile)).toBe(8);
  });

  test('sends one code for fifty concurrent requests', async () => {
    const mobile = newMobile();
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(program.caller(), mobile)));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(49);
    expect(await sent(mobile)).toBe(1);
  });

  test('limits one network to twenty codes an hour and ignores a forged X-Forwarded-For', async () => {
    program.clock.advance(60 * 60);
    const stranger = program.caller({ ip: '198.51.100.7' });
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}` };
      const result = await stranger.post('verification/sendcode', { mobile: newMobile(), purpose: 'signup', challenge: '' }, headers);
      statuses.push(result.statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    expect((await send(program.caller({ ip: '198.51.100.8' }), newMobile())).statusCode).toBe(200);
  });

  describe('the codes of all in an hour', () => {
    afterEach(() => program.clock.advance(60 * 60));
    const setSent = async (taken: number) => {
      await send(program.caller(), newMobile());
      await program.db.updateTable('limit_windows').set({ taken }).where('name', '=', 'codes in all').execute();
    };
    const statuses = async (callers: Caller[], mobile = newMobile) =>
      (await Promise.all(callers.map((caller) => send(caller, mobile())))).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    const stranger = () => program.caller({ ip: '203.0.113.77' });
    const warnings = () => program.log.filter((line) => line.includes('half of the codes of this hour are sent'));

    test('strangers get 700', async () => {
      await setSent(699);
      expect(await statuses([stranger(), stranger()])).toEqual([200, 429]);
    });

    test('networks from which a code was confirmed in the last day get 850', async () => {
      const [proved, neighbour] = [program.caller({ ip: '203.0.114.1' }), () => program.caller({ ip: '203.0.114.2' })];
      await verifyMobile(program, proved, newMobile(), 'guest');
      await setSent(849);
      expect(await statuses([stranger()])).toEqual([429]);
      expect(await statuses([neighbour(), neighbour()])).toEqual([200, 429]);
      program.clock.advance(DAY_SECONDS);
      await setSent(700);
      expect(await statuses([neighbour()])).toEqual([429]);
    });

    test('known devices get all 1000', async () => {
      const mobiles = [newMobile(), newMobile()];
      const owners: Caller[] = [];
      for (const mobile of mobiles) {
        const owner = program.caller({ ip: `203.0.${115 + owners.length}.1` });
        await verifyMobile(program, owner, mobile, 'guest');
        owners.push(owner);
      }
      await setSent(999);
      const own = mobiles.values();
      expect(await statuses(owners, () => own.next().value!)).toEqual([200, 429]);
    });

    test('one line in the log warns that half of them are sent', async () => {
      await setSent(498);
      const before = warnings().length;
      await statuses(Array.from({ length: 10 }, () => program.caller()));
      expect(warnings().slice(before)).toHaveLength(1);
      expect(JSON.parse(warnings().at(-1)!)).toMatchObject({ level: 40, codesThisHour: 500 });
      program.clock.advance(60 * 60);
      await setSent(498);
      await statuses(Array.from({ length: 2 }, () => program.caller()));
      expect(warnings().slice(before)).toHaveLength(2);
    });

    test('the metrics count requests by their outcome', async () => {
      const counted = async () => {
        const text = (await program.caller().get('metrics', { authorization: `Bearer ${METRICS_TOKEN}` })).body;
        return Number(/verification_code_requests_total\{outcome="limit-of-all"\} (\d+)/.exec(text)?.[1] ?? 0);
      };
      await setSent(1000);
      const before = await counted();
      await statuses([stranger(), stranger()]);
      expect(await counted()).toBe(before + 2);
    });
  });
});

test('neither the log nor a response contains a code, a whole mobile or a browser cookie', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  const first = await send(caller, mobile);
  const code = await newestCode(program, mobile);
  const again = await send(caller, mobile);
  const wrong = await confirm(caller, mobile, otherThan(code));
  const cookie = caller.cookies.get('browser')!;
  const output = [first.body, JSON.stringify(wrong), program.log.join('\n')].join('\n').replaceAll(`+91${mobile}`, '');
  for (const secret of [code, cookie]) expect(output).not.toContain(secret);
  expect(program.log.join('\n')).not.toContain(mobile);
  expect(again.statusCode).toBe(429);
});

test('the stored row of a code does not reveal the code', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await send(caller, mobile);
  const row = await program.db.selectFrom('verification_codes').selectAll().where('mobile', '=', mobile).executeTakeFirstOrThrow();
  const code = await newestCode(program, mobile);
  expect(JSON.stringify({ ...row, mobile: '' })).not.toContain(code);
  expect(JSON.stringify(row)).not.toContain(caller.cookies.get('browser'));
});
