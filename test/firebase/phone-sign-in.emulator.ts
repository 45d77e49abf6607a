/** Phone sign-in against Firebase's Auth emulator, to compare with the stand-in of `npm test`. */
import { expect, test } from 'vitest';
import { signUp } from '../../src/domains/accounts/contract.ts';
import { confirmCode, sendCode, verificationError } from '../../src/domains/verification/contract.ts';
import { newMobile } from '../support/customer.ts';
import { runningClock } from '../support/fake-clock.ts';
import { useProgram } from '../support/program.ts';

const PROJECT = 'demo-dhulai';
const emulator = process.env.FIREBASE_AUTH_EMULATOR_HOST ?? '';

/** The emulator's tokens contain the real time. */
const clock = runningClock(new Date().toISOString());

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

/** Returns the codes that the emulator would have sent by SMS, oldest first. */
async function codesSentTo(mobile: string): Promise<string[]> {
  const response = await fetch(`http://${emulator}/emulator/v1/projects/${PROJECT}/verificationCodes`);
  const { verificationCodes } = (await response.json()) as { verificationCodes: { phoneNumber: string; code: string }[] };
  return verificationCodes.filter(({ phoneNumber }) => phoneNumber === `+91${mobile}`).map(({ code }) => code);
}

const requestCode = (mobile: string, caller: ReturnType<typeof program.caller>) =>
  caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });

test('accepts only the code that Firebase sent', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  expect(await requestCode(mobile, caller)).toMatchObject({ response: 'success', message: `SMS sent successfully on +91${mobile}` });
  const [code = '', ...more] = await codesSentTo(mobile);
  expect(more).toEqual([]);

  const confirm = (typed: string) => caller.send(confirmCode, { mobile, purpose: 'signup', code: typed });
  expect(await confirm(code === '000000' ? '000001' : '000000')).toMatchObject({ response: 'error', ...verificationError('wrong-code') });
  expect(await confirm(code)).toMatchObject({ response: 'success' });
  expect(await caller.send(signUp, { name: 'Asha Rao', mobile, password: 'clean socks' })).toMatchObject({ response: 'success' });
});

test('a resend creates a new code and invalidates the earlier one', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  await requestCode(mobile, caller);
  clock.advance(31);
  await requestCode(mobile, caller);
  const [first = '', second = ''] = await codesSentTo(mobile);
  const outcomes = [];
  for (const code of [first, second]) outcomes.push((await caller.send(confirmCode, { mobile, purpose: 'signup', code })).response);
  expect(outcomes).toEqual(['error', 'success']);
});
