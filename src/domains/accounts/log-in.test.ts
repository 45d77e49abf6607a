/** Passwords and sessions (docs/security.md, A5 to A7). */
import { createHook } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { newMobile, PASSWORD, signUpCustomer } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { login, logout } from './contract.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const tryPassword = async (caller: Caller, mobile: string, password: string) => {
  const result = await caller.post('login/login.php', { mobile, password });
  return { status: result.statusCode, message: result.json().message as string, retryAfter: Number(result.headers['retry-after']) };
};
const isLoggedIn = async (caller: Caller, userid: string) =>
  (await caller.post('login/getuserdetails.php', { token: userid })).statusCode === 200;

describe('guessing passwords', () => {
  test('after five wrong passwords, growing waits apply to right and wrong passwords in all unknown browsers', async () => {
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

  test('checks five of two hundred concurrent guesses', async () => {
    const { mobile } = await signUpCustomer(program);
    const responses = await Promise.all(Array.from({ length: 200 }, () => tryPassword(program.caller(), mobile, 'dirty socks')));
    const countOf = (expected: number) => responses.filter(({ status }) => status === expected).length;
    expect(countOf(200)).toBe(5);
    // The others wait or find the queue of hashes full: how many depends on the time of a hash.
    expect(countOf(429) + countOf(503)).toBe(195);
    expect(countOf(503)).toBeGreaterThan(0);
  });

  test('lets the owner log in at once in a known browser, and after the wait in another', async () => {
    const { mobile, caller } = await signUpCustomer(program);
    await caller.send(logout, {});
    let wait = 0;
    for (let guess = 0; guess < 7; guess += 1) {
      const result = await tryPassword(program.caller(), mobile, 'dirty socks');
      if (result.status === 429) wait = result.retryAfter;
    }
    expect(wait).toBeGreaterThan(0);
    expect(await tryPassword(caller, mobile, PASSWORD)).toMatchObject({ status: 200, message: 'Account loggin successfully' });
    const another = program.caller();
    expect((await tryPassword(another, mobile, PASSWORD)).status).toBe(429);
    program.clock.advance(wait);
    expect(await tryPassword(another, mobile, PASSWORD)).toMatchObject({ status: 200, message: 'Account loggin successfully' });
  });

  test('applies the wait to a known browser that guesses, and to one known for another account', async () => {
    const [one, other] = [await signUpCustomer(program), await signUpCustomer(program)];
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) statuses.push((await tryPassword(one.caller, one.mobile, 'dirty socks')).status);
    expect(statuses).toContain(429);
    for (let guess = 0; guess < 7; guess += 1) await tryPassword(program.caller(), other.mobile, 'dirty socks');
    expect((await tryPassword(one.caller, other.mobile, PASSWORD)).status).toBe(429);
  });

  test('limits the log-ins of one network across accounts, except those of known browsers', async () => {
    const stranger = program.caller({ ip: '198.51.100.9' });
    const known = await signUpCustomer(program, { caller: program.caller({ ip: '198.51.100.9' }) });
    await tryPassword(stranger, newMobile(), 'dirty socks');
    // The limit is 100 in 15 minutes. The test sets the count instead of hashing 98 passwords.
    await program.db.updateTable('limit_windows').set({ taken: 99 }).where('name', '=', 'log-ins of a network').execute();
    const statuses: number[] = [];
    for (let account = 0; account < 3; account += 1) statuses.push((await tryPassword(stranger, newMobile(), 'dirty socks')).status);
    expect(statuses).toEqual([200, 429, 429]);
    expect((await tryPassword(known.caller, known.mobile, PASSWORD)).status).toBe(200);
    expect((await tryPassword(known.caller, newMobile(), 'dirty socks')).status).toBe(429);
    // Right passwords compute hashes, too: known browsers have a limit of 30.
    await program.db.updateTable('limit_windows').set({ taken: 29 }).where('name', '=', 'log-ins of a network, known browsers').execute();
    expect((await tryPassword(known.caller, known.mobile, PASSWORD)).status).toBe(200);
    expect((await tryPassword(known.caller, known.mobile, PASSWORD)).status).toBe(429);
    expect((await tryPassword(program.caller({ ip: '198.51.100.10' }), newMobile(), 'dirty socks')).status).toBe(200);
  });

  test('wrong passwords in one known browser use up no log-ins of the others', async () => {
    const { mobile, caller } = await signUpCustomer(program);
    const shared = program.caller();
    await tryPassword(shared, mobile, PASSWORD);
    await shared.send(logout, {});
    for (let guess = 0; guess < 30; guess += 1) await tryPassword(shared, mobile, 'dirty socks');
    expect((await tryPassword(shared, mobile, PASSWORD)).status).toBe(429);
    expect((await tryPassword(caller, mobile, PASSWORD)).status).toBe(200);
  });

  test('computes one hash for an unknown mobile, as for a wrong password', async () => {
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
  test('a log-in ends the previous session of the browser and creates one with a new token', async () => {
    const { caller, mobile, userid } = await signUpCustomer(program);
    const planted = caller.cookies.get('session')!;
    await caller.send(login, { mobile, password: PASSWORD });
    expect(caller.cookies.get('session')).not.toBe(planted);
    const attacker = program.caller();
    attacker.cookies.set('session', planted);
    expect(await isLoggedIn(attacker, userid)).toBe(false);
    expect(await isLoggedIn(caller, userid)).toBe(true);
  });

  test('a log-in never adopts a token that the browser sends', async () => {
    const { mobile } = await signUpCustomer(program);
    const caller = program.caller();
    caller.cookies.set('session', 'chosen-by-somebody');
    await caller.send(login, { mobile, password: PASSWORD });
    expect(caller.cookies.get('session')).not.toBe('chosen-by-somebody');
  });

  test('a session lasts thirty days', async () => {
    const { caller, userid } = await signUpCustomer(program);
    program.clock.advance(30 * DAY_SECONDS - 1);
    expect(await isLoggedIn(caller, userid)).toBe(true);
    program.clock.advance(1);
    expect(await isLoggedIn(caller, userid)).toBe(false);
  });

  test('the database contains no token, and the log no password, token or mobile', async () => {
    const { caller, mobile } = await signUpCustomer(program);
    const token = caller.cookies.get('session')!;
    const sessions = await program.db.selectFrom('sessions').selectAll().execute();
    expect(sessions.map(({ token_hash }) => token_hash.toString('base64url'))).not.toContain(token);
    expect(sessions.map(({ token_hash }) => token_hash.toString())).not.toContain(token);
    const log = program.log.join('\n');
    for (const secret of [token, mobile, PASSWORD]) expect(log).not.toContain(secret);
  });
});
