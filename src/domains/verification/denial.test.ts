/**
 * Strangers cannot deny the owner of a mobile number the codes. Known devices have separate limits,
 * and neither one network nor one known device can use up those of the others. Design section 6,
 * "Codes"; decisions 0033 and 0038.
 */
import { describe, expect, test } from 'vitest';
import { newestCode, newMobile, PASSWORD, signUpCustomer, verifyMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { addSeconds } from '../../lib/clock.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import { login, logout } from '../accounts/contract.ts';
import { confirmCode, sendCode, verificationError } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const OUT_OF_ATTEMPTS = verificationError('out-of-attempts').code;

const send = async (caller: Caller, mobile: string) =>
  (await caller.post(sendCode.path, { mobile, purpose: 'guest', challenge: '' })).statusCode;
const confirm = (caller: Caller, mobile: string, code: string) => caller.send(confirmCode, { mobile, purpose: 'guest', code });

let networks = 0;
/** Returns a browser in a network that no other test uses. */
const stranger = () => {
  networks += 1;
  return program.caller({ ip: `203.0.${networks}.9` });
};

/** Makes three wrong guesses at a new code of this browser. Returns the error codes. */
async function guessThrice(caller: Caller, mobile: string) {
  expect(await send(caller, mobile)).toBe(200);
  const code = await newestCode(program, mobile);
  const errors: unknown[] = [];
  for (let guess = 1; guess <= 3; guess += 1) {
    const wrong = String((Number(code) + guess) % 1_000_000).padStart(6, '0');
    const result = await confirm(caller, mobile, wrong);
    errors.push(result.response === 'success' ? 'success' : result.code);
  }
  program.clock.advance(31);
  return errors;
}

async function canConfirm(caller: Caller, mobile: string) {
  expect(await send(caller, mobile)).toBe(200);
  expect(await confirm(caller, mobile, await newestCode(program, mobile))).toMatchObject({ response: 'success' });
}

/** Returns a browser in which the owner of the mobile has confirmed a code. */
async function ownersBrowser(mobile: string) {
  const caller = stranger();
  await verifyMobile(program, caller, mobile, 'guest');
  program.clock.advance(25 * 60 * 60);
  return caller;
}

const HOUR = 60 * 60;

async function useUpHourOfStrangers(mobile: string) {
  for (let sent = 0; sent < 5; sent += 1) {
    expect(await send(stranger(), mobile)).toBe(200);
    program.clock.advance(31);
  }
}

const knownDevices = (mobile: string) =>
  program.db.selectFrom('known_devices').select('created_at').where('mobile', '=', mobile).orderBy('created_at').execute();

describe('wrong guesses', () => {
  test('nine from one network end the codes of that network only', async () => {
    const mobile = newMobile();
    const guesser = stranger();
    for (let code = 0; code < 3; code += 1) await guessThrice(guesser, mobile);
    expect(await send(guesser, mobile)).toBe(429);
    await canConfirm(stranger(), mobile);
  });

  test('a network gets nine in all of its browsers and addresses', async () => {
    const mobile = newMobile();
    const errors: unknown[] = [];
    for (let host = 1; host <= 3; host += 1) errors.push(...(await guessThrice(program.caller({ ip: `198.51.100.${host}` }), mobile)));
    expect(errors.filter((error) => error === 'wrong-code')).toHaveLength(8);
    expect(errors.at(-1)).toBe(OUT_OF_ATTEMPTS);
    expect(
      (await program.caller({ ip: '198.51.100.4' }).post(sendCode.path, { mobile, purpose: 'guest', challenge: '' })).json(),
    ).toMatchObject({ code: OUT_OF_ATTEMPTS });
  });

  test('a browser gets nine in all networks', async () => {
    const mobile = newMobile();
    const guesser = stranger();
    for (let code = 0; code < 3; code += 1) {
      const moved = stranger();
      for (const [name, value] of guesser.cookies) moved.cookies.set(name, value);
      await guessThrice(moved, mobile);
      for (const [name, value] of moved.cookies) guesser.cookies.set(name, value);
    }
    expect(await send(guesser, mobile)).toBe(429);
  });

  test('strangers of many networks get twenty-four a day, and a known device its own six', async () => {
    const mobile = newMobile();
    const owner = await ownersBrowser(mobile);
    let evaluated = 0;
    const guess = async (caller: Caller) => {
      evaluated += (await guessThrice(caller, mobile)).length;
    };
    for (let code = 0; code < 5; code += 1) await guess(stranger());
    program.clock.advance(HOUR);
    for (let code = 0; code < 3; code += 1) await guess(stranger());
    expect(evaluated).toBe(24);
    program.clock.advance(HOUR);
    expect(await send(stranger(), mobile)).toBe(429);
    await canConfirm(owner, mobile);
    program.clock.advance(31);
    for (let code = 0; code < 2; code += 1) await guessThrice(owner, mobile);
    expect(await send(owner, mobile)).toBe(429);
  });

  test('a known device gets six of the nine of all known devices', async () => {
    const mobile = newMobile();
    const [kiosk, owner] = [await ownersBrowser(mobile), await ownersBrowser(mobile)];
    for (let code = 0; code < 2; code += 1) await guessThrice(kiosk, mobile);
    expect(await send(kiosk, mobile)).toBe(429);
    expect(await guessThrice(owner, mobile)).toEqual(['wrong-code', 'wrong-code', 'out-of-attempts']);
    expect(await send(owner, mobile)).toBe(429);
  });

  test('a network that used its attempts does not stop a known device in it', async () => {
    const mobile = newMobile();
    const neighbour = program.caller({ ip: '192.0.2.7' });
    const owner = program.caller({ ip: '192.0.2.7' });
    await verifyMobile(program, owner, mobile, 'guest');
    await guessThrice(neighbour, newMobile());
    await program.db.updateTable('limit_windows').set({ taken: 100 }).where('name', '=', 'tried codes of a network').execute();
    await expect(guessThrice(neighbour, newMobile())).rejects.toMatchObject({ status: 429 });
    program.clock.advance(31);
    await canConfirm(owner, mobile);
  });
});

describe('sending', () => {
  test('one network gets four of the five codes of an hour, and six of the eight of a day', async () => {
    const mobile = newMobile();
    const statuses = async (count: number) => {
      const result: number[] = [];
      for (let sent = 0; sent < count; sent += 1) {
        result.push(await send(program.caller({ ip: '192.0.2.20' }), mobile));
        program.clock.advance(31);
      }
      return result;
    };
    expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
    await canConfirm(stranger(), mobile);
    program.clock.advance(HOUR);
    expect(await statuses(3)).toEqual([200, 200, 429]);
    program.clock.advance(HOUR);
    expect(await send(stranger(), mobile)).toBe(200);
    program.clock.advance(31);
    expect(await send(stranger(), mobile)).toBe(429);
  });

  test('a known device has its own thirty seconds, four an hour and six a day', async () => {
    const mobile = newMobile();
    const owner = await ownersBrowser(mobile);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await send(stranger(), mobile)).toBe(200);
      if (sent < 4) program.clock.advance(31);
    }
    for (let sent = 0; sent < 4; sent += 1) {
      expect(await send(owner, mobile)).toBe(200);
      program.clock.advance(31);
    }
    expect(await send(owner, mobile)).toBe(429);
    program.clock.advance(HOUR);
    for (let sent = 0; sent < 2; sent += 1) {
      expect(await send(owner, mobile)).toBe(200);
      program.clock.advance(31);
    }
    program.clock.advance(2 * HOUR);
    expect(await send(owner, mobile)).toBe(429);
  });

  test('all known devices of a mobile share one reserve', async () => {
    const { mobile, caller } = await signUpCustomer(program, { caller: stranger() });
    program.clock.advance(25 * HOUR);
    const second = await ownersBrowser(mobile);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await send(sent % 2 === 0 ? caller : second, mobile)).toBe(200);
      program.clock.advance(31);
    }
    expect([await send(caller, mobile), await send(second, mobile)]).toEqual([429, 429]);
  });

  test('one known device leaves codes to the others', async () => {
    const mobile = newMobile();
    const [kiosk, owner] = [await ownersBrowser(mobile), await ownersBrowser(mobile)];
    for (const sent of [4, 2]) {
      for (let count = 0; count < sent; count += 1) {
        expect(await send(kiosk, mobile)).toBe(200);
        program.clock.advance(31);
      }
      expect(await send(kiosk, mobile)).toBe(429);
      expect(await send(owner, mobile)).toBe(200);
      program.clock.advance(HOUR);
    }
  });

  test('a log-out everywhere ends every known device of the mobile but the browser that made it', async () => {
    const { mobile, caller: owner } = await signUpCustomer(program, { caller: stranger() });
    const [kiosk, otherMobile] = [stranger(), newMobile()];
    await ownersBrowser(otherMobile);
    await kiosk.send(login, { mobile, password: PASSWORD });
    await kiosk.send(logout, {});
    owner.cookies.delete('device');
    await owner.send(logout, { everywhere: true });
    await useUpHourOfStrangers(mobile);
    expect([await send(kiosk, mobile), await send(owner, mobile)]).toEqual([429, 200]);
    expect([await knownDevices(mobile), await knownDevices(otherMobile)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('a sign-up ends every known device of the mobile but the browser that made it', async () => {
    const mobile = newMobile();
    const previousOwner = await ownersBrowser(mobile);
    const { caller: owner } = await signUpCustomer(program, { mobile, caller: stranger() });
    program.clock.advance(25 * HOUR);
    await useUpHourOfStrangers(mobile);
    expect([await send(previousOwner, mobile), await send(owner, mobile)]).toEqual([429, 200]);
    expect(await knownDevices(mobile)).toHaveLength(1);
  });

  test('the twenty newest devices of a mobile are known', async () => {
    const { mobile } = await signUpCustomer(program, { caller: stranger() });
    const expires_at = addSeconds(program.clock.now(), 30 * HOUR);
    const added = Array.from({ length: 24 }, () => {
      program.clock.advance(1);
      return { device_hash: hashToken(newToken()), mobile, created_at: program.clock.now(), expires_at };
    });
    await program.db.insertInto('known_devices').values(added).execute();
    program.clock.advance(1);
    await stranger().send(login, { mobile, password: PASSWORD });
    const times = (await knownDevices(mobile)).map(({ created_at }) => created_at);
    expect(times).toEqual([...added.slice(-19).map(({ created_at }) => created_at), program.clock.now()]);
  });

  test('a browser that is known for another mobile is a stranger', async () => {
    const mobile = newMobile();
    const other = await ownersBrowser(newMobile());
    await useUpHourOfStrangers(mobile);
    expect(await send(other, mobile)).toBe(429);
  });

  test('strangers who fill the queue of a mobile do not delay a known device', async () => {
    const mobile = newMobile();
    const owner = await ownersBrowser(mobile);
    const flood = Array.from({ length: 200 }, () => stranger().post(sendCode.path, { mobile, purpose: 'guest', challenge: '' }));
    const status = await send(owner, mobile);
    const codes = (await Promise.all(flood)).map((response) => response.json<{ code?: string }>().code);
    expect(codes).toContain('too-many-requests');
    expect(status).toBe(200);
  });

  test('a network that used its codes does not stop a known device in it', async () => {
    const mobile = newMobile();
    const owner = program.caller({ ip: '192.0.2.90' });
    await verifyMobile(program, owner, mobile, 'guest');
    const statuses: number[] = [];
    for (let sent = 0; sent < 21; sent += 1) statuses.push(await send(program.caller({ ip: '192.0.2.90' }), newMobile()));
    expect(statuses.at(-1)).toBe(429);
    program.clock.advance(31);
    expect(await send(owner, mobile)).toBe(200);
  });
});
