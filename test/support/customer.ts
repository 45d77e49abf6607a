/** Customers of API tests, created by the calls of the pages. */
import { login, signUp } from '../../src/domains/accounts/contract.ts';
import { challenge } from '../../src/domains/bot-check/contract.ts';
import { solveBotCheck } from '../../src/domains/bot-check/pages/solve-bot-check.ts';
import { confirmCode, sendCode, type Purpose } from '../../src/domains/verification/contract.ts';
import type { Db } from '../../src/db/database.server.ts';
import type { Caller } from './caller.ts';

/** A program in this process, or a test environment (test-environment.ts). */
type Callable = { caller(): Caller; readonly db: Db };

export interface Customer {
  /** A caller with a session of the customer. */
  caller: Caller;
  userid: string;
  name: string;
  mobile: string;
  password: string;
}

let used = 0;

/** Returns a mobile number that no other customer of this test file has. */
export const newMobile = () => `98${String(++used).padStart(8, '0')}`;

export const PASSWORD = 'clean socks';

/** Returns a proof for the bot check of this program. */
async function botProof({ send }: Caller): Promise<string> {
  const { data } = await send(challenge, {});
  return solveBotCheck(send, { kind: data?.kind === 'off' ? 'off' : 'altcha' });
}

/** Requests a code with a fresh bot proof; returns the envelope of the call. */
export const requestCode = async (caller: Caller, mobile: string, purpose: Purpose) =>
  caller.send(sendCode, { mobile, purpose, challenge: await botProof(caller) });

/** Returns the newest code that was sent to the mobile. Throws if there is none. */
export async function newestCode(program: Callable, mobile: string): Promise<string> {
  const sent = program.db.selectFrom('outbox_messages').select('code').where('mobile', '=', mobile).where('state', '=', 'sent');
  const { code } = (await sent.orderBy('id', 'desc').executeTakeFirst()) ?? {};
  if (!code) throw new Error('no code was sent to this mobile');
  return code;
}

/** Confirms a code, which grants the caller the purpose. */
export async function verifyMobile(program: Callable, caller: Caller, mobile: string, purpose: Purpose) {
  await requestCode(caller, mobile, purpose);
  const confirmed = await caller.send(confirmCode, { mobile, purpose, code: await newestCode(program, mobile) });
  if (confirmed.response !== 'success') throw new Error(confirmed.message);
}

interface NewCustomer {
  mobile?: string;
  name?: string;
  referral?: string;
  caller?: Caller;
}

/** Signs a customer up and in. Throws if a call fails. */
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
