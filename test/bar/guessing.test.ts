/** Ten thousand guesses over a hundred numbers (reliability bar, A1), through two programs on one database, with every request from somewhere else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeProgram } from '../../src/compose.server.ts';
import { parseSettings } from '../../src/settings.server.ts';
import { createCaller } from '../support/caller.ts';
import { randomMobile } from '../support/people.ts';
import { TEST_SECRET, useProgram } from '../support/program.ts';
import { chance, newSeed } from '../support/random.ts';

const seed = newSeed();
const random = chance(seed);
const NUMBERS = 100;
const ROUNDS = 10;
const GUESSES_A_ROUND = 10;
const GUESSES_AT_ONCE = 200;

const program = useProgram({ BOT_CHECK: 'off', LOG_LEVEL: 'silent' });
let second: Awaited<ReturnType<typeof composeProgram>>;
beforeAll(async () => {
  const settings = parseSettings({ BOT_CHECK: 'off', LOG_LEVEL: 'silent' });
  second = await composeProgram({ settings, database: program.connection, secret: TEST_SECRET, build: undefined, clock: program.clock });
  await second.app.ready();
});
afterAll(() => second.app.close());

const somewhere = () => `${1 + random.below(220)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;

test(
  `${NUMBERS * ROUNDS * GUESSES_A_ROUND} guesses with resends: three a code, nine a number a day, wherever they come from (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const browsers = Array.from({ length: NUMBERS }, () => ({
      mobile: randomMobile(),
      caller: createCaller(() => random.pick([program.app, second.app]), { ip: somewhere() }),
    }));
    let successes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { mobile, caller } of browsers)
        await caller.post('verification/sendcode', { mobile, purpose: 'signup', challenge: '' }, { 'x-forwarded-for': somewhere() });
      const guesses = browsers.flatMap(({ mobile, caller }) =>
        Array.from(
          { length: GUESSES_A_ROUND },
          () => () =>
            caller.post(
              'verification/confirmcode',
              { mobile, purpose: 'signup', code: String(random.below(1_000_000)).padStart(6, '0') },
              { 'x-forwarded-for': somewhere() },
            ),
        ),
      );
      while (guesses.length > 0) {
        const answers = await Promise.all(guesses.splice(0, GUESSES_AT_ONCE).map((guess) => guess()));
        successes += answers.filter((answer) => answer.json<{ response: string }>().response === 'success').length;
      }
      program.clock.advance(31);
    }
    const codes = await program.db.selectFrom('verification_codes').select(['mobile', 'wrong_guesses', 'tries_left']).execute();
    expect(codes.filter(({ wrong_guesses, tries_left }) => wrong_guesses > 3 || tries_left < 0)).toEqual([]);
    const wrongByNumber = [...Map.groupBy(codes, ({ mobile }) => mobile).values()].map((rows) =>
      rows.reduce((sum, row) => sum + row.wrong_guesses, 0),
    );
    expect(Math.min(...wrongByNumber), 'the guesses did arrive').toBeGreaterThan(2);
    expect(Math.max(...wrongByNumber)).toBeLessThanOrEqual(9);
    // Three in a million a code: a lucky hit is possible, ten are not.
    expect(successes).toBeLessThan(10);
  },
);
