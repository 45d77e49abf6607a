/** Guessing a code through several processes at once (reliability bar, A1): what counts is counted in the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { confirmCode, sendCode, verificationMessages } from '../../src/domains/verification/contract.ts';
import { CallRefused } from '../../src/web/call-failures.ts';
import { newGround, type Ground } from '../support/child-program.ts';
import { randomMobile } from '../support/people.ts';
import { size } from '../support/size.ts';

const GUESSES = 200;

/** A browser that has been sent a code, and the code. */
async function codeSent(ground: Ground, mobile = randomMobile()) {
  const caller = ground.caller();
  const sent = await caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });
  expect(sent.response).toBe('success');
  for (;;) {
    const [message] = (await caller.get(`outbox.json?mobile=${mobile}`)).json<{ code: string | null }[]>();
    if (message?.code) return { caller, mobile, code: message.code };
    await sleep(50);
  }
}

/** A crowd may be told that there is no room; such a guess was not looked at. */
function turnedAway(error: unknown) {
  if (error instanceof CallRefused && error.status === 503) return { response: 'turned away', message: error.message } as const;
  throw error;
}

const codeRow = ({ db }: Ground, mobile: string) =>
  db
    .selectFrom('verification_codes')
    .select(['tries_left', 'wrong_guesses', 'used_at', 'voided_at'])
    .where('mobile', '=', mobile)
    .execute();

const anotherCode = (code: string, offset: number) => String((Number(code) + offset) % 1_000_000).padStart(6, '0');

test(
  `A1: ${GUESSES} wrong guesses at one code at once, through two processes: three are looked at, and the right code is worth nothing after them`,
  { timeout: 120_000 },
  async () => {
    const ground = await newGround();
    await Promise.all([ground.start(), ground.start()]);
    for (let round = 0; round < size({ small: 2, full: 20 }); round += 1) {
      const { caller, mobile, code } = await codeSent(ground);
      const guesses = Array.from({ length: GUESSES }, (_, index) =>
        caller.send(confirmCode, { mobile, purpose: 'signup', code: anotherCode(code, index + 1) }).catch(turnedAway),
      );
      const answers = await Promise.all(guesses);
      expect(answers.filter(({ response }) => response === 'success')).toEqual([]);
      expect(await codeRow(ground, mobile)).toMatchObject([{ tries_left: 0, wrong_guesses: 3, used_at: null }]);
      const late = await caller.send(confirmCode, { mobile, purpose: 'signup', code });
      expect(late.response).toBe('error');
      expect([verificationMessages.invalid, verificationMessages.outOfAttempts]).toContain(late.message);
    }
  },
);

test(
  'A1: nine wrong guesses a day for a number, through two processes, however many of its codes are guessed at once',
  { timeout: 120_000 },
  async () => {
    const ground = await newGround();
    await Promise.all([ground.start(), ground.start()]);
    const mobile = randomMobile();
    const codes: Awaited<ReturnType<typeof codeSent>>[] = [];
    for (let browser = 0; browser < 5; browser += 1) {
      codes.push(await codeSent(ground, mobile));
      // The next send of a number is half a minute away: that time has passed.
      await sql`update verification_codes set created_at = created_at - interval '31 seconds'`.execute(ground.db);
    }
    // Five live codes with three tries each.
    const guesses = [1, 2, 3].flatMap((offset) =>
      codes.map(({ caller, code }) =>
        caller.send(confirmCode, { mobile, purpose: 'signup', code: anotherCode(code, offset) }).catch(turnedAway),
      ),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ response }) => response !== 'error')).toEqual([]);
    const wrong = (await codeRow(ground, mobile)).reduce((sum, row) => sum + row.wrong_guesses, 0);
    expect(wrong).toBe(9);
  },
);

test('A3: the right code a hundred times at once, through two processes, is good once', { timeout: 120_000 }, async () => {
  const ground = await newGround();
  await Promise.all([ground.start(), ground.start()]);
  const { caller, mobile, code } = await codeSent(ground);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => caller.send(confirmCode, { mobile, purpose: 'signup', code }).catch(turnedAway)),
  );
  expect(answers.filter(({ response }) => response === 'success')).toHaveLength(1);
  const grants = await ground.db.selectFrom('verification_grants').select('id').where('mobile', '=', mobile).execute();
  expect(grants).toHaveLength(1);
});
