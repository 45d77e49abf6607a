/** Passwords and sessions. Reliability bar, A5 to A7. */
import { createHook } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { newMobile, PASSWORD, signUpCustomer } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { login, logout } from './contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const tryPassword = async (caller: Caller, mobile: string, password: string) => {
  const answer = await caller.post('login/login.php', { mobile, password });
  return { status: answer.statusCode, message: answer.json().message as string, retryAfter: Number(answer.headers['retry-after']) };
};
const isIn = async (caller: Caller, userid: string) =>
  (await caller.post('login/getuserdetails.php', { token: userid })).statusCode === 200;

describe('guessing passwords', () => {
  test('after five wrong ones the waits grow, for right and wrong passwords alike, and strangers share them', async () => {
    const { mobile } = await signUpCustomer(program);
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await tryPassword(program.caller(), mobile, 'dirty socks')).toMatchObject({ status: 200, message: 'wrong password' });
    }
    for (const wait of [2, 4, 8]) {
      expect(await tryPassword(program.caller(), mobile, PASSWORD)).toMatchObject({ status: 429, retryAfter: wait });
      program.clock.advance(wait - 1);
      expect(await tryPassword(program.caller(), mobile, PASSWORD)).toMatchObject({ status: 429, retryAfter: 1 });
      program.clock.advance(1);
      expect(await tryPassword(program.caller(), mobile, 'dirty socks')).toMatchObject({ status: 200, message: 'wrong password' });
    }
  });

  test('two hundred at once: a handful is looked at', async () => {
    const { mobile } = await signUpCustomer(program);
    const answers = await Promise.all(Array.from({ length: 200 }, () => tryPassword(program.caller(), mobile, 'dirty socks')));
    const looked = answers.filter(({ status }) => status === 200).length;
    expect(looked).toBeGreaterThanOrEqual(1);
    expect(looked).toBeLessThanOrEqual(6);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429, 503]));
  });

  test('the owner gets in from their own browser at once, and from any other after the wait', async () => {
    const { mobile, caller } = await signUpCustomer(program);
    await caller.send(logout, {});
    let wait = 0;
    for (let guess = 0; guess < 7; guess += 1) {
      const answer = await tryPassword(program.caller(), mobile, 'dirty socks');
      if (answer.status === 429) wait = answer.retryAfter;
    }
    expect(wait).toBeGreaterThan(0);
    expect(await tryPassword(caller, mobile, PASSWORD)).toMatchObject({ status: 200, message: 'Account loggin successfully' });
    const another = program.caller();
    expect((await tryPassword(another, mobile, PASSWORD)).status).toBe(429);
    program.clock.advance(wait);
    expect(await tryPassword(another, mobile, PASSWORD)).toMatchObject({ status: 200, message: 'Account loggin successfully' });
  });

  test("a known browser waits too when it guesses, and another account's cookie is no passport", async () => {
    const [one, other] = [await signUpCustomer(program), await signUpCustomer(program)];
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) statuses.push((await tryPassword(one.caller, one.mobile, 'dirty socks')).status);
    expect(statuses).toContain(429);
    for (let guess = 0; guess < 7; guess += 1) await tryPassword(program.caller(), other.mobile, 'dirty socks');
    expect((await tryPassword(one.caller, other.mobile, PASSWORD)).status).toBe(429);
  });

  test('one network cannot try one password on a thousand accounts', async () => {
    const stranger = program.caller({ ip: '198.51.100.9' });
    await tryPassword(stranger, newMobile(), 'dirty socks');
    // A hundred in a quarter of an hour; 98 are taken here, not hashed.
    await program.db.updateTable('limit_windows').set({ taken: 99 }).where('name', '=', 'log-ins of a network').execute();
    const statuses: number[] = [];
    for (let account = 0; account < 3; account += 1) statuses.push((await tryPassword(stranger, newMobile(), 'dirty socks')).status);
    expect(statuses).toEqual([200, 429, 429]);
    expect((await tryPassword(program.caller({ ip: '198.51.100.10' }), newMobile(), 'dirty socks')).status).toBe(200);
  });

  test('an unknown mobile costs the same work as a wrong password: one hash', async () => {
    const { mobile } = await signUpCustomer(program);
    const hashes = async (of: string) => {
      let begun = 0;
      const hook = createHook({ init: (_id, type) => void (begun += type === 'ARGON2REQUEST' ? 1 : 0) }).enable();
      await tryPassword(program.caller(), of, 'dirty socks');
      hook.disable();
      return begun;
    };
    expect([await hashes(newMobile()), await hashes(mobile)]).toEqual([1, 1]);
  });
});

describe('sessions', () => {
  test('a log-in ends the session that the browser had, and starts one with a new token', async () => {
    const { caller, mobile, userid } = await signUpCustomer(program);
    const planted = caller.cookies.get('session')!;
    await caller.send(login, { mobile, password: PASSWORD });
    expect(caller.cookies.get('session')).not.toBe(planted);
    const attacker = program.caller();
    attacker.cookies.set('session', planted);
    expect(await isIn(attacker, userid)).toBe(false);
    expect(await isIn(caller, userid)).toBe(true);
  });

  test('a token that the browser brought along is never taken over', async () => {
    const { mobile } = await signUpCustomer(program);
    const caller = program.caller();
    caller.cookies.set('session', 'chosen-by-somebody');
    await caller.send(login, { mobile, password: PASSWORD });
    expect(caller.cookies.get('session')).not.toBe('chosen-by-somebody');
  });

  test('it lasts thirty days', async () => {
    const { caller, userid } = await signUpCustomer(program);
    program.clock.advance(30 * DAY_SECONDS - 1);
    expect(await isIn(caller, userid)).toBe(true);
    program.clock.advance(1);
    expect(await isIn(caller, userid)).toBe(false);
  });

  test('the database holds no token, the log no password, token or mobile', async () => {
    const { caller, mobile } = await signUpCustomer(program);
    const token = caller.cookies.get('session')!;
    const sessions = await program.db.selectFrom('sessions').selectAll().execute();
    expect(sessions.map(({ token_hash }) => token_hash.toString('base64url'))).not.toContain(token);
    expect(sessions.map(({ token_hash }) => token_hash.toString())).not.toContain(token);
    const log = program.log.join('\n');
    for (const secret of [token, mobile, PASSWORD]) expect(log).not.toContain(secret);
  });
});
