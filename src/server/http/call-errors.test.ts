import net from 'node:net';
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { defineCall, noBody } from '../../contract/define-call.ts';
import { ApiError } from '../../contract/api-error.ts';
import { QueueFull } from '../../security/concurrency-limit.server.ts';
import { callsPlugin } from './calls.server.ts';

const failingCall = defineCall({
  method: 'POST',
  path: 'tests/fail.php',
  summary: 'Throws the error of the test.',
  caller: 'anyone',
  body: noBody,
  data: z.null(),
});

async function createFailingApp(createError: () => unknown) {
  const log: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } } });
  await app.register(fastifyCookie);
  const calls = callsPlugin({
    registerCalls: (registerRoute) =>
      registerRoute(failingCall, async () => {
        throw createError();
      }),
    publicOrigin: undefined,
    clock: fakeClock(),
    pageFolders: [],
  });
  await app.register(calls);
  return { app, log };
}

async function responseTo(createError: () => unknown, payload = '{}') {
  const { app, log } = await createFailingApp(createError);
  const response = await app.inject({
    method: 'POST',
    url: '/tests/fail.php',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  await app.close();
  return { status: response.statusCode, body: response.json<object>(), logged: log.length };
}

test.each<[string, () => unknown]>([
  ['a JSON error of the program', () => parseError('{')],
  ['an error of a library with a status', () => Object.assign(new Error('planted'), { statusCode: 404 })],
  ['an error with a status and a code of Node.js', () => Object.assign(new Error('planted'), { statusCode: 400, code: 'ERR_INVALID_URL' })],
])('%s becomes a 500 and is logged', async (_name, createError) => {
  expect(await responseTo(createError)).toEqual({
    status: 500,
    body: { response: 'error', message: 'Something went wrong, try again later', code: 'internal-error', params: {}, data: null },
    logged: 1,
  });
});

test.each(['{', '{"__proto__": 1}', 'nonsense'])('the invalid body %s becomes a 400 and is not logged', async (payload) => {
  expect(await responseTo(() => new Error('never reached'), payload)).toEqual({
    status: 400,
    body: { response: 'error', message: 'The request is not valid JSON', code: 'invalid-json', params: {}, data: null },
    logged: 0,
  });
});

test('an ApiError with status 503 is not logged', async () => {
  expect(await responseTo(() => new ApiError('unavailable', { code: 'busy', params: { seconds: 3 }, message: 'We are busy' }, 3))).toEqual({
    status: 503,
    body: { response: 'error', message: 'We are busy', code: 'busy', params: { seconds: 3 }, data: null },
    logged: 0,
  });
});

test.each([
  { what: 'of the process', isOfOneKey: false, status: 503, code: 'service-busy' },
  { what: 'of one network', isOfOneKey: true, status: 429, code: 'too-many-requests' },
])('a full queue $what becomes a $status with Retry-After and is not logged', async ({ isOfOneKey, status, code }) => {
  const { app, log } = await createFailingApp(() => new QueueFull({ isOfOneKey }));
  const response = await app.inject({ method: 'POST', url: '/tests/fail.php', payload: {} });
  await app.close();
  expect([response.statusCode, response.headers['retry-after'], log]).toEqual([status, '3', []]);
  expect(response.json()).toMatchObject({ response: 'error', code });
});

test('a request that the caller aborts is not logged', async () => {
  const { app, log } = await createFailingApp(() => new Error('never reached'));
  const failed = new Promise<string>((resolve) => {
    app.addHook('onError', async (_request, _reply, error) => resolve(error.code));
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const head = 'POST /tests/fail.php HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a"';
  const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(head));
  app.server.once('request', () => socket.resetAndDestroy());
  expect(await failed).toBe('ECONNRESET');
  await app.close();
  expect(log).toEqual([]);
});

test("a broken connection of the program is logged, although its error has the code of the caller's abort", async () => {
  const createError = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });
  expect(await responseTo(createError)).toMatchObject({ logged: 1 });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
