/** Guessing passwords, and very many log-ins, through several processes at once (reliability bar, A5 and A6). */
import { expect, test } from 'vitest';
import { loginWaitSeconds } from '../../src/domains/accounts/rules.ts';
import { login, logout } from '../../src/domains/accounts/contract.ts';
import type { Caller } from '../support/caller.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { PASSWORD, signUpCustomer } from '../support/customer.ts';
import { randomMobile } from '../support/seed-customers.ts';
import { isFull, size } from '../support/size.ts';

const tryPassword = async (caller: Caller, mobile: string, password: string) => {
  const { statusCode, headers, body } = await caller.post(login.path, { mobile, password });
  return { statusCode, retryAfter: Number(headers['retry-after']), message: (JSON.parse(body) as { message: string }).message };
};

/** How many guesses at one account the growing waits let through in this time. */
function mostGuesses(seconds: number): number {
  let [wrong, waited] = [0, 0];
  while (waited <= seconds) {
    wrong += 1;
    waited += loginWaitSeconds(wrong);
  }
  return wrong;
}

test(
  'A5: a crowd guesses at one account through two processes: a handful is looked at, and the owner gets in',
  { timeout: 120_000 },
  async () => {
    const environment = await newTestEnvironment();
    await Promise.all([environment.start(), environment.start()]);
    for (let round = 0; round < size({ small: 2, full: 10 }); round += 1) {
      const { caller: owner, mobile } = await signUpCustomer(environment, { mobile: randomMobile() });
      await owner.send(logout, {});
      const begun = performance.now();
      const answers: Awaited<ReturnType<typeof tryPassword>>[] = [];
      // In waves, so that the short queues of both processes are no help.
      for (let wave = 0; wave < 4; wave += 1)
        answers.push(...(await Promise.all(Array.from({ length: 50 }, () => tryPassword(environment.caller(), mobile, 'dirty socks')))));
      const looked = answers.filter(({ statusCode }) => statusCode === 200);
      expect(looked.length).toBeGreaterThanOrEqual(5);
      expect(looked.length).toBeLessThanOrEqual(mostGuesses((performance.now() - begun) / 1000));
      expect(answers.every(({ statusCode, retryAfter }) => statusCode === 200 || retryAfter > 0)).toBe(true);

      expect((await tryPassword(environment.caller(), mobile, PASSWORD)).statusCode, 'a stranger who knows it waits, too').toBe(429);
      expect(await tryPassword(owner, mobile, PASSWORD)).toMatchObject({ statusCode: 200, message: 'Account loggin successfully' });
    }
  },
);

test(
  'A6: 200 log-ins at once through two processes: each is answered or sent away, and the processes stay alive',
  { timeout: 120_000 },
  async () => {
    const environment = await newTestEnvironment();
    const programs = await Promise.all([environment.start(), environment.start()]);
    const crowdIsOver = new AbortController();
    const probes = programs.map(async ({ url }) => {
      const times: number[] = [];
      while (!crowdIsOver.signal.aborted) {
        const begun = performance.now();
        expect((await fetch(`${url}/livez`)).status).toBe(200);
        times.push(performance.now() - begun);
      }
      return times;
    });
    const crowd = () => Promise.all(Array.from({ length: 200 }, () => tryPassword(environment.caller(), randomMobile(), 'dirty socks')));
    const answers: Awaited<ReturnType<typeof tryPassword>>[] = [];
    for (let round = 0; round < size({ small: 1, full: 10 }); round += 1) answers.push(...(await crowd()));
    crowdIsOver.abort();
    const times = (await Promise.all(probes)).flat().toSorted((one, other) => one - other);

    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0);
    expect(answers.filter(({ statusCode }) => statusCode === 503).length).toBeGreaterThan(0);
    expect(answers.filter(({ statusCode, retryAfter }) => statusCode !== 200 && !(statusCode === 503 && retryAfter > 0))).toEqual([]);
    if (isFull) expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(200);
  },
);
