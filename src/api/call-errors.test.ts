/** Whose fault an error is: the caller's is told to the caller, ours is logged and looks like a fault of ours. */
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { defineCall, noBody } from '../web/call.ts';
import { callsPlugin } from './calls.server.ts';

const stumble = defineCall({
  method: 'POST',
  path: 'tests/stumble.php',
  summary: 'Fails as it is told.',
  caller: 'anyone',
  body: noBody,
  data: z.null(),
});

async function answerTo(fault: () => unknown, payload = '{}') {
  const log: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } } });
  await app.register(fastifyCookie);
  const domains = callsPlugin(
    (answer) =>
      answer(stumble, async () => {
        throw fault();
      }),
    undefined,
    fakeClock(),
  );
  await app.register(domains);
  const response = await app.inject({
    method: 'POST',
    url: '/tests/stumble.php',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  await app.close();
  return { status: response.statusCode, message: response.json<{ message: string }>().message, logged: log.length };
}

test.each<[string, () => unknown]>([
  ['JSON of ours that is broken', () => parseError('{')],
  ['a library that gives its error a status', () => Object.assign(new Error('planted'), { statusCode: 404 })],
  ['a code that looks like a protocol', () => Object.assign(new Error('planted'), { statusCode: 400, code: 'ERR_INVALID_URL' })],
])('%s is a fault of ours: 500 and a line in the log', async (_what, fault) => {
  expect(await answerTo(fault)).toEqual({ status: 500, message: 'Something went wrong, try again later', logged: 1 });
});

test.each(['{', '{"__proto__": 1}', 'nonsense'])("the caller's %s is a 400 that nobody has to read about", async (payload) => {
  expect(await answerTo(() => new Error('never reached'), payload)).toEqual({
    status: 400,
    message: 'The request is not valid JSON',
    logged: 0,
  });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
