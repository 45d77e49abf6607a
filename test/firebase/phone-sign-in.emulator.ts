/** Phone sign-in against Firebase's own Auth emulator: the stand-in of `npm test` is only as good as its likeness to this. */
import { expect, test } from 'vitest';
import { signUp } from '../../src/domains/accounts/contract.ts';
import { confirmCode, sendCode, verificationError } from '../../src/domains/verification/contract.ts';
import { newMobile } from '../support/customer.ts';
import { flowingClock } from '../support/fake-clock.ts';
import { useProgram } from '../support/program.ts';

const PROJECT = 'demo-dhulai';
const emulator = process.env.FIREBASE_AUTH_EMULATOR_HOST ?? '';

/** The emulator's tokens carry the real time. */
const clock = flowingClock(new Date().toISOString());

const program = useProgram(
  {
    SMS_PROVIDER: 'firebase',
    BOT_CHECK: 'off',
    FIREBASE_PROJECT_ID: PROJECT,
    FIREBASE_API_KEY: 'any key will do',
    FIREBASE_AUTH_EMULATOR_HOST: emulator,
  },
  { clock },
);

/** What the emulator would have sent by SMS, oldest first. */
async function codesSentTo(mobile: string): Promise<string[]> {
  const response = await fetch(`http://${emulator}/emulator/v1/projects/${PROJECT}/verificationCodes`);
  const { verificationCodes } = (await response.json()) as { verificationCodes: { phoneNumber: string; code: string }[] };
  return verificationCodes.filter(({ phoneNumber }) => phoneNumber === `+91${mobile}`).map(({ code }) => code);
}

const ask = (mobile: string, caller: ReturnType<typeof program.caller>) =>
  caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });

test('a number is proved by the code that Firebase sent, and by no other', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  expect(await ask(mobile, caller)).toMatchObject({ response: 'success', message: `SMS sent successfully on +91${mobile}` });
  const [code = '', ...more] = await codesSentTo(mobile);
  expect(more).toEqual([]);

  const confirm = (typed: string) => caller.send(confirmCode, { mobile, purpose: 'signup', code: typed });
  expect(await confirm(code === '000000' ? '000001' : '000000')).toMatchObject({ response: 'error', ...verificationError('wrong-code') });
  expect(await confirm(code)).toMatchObject({ response: 'success' });
  expect(await caller.send(signUp, { name: 'Asha Rao', mobile, password: 'clean socks' })).toMatchObject({ response: 'success' });
});

test('a resend makes a new code, and the earlier one stops working', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await ask(mobile, caller);
  clock.advance(31);
  await ask(mobile, caller);
  const [first = '', second = ''] = await codesSentTo(mobile);
  const outcomes = [];
  for (const code of [first, second]) outcomes.push((await caller.send(confirmCode, { mobile, purpose: 'signup', code })).response);
  expect(outcomes).toEqual(['error', 'success']);
});
