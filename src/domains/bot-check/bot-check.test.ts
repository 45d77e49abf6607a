/** No message is sent without a new proof of work (docs/security.md, A2). */
import { describe, expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
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
      'a longer life',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, data: { expires: 9e15 } } },
        solution,
      }),
    ],
  ];

  test.each(changes)('%s', async (_name, change) => {
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
