import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineCall } from '../contract/define-call.ts';
import { ConnectionLost } from '../contract/call-failures.ts';
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
