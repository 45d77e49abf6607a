/**
 * Concurrent password guesses and log-ins through several processes (docs/security.md, A5 and A6).
 */
import { expect, test } from 'vitest';
import { loginWaitSeconds } from '../../src/domains/accounts/rules.ts';
import { login, logout } from '../../src/domains/accounts/contract.ts';
import type { Caller } from '../support/caller.ts';
import { useTestEnvironment } from '../support/test-environment.ts';
import { PASSWORD, signUpCustomer } from '../support/customer.ts';
import { randomMobile } from '../support/seed-customers.ts';
import { isFull, size } from '../support/size.ts';

const twoProcesses = useTestEnvironment(2);

const tryPassword = async (caller: Caller, mobile: string, password: string) => {
  const { statusCode, headers, body } = await caller.post(login.path, { mobile, password });
  return { statusCode, retryAfter: Number(headers['retry-after']), message: (JSON.parse(body) as { message: string }).message };
};

/** Returns the number of guesses at one account that the back-off permits in this time. */
function maxGuesses(seconds: number): number {
  let [wrong, waited] = [0, 0];
  while (waited <= seconds) {
    wrong += 1;
    waited += loginWaitSeconds(wrong);
  }
  return wrong;
}

test(
  'A5: concurrent guesses for one account through two processes: few are checked, and the owner can log in',
  { timeout: 120_000 },
  async () => {
    const environment = twoProcesses();
    for (let round = 0; round < size({ small: 2, full: 10 }); round += 1) {
      const { caller: owner, mobile } = await signUpCustomer(environment, { mobile: randomMobile() });
      await owner.send(logout, {});
      const startedAt = performance.now();
      const responses: Awaited<ReturnType<typeof tryPassword>>[] = [];
      // In waves, so that the queue limits of the processes do not reject them.
      for (let wave = 0; wave < 4; wave += 1)
        responses.push(...(await Promise.all(Array.from({ length: 50 }, () => tryPassword(environment.caller(), mobile, 'dirty socks')))));
      const checked = responses.filter(({ statusCode }) => statusCode === 200);
      expect(checked.length).toBeGreaterThanOrEqual(5);
      expect(checked.length).toBeLessThanOrEqual(maxGuesses((performance.now() - startedAt) / 1000));
      expect(responses.every(({ statusCode, retryAfter }) => statusCode === 200 || retryAfter > 0)).toBe(true);

      expect((await tryPassword(environment.caller(), mobile, PASSWORD)).statusCode, 'another client with the password must wait too').toBe(
        429,
      );
      expect(await tryPassword(owner, mobile, PASSWORD)).toMatchObject({ statusCode: 200, message: 'Account loggin successfully' });
    }
  },
);

test(
  'A6: 200 concurrent log-ins through two processes: each succeeds or is rejected, and the processes stay live',
  { timeout: 120_000 },
  async () => {
    const environment = twoProcesses();
    const logInsEnded = new AbortController();
    const probes = environment.programs.map(async ({ url }) => {
      const times: number[] = [];
      while (!logInsEnded.signal.aborted) {
        const startedAt = performance.now();
        expect((await fetch(`${url}/livez`)).status).toBe(200);
        times.push(performance.now() - startedAt);
      }
      return times;
    });
    const logInMany = () =>
      Promise.all(Array.from({ length: 200 }, () => tryPassword(environment.caller(), randomMobile(), 'dirty socks')));
    const responses: Awaited<ReturnType<typeof tryPassword>>[] = [];
    for (let round = 0; round < size({ small: 1, full: 10 }); round += 1) responses.push(...(await logInMany()));
    logInsEnded.abort();
    const times = (await Promise.all(probes)).flat().toSorted((one, other) => one - other);

    expect(responses.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0);
    expect(responses.filter(({ statusCode }) => statusCode === 503).length).toBeGreaterThan(0);
    expect(responses.filter(({ statusCode, retryAfter }) => statusCode !== 200 && !(statusCode === 503 && retryAfter > 0))).toEqual([]);
    if (isFull) expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(200);
  },
);
