/**
 * Ten thousand guesses for a hundred numbers (docs/security.md, A1): two programs on one database,
 * with a different client address for each request.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeProgram } from '../../src/compose.server.ts';
import { parseSettings } from '../../src/settings.server.ts';
import { createCaller } from '../support/caller.ts';
import { randomMobile } from '../support/seed-customers.ts';
import { TEST_SECRET, useProgram } from '../support/program.ts';
import { createRandom, newSeed } from '../support/random.ts';

const seed = newSeed();
const random = createRandom(seed);
const NUMBERS = 100;
const ROUNDS = 10;
const GUESSES_PER_ROUND = 10;
const CONCURRENT_GUESSES = 200;

const program = useProgram({ BOT_CHECK: 'off', LOG_LEVEL: 'silent' });
let second: Awaited<ReturnType<typeof composeProgram>>;
beforeAll(async () => {
  const settings = parseSettings({ BOT_CHECK: 'off', LOG_LEVEL: 'silent' });
  second = await composeProgram({ settings, database: program.connection, secret: TEST_SECRET, build: undefined, clock: program.clock });
  await second.app.ready();
});
afterAll(() => second.app.close());

const randomAddress = () => `${1 + random.below(220)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;

const newCaller = () => createCaller(() => random.pick([program.app, second.app]), { ip: randomAddress() });

test.each([
  { from: 'one browser and network for each number, with forged addresses', most: 9, hasManyNetworks: false },
  { from: 'a new browser and network for each code', most: 24, hasManyNetworks: true },
])(
  `${NUMBERS * ROUNDS * GUESSES_PER_ROUND} guesses from $from: at most three for a code and $most for a number each day (seed ${seed})`,
  { timeout: 600_000 },
  async ({ most, hasManyNetworks }) => {
    await program.db.deleteFrom('verification_codes').execute();
    await program.db.deleteFrom('limit_windows').execute();
    const browsers = Array.from({ length: NUMBERS }, () => ({ mobile: randomMobile(), caller: newCaller() }));
    let successes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const browser of browsers) {
        if (hasManyNetworks) browser.caller = newCaller();
        const body = { mobile: browser.mobile, purpose: 'signup', challenge: '' };
        await browser.caller.post('verification/sendcode', body, { 'x-forwarded-for': randomAddress() });
      }
      const guesses = browsers.flatMap(({ mobile, caller }) =>
        Array.from(
          { length: GUESSES_PER_ROUND },
          () => () =>
            caller.post(
              'verification/confirmcode',
              { mobile, purpose: 'signup', code: String(random.below(1_000_000)).padStart(6, '0') },
              { 'x-forwarded-for': randomAddress() },
            ),
        ),
      );
      while (guesses.length > 0) {
        const responses = await Promise.all(guesses.splice(0, CONCURRENT_GUESSES).map((guess) => guess()));
        successes += responses.filter((response) => response.json<{ response: string }>().response === 'success').length;
      }
      // Strangers get five codes an hour.
      program.clock.advance(round === 4 ? 60 * 60 : 31);
    }
    const codes = await program.db.selectFrom('verification_codes').select(['mobile', 'wrong_guesses', 'tries_left']).execute();
    expect(codes.filter(({ wrong_guesses, tries_left }) => wrong_guesses > 3 || tries_left < 0)).toEqual([]);
    const wrongByNumber = [...Map.groupBy(codes, ({ mobile }) => mobile).values()].map((rows) =>
      rows.reduce((sum, row) => sum + row.wrong_guesses, 0),
    );
    expect(Math.min(...wrongByNumber), 'the guesses reached the server').toBeGreaterThan(2);
    expect(Math.max(...wrongByNumber)).toBeLessThanOrEqual(most);
    // The probability is three in a million for each code: one success is possible, ten are not.
    expect(successes).toBeLessThan(10);
  },
);
