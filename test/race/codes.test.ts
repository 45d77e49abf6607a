/**
 * Concurrent guesses of codes through several processes (docs/security.md, A1): the limits are in
 * the database.
 */
import { fail } from '../../src/contract/route.server.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { solveBotCheck } from '../../src/domains/bot-check/pages/solve-bot-check.ts';
import { lookUp, lookUpQueries, signUp } from '../../src/domains/accounts/contract.ts';
import { DAY_SECONDS, addSeconds } from '../../src/lib/clock.ts';
import { getUserDetails, updateUserDetails } from '../../src/domains/profile/contract.ts';
import { confirmCode, sendCode, verificationError } from '../../src/domains/verification/contract.ts';
import { CallRefused } from '../../src/contract/call-failures.ts';
import type { Caller } from '../support/caller.ts';
import { newTestEnvironment, useTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { verifyMobile, signUpCustomer } from '../support/customer.ts';
import { randomMobile } from '../support/seed-customers.ts';
import { size } from '../support/size.ts';

const GUESSES = 200;
const twoProcesses = useTestEnvironment(2);
const twoBehindProxy = useTestEnvironment(2, { TRUST_PROXY: '1' });

/** Requests a code. Returns the caller and the code. */
async function requestNewCode(environment: TestEnvironment, mobile = randomMobile()) {
  const caller = environment.caller();
  const sent = await caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });
  expect(sent.response).toBe('success');
  for (;;) {
    const [message] = (await caller.get(`outbox.json?mobile=${mobile}`)).json<{ code: string | null }[]>();
    if (message?.code) return { caller, mobile, code: message.code };
    await sleep(50);
  }
}

/** Under load a call may be rejected by a full queue. Such a guess was not checked. */
function rejectedByQueue(error: unknown) {
  const isBusy = error instanceof CallRefused && (error.status === 503 || error.code === 'too-many-requests');
  if (isBusy) return { response: 'rejected', message: error.message } as const;
  throw error;
}

const codeRow = ({ db }: TestEnvironment, mobile: string) =>
  db
    .selectFrom('verification_codes')
    .select(['tries_left', 'wrong_guesses', 'used_at', 'voided_at'])
    .where('mobile', '=', mobile)
    .execute();

const anotherCode = (code: string, offset: number) => String((Number(code) + offset) % 1_000_000).padStart(6, '0');

test(
  `A1: ${GUESSES} concurrent wrong guesses of one code through two processes: three are checked, and the right code is rejected afterwards`,
  { timeout: 120_000 },
  async () => {
    const environment = twoProcesses();
    for (let round = 0; round < size({ small: 2, full: 20 }); round += 1) {
      const { caller, mobile, code } = await requestNewCode(environment);
      const guesses = Array.from({ length: GUESSES }, (_, index) =>
        caller.send(confirmCode, { mobile, purpose: 'signup', code: anotherCode(code, index + 1) }).catch(rejectedByQueue),
      );
      const responses = await Promise.all(guesses);
      expect(responses.filter(({ response }) => response === 'success')).toEqual([]);
      expect(await codeRow(environment, mobile)).toMatchObject([{ tries_left: 0, wrong_guesses: 3, used_at: null }]);
      const late = await caller.send(confirmCode, { mobile, purpose: 'signup', code });
      expect(late.response).toBe('error');
      expect([fail(verificationError('wrong-code')), fail(verificationError('out-of-attempts'))]).toContainEqual(late);
    }
  },
);

/** Ages the codes of a number for its limits, but not their expiry. */
const backdateCodes = ({ db }: TestEnvironment, mobile: string, seconds: number) =>
  db
    .updateTable('verification_codes')
    .set({ created_at: sql<Date>`created_at - make_interval(secs => ${seconds})` })
    .where('mobile', '=', mobile)
    .execute();

test(
  'A1: concurrent guesses of four valid codes of one number through two processes: nine wrong ones a day are checked for one network',
  { timeout: 120_000 },
  async () => {
    const environment = twoProcesses();
    for (let round = 0; round < size({ small: 2, full: 20 }); round += 1) {
      const mobile = randomMobile();
      const browsers: Awaited<ReturnType<typeof requestNewCode>>[] = [];
      for (let sent = 0; sent < 4; sent += 1) {
        browsers.push(await requestNewCode(environment, mobile));
        await backdateCodes(environment, mobile, 31);
      }
      const responses = await Promise.all(
        browsers.flatMap(({ caller, code }) =>
          Array.from({ length: 8 }, (_, index) =>
            caller.send(confirmCode, { mobile, purpose: 'signup', code: anotherCode(code, index + 1) }).catch(rejectedByQueue),
          ),
        ),
      );
      expect(responses.filter(({ response }) => response === 'success')).toEqual([]);
      const rows = await codeRow(environment, mobile);
      expect(rows.reduce((sum, { wrong_guesses }) => sum + wrong_guesses, 0)).toBe(9);
      for (const { caller, code } of browsers)
        expect(await caller.send(confirmCode, { mobile, purpose: 'signup', code })).toMatchObject({
          ...verificationError('out-of-attempts'),
        });
      await expect(requestNewCode(environment, mobile)).rejects.toMatchObject({ status: 429, ...verificationError('out-of-attempts') });
    }
  },
);

test(
  'A1: concurrent guesses of twelve codes of one number from twelve networks through two processes: twenty-four wrong ones a day are checked',
  { timeout: 120_000 },
  async () => {
    const environment = twoBehindProxy();
    const mobile = randomMobile();
    const secondsAgo = (seconds: number) => addSeconds(environment.clock.now(), -seconds);
    const strangers: { caller: Caller; from: Record<string, string> }[] = [];
    for (let sent = 0; sent < 12; sent += 1) {
      const stranger = { caller: environment.caller(), from: { 'x-forwarded-for': `203.0.${sent}.1` } };
      const { statusCode } = await stranger.caller.post(sendCode.path, { mobile, purpose: 'signup', challenge: '' }, stranger.from);
      expect(statusCode).toBe(200);
      strangers.push(stranger);
      await backdateCodes(environment, mobile, sent === 4 ? 60 * 60 : 31);
      // Old enough for another code, while their guesses still count.
      if (sent === 7)
        await environment.db
          .updateTable('verification_codes')
          .set({ created_at: secondsAgo(DAY_SECONDS + 60) })
          .execute();
    }
    const guesses = strangers.flatMap(({ caller, from }) =>
      Array.from({ length: 6 }, () => caller.post(confirmCode.path, { mobile, purpose: 'signup', code: '12345678' }, from)),
    );
    await Promise.all(guesses);
    const rows = await codeRow(environment, mobile);
    expect(rows).toHaveLength(12);
    expect(rows.reduce((sum, { wrong_guesses }) => sum + wrong_guesses, 0)).toBe(24);
  },
);

test(
  'A2: concurrent requests for codes through two processes: one in 30 s is sent, five an hour, eight a day',
  { timeout: 120_000 },
  async () => {
    const environment = twoBehindProxy();
    const mobile = randomMobile();
    let networks = 0;
    const nextNetwork = () => ({ 'x-forwarded-for': `10.${(networks += 1) >> 8}.${networks & 255}.1` });
    const sentBy = async (count: number) => {
      const responses = await Promise.all(
        Array.from({ length: count }, () =>
          environment.caller().post(sendCode.path, { mobile, purpose: 'signup', challenge: '' }, nextNetwork()),
        ),
      );
      // A request that is not sent is too early (429), or finds the queue of its number full (503).
      expect(responses.filter(({ statusCode }) => ![200, 429, 503].includes(statusCode))).toEqual([]);
      return responses.filter(({ statusCode }) => statusCode === 200).length;
    };
    const sent: number[] = [];
    for (let wave = 0; wave < 6; wave += 1) {
      sent.push(await sentBy(size({ small: 20, full: 600 })));
      await backdateCodes(environment, mobile, 31);
    }
    await backdateCodes(environment, mobile, 60 * 60);
    for (let wave = 0; wave < 4; wave += 1) {
      sent.push(await sentBy(size({ small: 20, full: 400 })));
      await backdateCodes(environment, mobile, 31);
    }
    expect(sent).toEqual([1, 1, 1, 1, 1, 0, 1, 1, 1, 0]);
    const messages = await environment.db.selectFrom('outbox_messages').select('state').where('mobile', '=', mobile).execute();
    expect(messages).toHaveLength(8);
  },
);

test('A2: a hundred concurrent requests with one bot check proof through two processes send one code', { timeout: 120_000 }, async () => {
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(undefined, { BOT_CHECK: 'altcha' }), environment.start(undefined, { BOT_CHECK: 'altcha' })]);
  const proof = await solveBotCheck(environment.caller().send, { kind: 'altcha' });
  const responses = await Promise.all(
    Array.from({ length: 100 }, () =>
      environment.caller().post(sendCode.path, { mobile: randomMobile(), purpose: 'signup', challenge: proof }),
    ),
  );
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(responses.filter(({ statusCode }) => statusCode === 403)).toHaveLength(99);
  expect(await environment.db.selectFrom('verification_codes').select('id').execute()).toHaveLength(1);
});

test('A3: a hundred concurrent confirmations with the right code through two processes: one succeeds', { timeout: 120_000 }, async () => {
  const environment = twoProcesses();
  const { caller, mobile, code } = await requestNewCode(environment);
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => caller.send(confirmCode, { mobile, purpose: 'signup', code }).catch(rejectedByQueue)),
  );
  expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
  const grants = await environment.db.selectFrom('verification_grants').select('id').where('mobile', '=', mobile).execute();
  expect(grants).toHaveLength(1);
});

test('A3: a hundred concurrent resets with one confirmed code through two processes set one password', { timeout: 120_000 }, async () => {
  const environment = twoProcesses();
  const { mobile, caller: owner } = await signUpCustomer(environment, { mobile: randomMobile() });
  await backdateCodes(environment, mobile, 31);
  const caller = environment.caller();
  const { data } = await caller.send(lookUp, { query: lookUpQueries.mobileAndUserid(mobile) });
  await verifyMobile(environment, caller, mobile, 'reset');
  const resets = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      caller
        .send(updateUserDetails, { ...(data?.[0]?.userid && { token: data[0].userid }), password: `new one ${index}` })
        .catch(rejectedByQueue),
    ),
  );
  expect(resets.filter(({ response }) => response === 'success')).toHaveLength(1);
  await expect(owner.send(getUserDetails, {})).rejects.toMatchObject({ status: 401 });
});

test(
  'A3: a hundred concurrent sign-ups with one confirmed code through two processes create one account',
  { timeout: 120_000 },
  async () => {
    const environment = twoProcesses();
    const { caller, mobile, code } = await requestNewCode(environment);
    await caller.send(confirmCode, { mobile, purpose: 'signup', code });
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => caller.send(signUp, { name: 'Asha', mobile, password: 'six chars' }).catch(rejectedByQueue)),
    );
    expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
    expect(await environment.db.selectFrom('customers').select('id').where('mobile', '=', mobile).execute()).toHaveLength(1);
  },
);
