/** No message is sent without a new proof of work (docs/security.md, A2). */
import { describe, expect, test } from 'vitest';
import { newMobile, verifyMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { solveBotCheck } from './pages/solve-bot-check.ts';

const program = useProgram();

const sendWith = (proof: string, mobile = newMobile()) =>
  program.caller().post('verification/sendcode', { mobile, purpose: 'signup', challenge: proof });
const countMessages = async () => (await program.db.selectFrom('outbox_messages').select('id').execute()).length;

test('accepts a proof for one message', async () => {
  const proof = await solveBotCheck(program.caller().send, { kind: 'altcha' });
  const before = await countMessages();
  expect((await sendWith(proof)).statusCode).toBe(200);
  expect((await sendWith(proof)).statusCode).toBe(403);
  expect(await countMessages()).toBe(before + 1);
});

test('accepts one of fifty concurrent requests with the same proof', async () => {
  const proof = await solveBotCheck(program.caller().send, { kind: 'altcha' });
  const responses = await Promise.all(Array.from({ length: 50 }, () => sendWith(proof)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

interface Proof {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: Record<string, unknown>;
}

describe('sends nothing for an invalid proof', () => {
  const changes: [string, (proof: Proof) => unknown][] = [
    ['no text', () => ''],
    ['no JSON', () => 'x'],
    ['null', () => null],
    ['a list', () => []],
    ['no solution', ({ challenge }) => ({ challenge })],
    ['a solution of null', ({ challenge }) => ({ challenge, solution: null })],
    ['another solution', ({ challenge, solution }) => ({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } })],
    [
      'the public half of the solution',
      ({ challenge, solution }) => ({ challenge, solution: { ...solution, derivedKey: challenge.parameters.keyPrefix } }),
    ],
    ['no signature', ({ challenge, solution }) => ({ challenge: { parameters: challenge.parameters }, solution })],
    [
      'easier work',
      ({ challenge, solution }) => ({ challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }, solution }),
    ],
    [
      'a higher difficulty',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, data: { ...(challenge.parameters.data as object), price: 16 } } },
        solution,
      }),
    ],
    [
      'a longer life',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, data: { expires: 9e15 } } },
        solution,
      }),
    ],
  ];

  test.each(changes)('refuses %s', async (_name, change) => {
    const proof = JSON.parse(await solveBotCheck(program.caller().send, { kind: 'altcha' })) as Proof;
    const before = await countMessages();
    const changed = change(proof);
    const response = await sendWith(typeof changed === 'string' ? changed : JSON.stringify(changed));
    expect(response.statusCode).toBe(403);
    expect(response.json()).toEqual({
      response: 'error',
      message: 'This is a development error, complaint it at support@dhulai.example or restart the app',
      code: 'bot-check-failed',
      params: { email: 'support@dhulai.example' },
      data: null,
    });
    expect(await countMessages()).toBe(before);
  });

  test('a proof that is five minutes old', async () => {
    const [early, late] = [
      await solveBotCheck(program.caller().send, { kind: 'altcha' }),
      await solveBotCheck(program.caller().send, { kind: 'altcha' }),
    ];
    program.clock.advance(299);
    expect((await sendWith(early)).statusCode).toBe(200);
    program.clock.advance(1);
    expect((await sendWith(late)).statusCode).toBe(403);
  });
});

describe('the difficulty of a proof increases with the codes of the hour', () => {
  /** Makes the program count `taken` codes in this hour. */
  const setSent = async (taken: number) => {
    await program.db.deleteFrom('limit_windows').where('name', '=', 'codes in all').execute();
    const consumed = await consumeLimit(program.db, { ...HOURLY_CODES, subject: 'all', now: program.clock.now() });
    expect(consumed.allowed).toBe(true);
    await program.db.updateTable('limit_windows').set({ taken }).where('name', '=', 'codes in all').execute();
  };
  const HOURLY_CODES = { name: 'codes in all', max: 1000, windowSeconds: 60 * 60 };
  const solve = async () => {
    const text = await solveBotCheck(program.caller().send, { kind: 'altcha' });
    return { text, steps: (JSON.parse(text) as { solution: { counter: number } }).solution.counter };
  };

  test('the challenge takes up to sixteen times the work', async () => {
    await setSent(299);
    expect((await solve()).steps).toBeLessThanOrEqual(200);
    await setSent(650);
    const { text, steps } = await solve();
    expect(steps).toBeGreaterThanOrEqual(16 * 50);
    expect((await sendWith(text)).statusCode).toBe(200);
  });

  test('a proof is accepted until the difficulty has doubled twice', async () => {
    await setSent(0);
    const [first, second] = [await solve(), await solve()];
    await setSent(399);
    expect((await sendWith(first.text)).statusCode).toBe(200);
    await setSent(400);
    expect((await sendWith(second.text)).statusCode).toBe(403);
  });

  test('known devices and strangers pay the same', async () => {
    await setSent(0);
    const [caller, mobile] = [program.caller(), newMobile()];
    await verifyMobile(program, caller, mobile, 'guest');
    const cheap = await solve();
    await setSent(700);
    program.clock.advance(31);
    const { statusCode } = await caller.post('verification/sendcode', { mobile, purpose: 'guest', challenge: cheap.text });
    expect(statusCode).toBe(403);
  });
});
