/** Customers of API tests, made by the calls that the pages make. */
import { login, signUp } from '../../src/domains/accounts/contract.ts';
import { challenge } from '../../src/domains/bot-check/contract.ts';
import { solveBotCheck } from '../../src/domains/bot-check/pages/solve-bot-check.ts';
import { confirmCode, sendCode, type Purpose } from '../../src/domains/verification/contract.ts';
import type { Caller } from './caller.ts';

/** A program of this process, or the environment of several (test-environment.ts). */
type Callable = { caller(): Caller };

export interface Customer {
  /** A browser with the customer's live session. */
  caller: Caller;
  userid: string;
  name: string;
  mobile: string;
  password: string;
}

let used = 0;

/** A mobile number that no other customer of this test file has. */
export const newMobile = () => `98${String(++used).padStart(8, '0')}`;

export const PASSWORD = 'clean socks';

/** A proof of the kind that this program asks for; pages read the kind in their document. */
async function botProof({ send }: Caller): Promise<string> {
  const { data } = await send(challenge, {});
  return solveBotCheck(send, { kind: data?.kind === 'off' ? 'off' : 'altcha' });
}

/** Requests a code with a fresh bot proof; returns the envelope of the call. */
export const requestCode = async (caller: Caller, mobile: string, purpose: Purpose) =>
  caller.send(sendCode, { mobile, purpose, challenge: await botProof(caller) });

/** The newest code that went to the mobile, read where a demonstration shows it. */
export async function newestCode(program: Callable, mobile: string): Promise<string> {
  const messages = (await program.caller().get(`outbox.json?mobile=${mobile}`)).json<{ code: string }[]>();
  const code = messages[0]?.code;
  if (!code) throw new Error('no code was sent to this mobile');
  return code;
}

/** Leaves the caller with what a confirmed code gives. */
export async function verifyMobile(program: Callable, caller: Caller, mobile: string, purpose: Purpose) {
  await requestCode(caller, mobile, purpose);
  const answer = await caller.send(confirmCode, { mobile, purpose, code: await newestCode(program, mobile) });
  if (answer.response !== 'success') throw new Error(answer.message);
}

interface NewCustomer {
  mobile?: string;
  name?: string;
  referral?: string;
  caller?: Caller;
}

export async function signUpCustomer(program: Callable, who: NewCustomer = {}): Promise<Customer> {
  const { mobile = newMobile(), name = 'Asha Rao', caller = program.caller(), referral } = who;
  const password = PASSWORD;
  await verifyMobile(program, caller, mobile, 'signup');
  const created = await caller.send(signUp, { name, mobile, password, ...(referral !== undefined && { referral }) });
  if (created.response !== 'success') throw new Error(created.message);
  const { data } = await caller.send(login, { mobile, password });
  if (!data) throw new Error('log-in failed');
  return { caller, userid: data.userid, name, mobile, password };
}
