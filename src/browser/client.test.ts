import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineCall, noBody } from '../contract/define-call.ts';
import { CallRefused, ConnectionLost, requireData, ServerFault } from '../contract/call-failures.ts';
import { fetchSend } from './client.ts';

test.each(['GET', 'POST'] as const)('%s: a body that does not match the contract is a bug, not a lost connection', async (method) => {
  const call = defineCall({
    method,
    path: 'reviews/anything',
    summary: 'A test',
    caller: 'anyone',
    errors: {},
    body: z.object({ offset: z.string().check(z.regex(/^\d+$/)) }),
    data: z.null(),
  });
  const error: unknown = await fetchSend(call, { offset: 'many' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(z.core.$ZodError);
  expect(error).not.toBeInstanceOf(ConnectionLost);
});

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['a captive portal', 200, '<title>Log in to the network</title>'],
  ['a captive portal without HTML', 200, '"offline"'],
  ['a proxy', 502, '<title>Bad Gateway</title>'],
])('the response of %s is a lost connection', async (_what, status, text) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text, { status })));
  const call = defineCall({ method: 'GET', path: 'reviews/anything', summary: 'A test', caller: 'anyone', body: noBody, data: z.null() });
  await expect(fetchSend(call, {})).rejects.toThrow(ConnectionLost);
});

test.each([
  [500, ServerFault],
  [503, CallRefused],
  [429, CallRefused],
])('status %i with an envelope throws %o', async (status, error) => {
  const envelope = JSON.stringify({ response: 'error', message: 'Something went wrong', code: 'any', params: {}, data: null });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(envelope, { status })));
  const call = defineCall({ method: 'GET', path: 'reviews/anything', summary: 'A test', caller: 'anyone', body: noBody, data: z.null() });
  await expect(fetchSend(call, {})).rejects.toThrow(error);
});

const orders = defineCall({ method: 'POST', path: 'orders/anything', summary: 'A test', caller: 'anyone', body: noBody, data: z.number() });
const sendTo = async (status: number, envelope: object) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(envelope), { status })));
  return requireData(await fetchSend(orders, {}));
};

test.each([200, 429, 500])('an error response with status %i keeps its code and the values of its text', async (status) => {
  const error = { code: 'order-not-found', params: { orderid: 'A' }, message: 'No order found with order number A' };
  await expect(sendTo(status, { response: 'error', ...error, data: null })).rejects.toMatchObject(error);
});

test('returns the data of a successful response', async () => {
  expect(await sendTo(200, { response: 'success', message: 'Order', data: 7 })).toBe(7);
});
