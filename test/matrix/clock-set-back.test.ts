/**
 * A clock that was ahead and is set back leaves no waits that are longer than their windows
 * (docs/security.md).
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteExpiredAccountData } from '../../src/domains/accounts/service.server.ts';
import { login, lookUp, lookUpQueries } from '../../src/domains/accounts/contract.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { addReview } from '../../src/domains/reviews/contract.ts';
import { SESSION_DAYS } from '../../src/domains/sessions/authentication.server.ts';
import { updateFutureSessions } from '../../src/domains/sessions/store.server.ts';
import { confirmCode, sendCode } from '../../src/domains/verification/contract.ts';
import { deleteExpiredVerifications } from '../../src/domains/verification/service.server.ts';
import { grant } from '../../src/domains/customers/desk/contract.ts';
import { outboxGateway } from '../../src/domains/messages/provider.server.ts';
import { sendNext } from '../../src/domains/notifications/service.server.ts';
import { getDeskOrder, weigh } from '../../src/domains/order-desk/desk/contract.ts';
import { passkeyOptions, setPerson } from '../../src/domains/staff/desk/contract.ts';
import { deleteExpiredStaffData } from '../../src/domains/staff/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { DAY_SECONDS } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newestCode, newMobile, PASSWORD, signUpCustomer, verifyMobile } from '../support/customer.ts';
import { useProgram } from '../support/program.ts';
import { newStaff, newStaffSession } from '../support/staff.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import type { Caller } from '../support/caller.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const AHEAD_SECONDS = 3 * DAY_SECONDS;

/** Each test starts with a right clock, later than the wrong clock of the test before. */
beforeEach(() => program.clock.advance(10 * DAY_SECONDS));

/** Runs `work` while the clock is three days ahead. */
async function whileAhead<Result>(work: () => Promise<Result>): Promise<Result> {
  program.clock.advance(AHEAD_SECONDS);
  const result = await work();
  program.clock.advance(-AHEAD_SECONDS);
  return result;
}

const send = async (caller: Caller, mobile: string) =>
  (await caller.post(sendCode.path, { mobile, purpose: 'guest', challenge: '' })).statusCode;
const logIn = (mobile: string, password: string) => program.caller().post(login.path, { mobile, password });
const now = () => program.clock.now();

describe('codes', () => {
  test('are sent at once after a day of codes', async () => {
    const [caller, mobile] = [program.caller(), newMobile()];
    await whileAhead(async () => {
      for (let sent = 0; sent < 6; sent += 1) {
        await send(caller, mobile);
        program.clock.advance(3600);
      }
      program.clock.advance(-6 * 3600);
    });
    expect(await send(caller, mobile)).toBe(200);
  });

  test('are checked after nine wrong guesses', async () => {
    const [caller, mobile] = [program.caller(), newMobile()];
    const confirm = async (code: string) => (await caller.send(confirmCode, { mobile, purpose: 'guest', code })).response;
    await whileAhead(async () => {
      for (let sent = 0; sent < 3; sent += 1) {
        await send(caller, mobile);
        const code = await newestCode(program, mobile);
        for (let wrong = 1; wrong <= 3; wrong += 1) await confirm(String((Number(code) + wrong) % 1_000_000).padStart(6, '0'));
        program.clock.advance(31);
      }
      expect(await send(caller, mobile)).toBe(429);
      program.clock.advance(-93);
    });
    expect(await send(caller, mobile)).toBe(200);
    expect(await confirm(await newestCode(program, mobile))).toBe('success');
  });

  test('and grants of the wrong clock end with it', async () => {
    const [waiting, proved] = [program.caller(), program.caller()];
    const [mobile, provedMobile] = [newMobile(), newMobile()];
    await whileAhead(async () => {
      await send(waiting, mobile);
      await verifyMobile(program, proved, provedMobile, 'signup');
    });
    const code = await newestCode(program, mobile);
    expect(await waiting.send(confirmCode, { mobile, purpose: 'guest', code })).toMatchObject({ code: 'out-of-attempts' });
    await deleteExpiredVerifications(program.db, now());
    expect(await program.db.selectFrom('verification_codes').select('id').execute()).toEqual([]);
    expect(await program.db.selectFrom('verification_grants').select('id').execute()).toEqual([]);
  });
});

describe('passwords', () => {
  test('the wait after wrong ones is not longer than it was', async () => {
    const { mobile } = await signUpCustomer(program);
    const statuses = await whileAhead(async () => {
      for (let guess = 0; guess < 7; guess += 1) {
        await logIn(mobile, 'dirty socks');
        program.clock.advance(10);
      }
      await logIn(mobile, 'dirty socks');
      const status = (await logIn(mobile, PASSWORD)).statusCode;
      program.clock.advance(-70);
      return status;
    });
    expect(statuses).toBe(429);
    expect((await logIn(mobile, PASSWORD)).statusCode).toBe(200);
  });

  test('the next wrong one makes the next wait of the series', async () => {
    const { mobile } = await signUpCustomer(program);
    await whileAhead(async () => {
      for (let guess = 0; guess < 5; guess += 1) await logIn(mobile, 'dirty socks');
    });
    expect((await logIn(mobile, 'dirty socks')).statusCode).toBe(200);
    const waiting = await logIn(mobile, PASSWORD);
    expect([waiting.statusCode, waiting.headers['retry-after']]).toEqual([429, '4']);
  });

  test('reset handles of the wrong clock end with it', async () => {
    const { mobile } = await signUpCustomer(program);
    await whileAhead(() => program.caller().send(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) }));
    await program.caller().send(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) });
    await deleteExpiredAccountData(program.db, now());
    expect(await program.db.selectFrom('reset_handles').select('mobile').execute()).toEqual([{ mobile }]);
  });
});

test('a session of the wrong clock stays valid and ends thirty days from now', async () => {
  const { caller, userid } = await whileAhead(() => signUpCustomer(program));
  const status = async () => (await caller.post(getUserDetails.path, { token: userid })).statusCode;
  await updateFutureSessions(program.db, now());
  program.clock.advance(SESSION_DAYS * DAY_SECONDS - 1);
  expect(await status()).toBe(200);
  program.clock.advance(1);
  expect(await status()).toBe(401);
});

test('three reviews of the wrong clock do not count today', async () => {
  const { caller, userid } = await signUpCustomer(program);
  const write = async (message: string) => (await caller.post(addReview.path, { userid, star: 4, message })).json().response;
  await whileAhead(async () => {
    for (const message of ['one', 'two', 'three']) expect(await write(message)).toBe('success');
    expect(await write('four')).toBe('error');
  });
  expect(await write('five')).toBe('success');
});

test('a credit of the wrong clock that is sent again credits once', async () => {
  const { mobile, userid } = await signUpCustomer(program);
  const owner = await newStaff(program, 'owner');
  const idempotencyKey = newId();
  const give = (caller: Caller) =>
    caller.send(grant, { kind: 'promotion', mobile, amount: asPaise(1000), reason: 'A welcome' }, { idempotencyKey });
  const first = await give(owner.caller);
  const ahead = new Date(now().getTime() + AHEAD_SECONDS * 1000);
  await program.db.updateTable('staff_answers').set({ created_at: ahead }).where('key', '=', idempotencyKey).execute();
  await deleteExpiredStaffData(program.db, now());
  expect(await give(owner.caller)).toEqual(first);
  expect(await readBalance(program.db, userid)).toBe(1000);
});

test('links and passkey ceremonies of the staff of the wrong clock do not outlive their time', async () => {
  const owner = await newStaff(program, 'owner');
  const { personid } = await newStaff(program, 'operator');
  const makeLink = (from: Caller) => from.send(setPerson, { action: 'link', personid });
  const hasLink = async () =>
    (await program.db.selectFrom('staff_members').select('link_hash').where('id', '=', personid).executeTakeFirst())?.link_hash !== null;
  await whileAhead(async () => {
    const caller = await newStaffSession(program, owner.personid);
    expect(await makeLink(caller)).toMatchObject({ response: 'success' });
    expect(await caller.send(passkeyOptions, {})).toMatchObject({ response: 'success' });
  });
  await deleteExpiredStaffData(program.db, now());
  expect(await hasLink()).toBe(false);
  const ceremonies = program.db.selectFrom('staff_passkey_steps').select('purpose').where('staff_id', '=', owner.personid);
  expect(await ceremonies.execute()).toEqual([]);
  const caller = await newStaffSession(program, owner.personid);
  await makeLink(caller);
  await caller.send(passkeyOptions, {});
  await deleteExpiredStaffData(program.db, now());
  expect(await hasLink()).toBe(true);
  expect(await ceremonies.execute()).toHaveLength(1);
});

test('a message of the wrong clock is sent at once', async () => {
  const { orderid } = await whileAhead(async () => place(await newOrderingCustomer(program)));
  const site = { brand: 'Dhulai', url: 'http://laundry.example' };
  const failures: unknown[] = [];
  const sender = { db: program.db, clock: program.clock, gateway: outboxGateway, site, timeoutMs: 5000 };
  while ((await sendNext({ ...sender, onFailure: (error) => void failures.push(error) })) !== 'idle');
  const messages = program.db.selectFrom('notifications').innerJoin('order_events', 'order_events.id', 'notifications.event_id');
  expect(await messages.select('state').where('order_id', '=', orderid).execute()).toEqual([{ state: 'sent' }]);
  expect(failures).toEqual([]);
});

test('credits of the wrong clock do not use up those of the day', async () => {
  const { mobile, userid } = await signUpCustomer(program);
  const { personid } = await newStaff(program, 'operator');
  const give = async () => {
    const credit = { kind: 'promotion', mobile, amount: asPaise(80_000), reason: 'A welcome' } as const;
    const caller = await newStaffSession(program, personid);
    return (await caller.send(grant, credit, { idempotencyKey: newId() })).response;
  };
  await whileAhead(async () => {
    expect([await give(), await give()]).toEqual(['success', 'error']);
  });
  expect(await give()).toBe('success');
  expect(await readBalance(program.db, userid)).toBe(160_000);
});

test('weighings of the wrong clock do not use up those of the day', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const { personid } = await newStaff(program, 'rider');
  const weighOnce = async (weight: number) => {
    const caller = await newStaffSession(program, personid);
    const version = (await caller.send(getDeskOrder, { orderid })).data?.version ?? 0;
    return (await caller.send(weigh, { orderid, version, weight, items: 3, reason: 'Weighed again' })).response;
  };
  await whileAhead(async () => {
    for (let count = 1; count <= 10; count += 1) expect(await weighOnce(1000 + count * 10)).toBe('success');
    expect(await weighOnce(2000)).toBe('error');
  });
  expect(await weighOnce(2000)).toBe('success');
});
