/** A customer with an account and a live session in the browser, made by the calls that the pages make. */
import type { APIRequestContext } from '@playwright/test';
import { login, signUp } from '../../src/domains/accounts/contract.ts';
import { confirmCode, sendCode } from '../../src/domains/verification/contract.ts';
import { challenge } from '../../src/domains/bot-check/contract.ts';
import type { Call } from '../../src/contract/define-call.ts';
import { addressOf, readEnvelope, writeBody } from '../../src/browser/client.ts';

export interface TestCustomer {
  userid: string;
  name: string;
  mobile: string;
  password: string;
}

export async function signUpAndLogIn(request: APIRequestContext, who: Omit<TestCustomer, 'userid'>): Promise<TestCustomer> {
  const { name, mobile, password } = who;
  await make(request, challenge, {});
  await make(request, sendCode, { mobile, purpose: 'signup', challenge: '' });
  const [message] = (await (await request.get(`/outbox.json?mobile=${mobile}`)).json()) as { code: string }[];
  await make(request, confirmCode, { mobile, purpose: 'signup', code: message?.code ?? '' });
  await make(request, signUp, { name, mobile, password });
  const { userid } = await make(request, login, { mobile, password });
  return { ...who, userid };
}

/** Makes a call that must succeed and answers its data. */
export async function make<Body, Data>(request: APIRequestContext, call: Call<Body, Data>, body: Body): Promise<Data> {
  const headers = { 'content-type': 'application/json' };
  const response =
    call.method === 'POST'
      ? await request.post(`/${call.path}`, { headers, data: writeBody(call, body) })
      : await request.get(addressOf(call, body));
  const envelope = readEnvelope(call, response.status(), await response.json());
  if (envelope.response !== 'success') throw new Error(`${call.path} answered: ${envelope.message}`);
  return envelope.data;
}
