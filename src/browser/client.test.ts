import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineCall, noBody } from '../contract/define-call.ts';
import { CallRefused, ConnectionLost, ServerFault } from '../contract/call-failures.ts';
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
