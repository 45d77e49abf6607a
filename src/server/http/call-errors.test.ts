/** Whose fault an error is: the caller's is told to the caller, ours is logged and looks like a fault of ours. */
import net from 'node:net';
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { defineCall, noBody } from '../../contract/define-call.ts';
import { ApiError } from '../../contract/route.server.ts';
import { callsPlugin } from './calls.server.ts';

const stumble = defineCall({
  method: 'POST',
  path: 'tests/stumble.php',
  summary: 'Fails as it is told.',
  caller: 'anyone',
  body: noBody,
  data: z.null(),
});

async function stumblingApp(fault: () => unknown) {
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
  return { app, log };
}

async function answerTo(fault: () => unknown, payload = '{}') {
  const { app, log } = await stumblingApp(fault);
  const response = await app.inject({
    method: 'POST',
    url: '/tests/stumble.php',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  await app.close();
  return { status: response.statusCode, body: response.json<object>(), logged: log.length };
}

test.each<[string, () => unknown]>([
  ['JSON of ours that is broken', () => parseError('{')],
  ['a library that gives its error a status', () => Object.assign(new Error('planted'), { statusCode: 404 })],
  ['a code that looks like a protocol', () => Object.assign(new Error('planted'), { statusCode: 400, code: 'ERR_INVALID_URL' })],
])('%s is a fault of ours: 500 and a line in the log', async (_what, fault) => {
  expect(await answerTo(fault)).toEqual({
    status: 500,
    body: { response: 'error', message: 'Something went wrong, try again later', code: 'internal-error', params: {}, data: null },
    logged: 1,
  });
});

test.each(['{', '{"__proto__": 1}', 'nonsense'])("the caller's %s is a 400 that nobody has to read about", async (payload) => {
  expect(await answerTo(() => new Error('never reached'), payload)).toEqual({
    status: 400,
    body: { response: 'error', message: 'The request is not valid JSON', code: 'invalid-json', params: {}, data: null },
    logged: 0,
  });
});

test('a refusal that was meant, also a 503, is no fault: nobody has to read about it', async () => {
  expect(await answerTo(() => new ApiError(503, { code: 'busy', params: { seconds: 3 }, message: 'We are busy' }, 3))).toEqual({
    status: 503,
    body: { response: 'error', message: 'We are busy', code: 'busy', params: { seconds: 3 }, data: null },
    logged: 0,
  });
});

test('nor about a caller who hangs up in the middle of his request', async () => {
  const { app, log } = await stumblingApp(() => new Error('never reached'));
  const failed = new Promise<string>((resolve) => {
    app.addHook('onError', async (_request, _reply, error) => resolve(error.code));
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const head = 'POST /tests/stumble.php HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a"';
  const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(head));
  app.server.once('request', () => socket.resetAndDestroy());
  expect(await failed).toBe('ECONNRESET');
  await app.close();
  expect(log).toEqual([]);
});

test('a connection of ours that breaks is a fault of ours, though it bears the same code', async () => {
  const fault = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });
  expect(await answerTo(fault)).toMatchObject({ logged: 1 });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
