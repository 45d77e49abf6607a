/** Signed-in customers for browser tests, and the calls that they make. */
import type { APIRequestContext, BrowserContext } from '@playwright/test';
import { callPath, readEnvelope, encodeBody } from '../../src/contract/send.ts';
import type { Call } from '../../src/contract/define-call.ts';
import { newId } from '../../src/lib/ids.ts';
import { createPasswords } from '../../src/security/passwords.server.ts';
import { insertSession } from '../support/seed-customers.ts';
import type { BrowserTestProgram } from './built-program.ts';

export interface TestCustomer {
  userid: string;
  name: string;
  mobile: string;
  password: string;
}

/**
 * Creates a customer and a session, and gives its cookies to the browser. Writes the rows that a
 * sign-up and a log-in leave: hashing the password twice and five requests cost 0.2 s in each of
 * 150 tests.
 */
export async function signIn(
  program: BrowserTestProgram,
  context: BrowserContext,
  who: Omit<TestCustomer, 'userid'>,
): Promise<TestCustomer> {
  const { name, mobile, password } = who;
  const userid = newId();
  const now = program.clock.now();
  await program.db
    .insertInto('customers')
    .values({ id: userid, mobile, name, password_hash: await hashOf(password), created_at: now })
    .execute();
  const token = await insertSession(program, userid, 'customer');
  await context.addCookies([
    { name: 'session', value: token, url: program.url, httpOnly: true, sameSite: 'Lax' },
    { name: 'signed_in', value: '1', url: program.url, sameSite: 'Lax' },
  ]);
  return { ...who, userid };
}

const passwords = createPasswords();
const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? passwords.hash(password);
  hashes.set(password, hash);
  return hash;
}

/** Makes a call and returns its data. Throws if the call fails. */
export async function sendCall<Body, Data>(request: APIRequestContext, call: Call<Body, Data>, body: Body): Promise<Data> {
  const headers = { 'content-type': 'application/json' };
  const response =
    call.method === 'POST'
      ? await request.post(`/${call.path}`, { headers, data: encodeBody(call, body) })
      : await request.get(callPath(call, body));
  const envelope = readEnvelope(call, response.status(), await response.json());
  if (envelope.response !== 'success') throw new Error(`${call.path} failed: ${envelope.message}`);
  return envelope.data;
}
