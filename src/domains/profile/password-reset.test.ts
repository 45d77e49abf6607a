/**
 * A new password needs a confirmed reset code of this browser, and ends every session
 * (docs/security.md, A4).
 */
import { fail } from '../../contract/route.server.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  requestCode,
  newestCode,
  newMobile,
  PASSWORD,
  verifyMobile,
  signUpCustomer,
  type Customer,
} from '../../../test/support/customer.ts';
import { blockBefore } from '../../../test/support/blocked-statements.ts';
import { useProgram } from '../../../test/support/program.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { accountError, login, lookUp, lookUpQueries } from '../accounts/contract.ts';
import { confirmCode, verificationError } from '../verification/contract.ts';
import { getUserDetails, profileError, updateUserDetails } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const NEW_PASSWORD = 'cleaner socks';

async function handleOf(mobile: string): Promise<string> {
  const { data } = await program.caller().send(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) });
  return data?.[0]?.userid ?? '';
}

const worksFor = async (mobile: string, password: string) =>
  (await program.caller().send(login, { mobile, password })).response === 'success';

const states: [string, (customer: Customer) => Promise<{ caller: Caller; token: string | undefined }>][] = [
  ['a stranger with the handle', async ({ mobile }) => ({ caller: program.caller(), token: await handleOf(mobile) })],
  ['a stranger with the userid', async ({ userid }) => ({ caller: program.caller(), token: userid })],
  ['the customer with the session and the userid', async ({ caller, userid }) => ({ caller, token: userid })],
  ['the customer with the session and the handle', async ({ caller, mobile }) => ({ caller, token: await handleOf(mobile) })],
  ['the customer without a token', async ({ caller }) => ({ caller, token: undefined })],
  [
    'a sign-up code',
    async ({ mobile }) => {
      const caller = program.caller();
      await verifyMobile(program, caller, mobile, 'signup');
      return { caller, token: await handleOf(mobile) };
    },
  ],
  [
    'a reset code of another number',
    async ({ mobile }) => {
      const caller = program.caller();
      await verifyMobile(program, caller, newMobile(), 'reset');
      return { caller, token: await handleOf(mobile) };
    },
  ],
  [
    'a reset code of another browser',
    async ({ mobile }) => {
      await verifyMobile(program, program.caller(), mobile, 'reset');
      return { caller: program.caller(), token: await handleOf(mobile) };
    },
  ],
  [
    'a reset code eleven minutes ago',
    async ({ mobile }) => {
      const caller = program.caller();
      const token = await handleOf(mobile);
      await verifyMobile(program, caller, mobile, 'reset');
      program.clock.advance(11 * 60);
      return { caller, token };
    },
  ],
  [
    'a reset code with the userid in place of the handle',
    async ({ mobile, userid }) => {
      const caller = program.caller();
      await verifyMobile(program, caller, mobile, 'reset');
      return { caller, token: userid };
    },
  ],
];

describe('a request without a confirmed reset code', () => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await signUpCustomer(program);
  });
  const passwordHash = async () =>
    (await program.db.selectFrom('customers').select('password_hash').where('id', '=', customer.userid).executeTakeFirstOrThrow())
      .password_hash;

  test.each(states)('changes nothing: %s', async (_name, reach) => {
    const before = await passwordHash();
    // Resets the rate limits of the mobile.
    program.clock.advance(25 * 60 * 60);
    const { caller, token } = await reach(customer);
    const result = await caller.send(updateUserDetails, { ...(token !== undefined && { token }), password: NEW_PASSWORD });
    expect(result).toEqual(fail(profileError('reset-expired')));
    expect(await passwordHash()).toBe(before);
    expect(await customer.caller.send(getUserDetails, { token: customer.userid })).toMatchObject({ response: 'success' });
  });
});

test('a confirmed reset code changes the password once, ends every session and creates none', async () => {
  const { mobile, userid, caller: first } = await signUpCustomer(program);
  const second = program.caller();
  await second.send(login, { mobile, password: PASSWORD });
  program.clock.advance(31);
  const browser = program.caller();
  const token = await handleOf(mobile);
  await verifyMobile(program, browser, mobile, 'reset');
  expect(await browser.send(updateUserDetails, { token, password: NEW_PASSWORD })).toMatchObject({ response: 'success' });

  for (const caller of [first, second, browser]) {
    await expect(caller.send(getUserDetails, { token: userid })).rejects.toMatchObject({ status: 401 });
  }
  expect(await worksFor(mobile, PASSWORD)).toBe(false);
  expect(await worksFor(mobile, NEW_PASSWORD)).toBe(true);
  expect(await browser.send(updateUserDetails, { token, password: 'third socks' })).toMatchObject({ response: 'error' });
});

test('a reset ends every known device of the mobile but the browser that made it', async () => {
  const { mobile, caller: lost } = await signUpCustomer(program);
  const { mobile: otherMobile, caller: other } = await signUpCustomer(program);
  program.clock.advance(31);
  const owner = program.caller();
  const token = await handleOf(mobile);
  await verifyMobile(program, owner, mobile, 'reset');
  expect(await owner.send(updateUserDetails, { token, password: NEW_PASSWORD })).toMatchObject({ response: 'success' });

  const statusOf = async (caller: Caller, of: string, password: string) =>
    (await caller.post(login.path, { mobile: of, password })).statusCode;
  // Until strangers must wait, a wait that does not apply to known devices.
  for (const of of [mobile, otherMobile]) for (let guess = 0; guess < 6; guess += 1) await statusOf(program.caller(), of, 'dirty socks');
  expect(await statusOf(lost, mobile, NEW_PASSWORD)).toBe(429);
  expect(await statusOf(owner, mobile, NEW_PASSWORD)).toBe(200);
  expect(await statusOf(other, otherMobile, PASSWORD)).toBe(200);
});

test('a reset invalidates the confirmed and the unconfirmed codes of that mobile in other browsers', async () => {
  const { mobile } = await signUpCustomer(program);
  const [confirmed, waiting, owner] = [program.caller(), program.caller(), program.caller()];
  program.clock.advance(31);
  await verifyMobile(program, confirmed, mobile, 'reset');
  program.clock.advance(31);
  await requestCode(waiting, mobile, 'reset');
  const code = await newestCode(program, mobile);
  program.clock.advance(31);
  await verifyMobile(program, owner, mobile, 'reset');
  expect(await owner.send(updateUserDetails, { token: await handleOf(mobile), password: NEW_PASSWORD })).toMatchObject({
    response: 'success',
  });

  const confirm = await waiting.send(confirmCode, { mobile, purpose: 'reset', code });
  expect(confirm).toMatchObject({ response: 'error', ...verificationError('out-of-attempts') });
  for (const caller of [confirmed, waiting]) {
    const again = await caller.send(updateUserDetails, { token: await handleOf(mobile), password: 'third socks' });
    expect(again).toMatchObject({ response: 'error', ...profileError('reset-expired') });
  }
  expect(await worksFor(mobile, NEW_PASSWORD)).toBe(true);
});

test('of concurrent resets in two browsers one succeeds, without a deadlock', async () => {
  const { mobile } = await signUpCustomer(program);
  const token = await handleOf(mobile);
  const browsers = [program.caller(), program.caller()];
  for (const browser of browsers) {
    program.clock.advance(31);
    await verifyMobile(program, browser, mobile, 'reset');
  }
  // Blocks both resets at the statement that uses their grants.
  const hold = await blockBefore(program, 'update', 'verification_grants');
  const resets = browsers.map((browser) => browser.send(updateUserDetails, { token, password: NEW_PASSWORD }));
  const waiting = sql<{ count: number }>`select count(*) from pg_locks
    where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
  while (((await waiting.execute(program.db)).rows[0]?.count ?? 0) < 2) await sleep(5);
  await hold.release();
  const responses = await Promise.all(resets);
  expect(responses.map(({ response }) => response).toSorted()).toEqual(['error', 'success']);
});

test('a log-in whose password was checked before a reset creates no session after it', async () => {
  const { mobile, userid, caller: stale } = await signUpCustomer(program);
  program.clock.advance(31);
  const browser = program.caller();
  const token = await handleOf(mobile);
  await verifyMobile(program, browser, mobile, 'reset');
  // Between the look at the password and the new session: there a log-in forgets its wrong guesses.
  const hold = await blockBefore(program, 'delete', 'login_waits');
  const late = stale.send(login, { mobile, password: PASSWORD });
  await hold.reached();
  expect(await browser.send(updateUserDetails, { token, password: NEW_PASSWORD })).toMatchObject({ response: 'success' });
  await hold.release();

  expect(await late).toMatchObject({ response: 'error', ...accountError('wrong-password') });
  expect(await program.db.selectFrom('sessions').select('kind').where('customer_id', '=', userid).execute()).toEqual([]);
});

test('log-ins with the old password during a reset leave no session', async () => {
  const { mobile, userid } = await signUpCustomer(program);
  const browsers = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const caller = program.caller();
      await caller.send(login, { mobile, password: PASSWORD });
      return caller;
    }),
  );
  program.clock.advance(31);
  const browser = program.caller();
  const token = await handleOf(mobile);
  await verifyMobile(program, browser, mobile, 'reset');
  const [reset] = await Promise.all([
    browser.send(updateUserDetails, { token, password: NEW_PASSWORD }),
    ...browsers.map((caller) => caller.send(login, { mobile, password: PASSWORD })),
  ]);
  expect(reset).toMatchObject({ response: 'success' });
  expect(await program.db.selectFrom('sessions').select('kind').where('customer_id', '=', userid).execute()).toEqual([]);
});

test('a session can change name and e-mail, and the server validates the e-mail', async () => {
  const { caller, userid: token } = await signUpCustomer(program);
  expect(await caller.send(updateUserDetails, { token, email: 'nonsense' })).toMatchObject({ response: 'error', message: 'Invalid email' });
  const changed = await caller.send(updateUserDetails, { token, name: 'Asha Iyer', email: 'asha@example.in' });
  expect(changed).toMatchObject({ response: 'success', message: 'Account details are updated' });
  expect((await caller.send(getUserDetails, { token })).data).toMatchObject({ name: 'Asha Iyer', email: 'asha@example.in' });
  expect(await caller.send(updateUserDetails, { token })).toMatchObject({ response: 'error', message: 'Nothing to updated' });
});
