import dns from 'node:dns';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startStandIn, type StandInReply } from '../../test/support/stand-in.ts';
import { requestJson, ServiceUnreachable } from './http-client.server.ts';

const KIB = 1024;

let reply: StandInReply = { status: 200, json: {} };
const service = await startStandIn(() => reply);
const stopped = await startStandIn(() => 'hang');
const signal = new AbortController().signal;
const request = (path = '/', options: Partial<Parameters<typeof requestJson>[1]> = {}) =>
  requestJson(`${service.url}${path}`, { signal, ...options });
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('no error'),
    (error: unknown) => error,
  );

beforeEach(() => {
  reply = { status: 200, json: {} };
  service.requests.length = 0;
});

describe('a request', () => {
  test('without a body is a GET with the headers of the caller', async () => {
    reply = { status: 200, json: { found: true } };
    expect(await request('/links?id=1', { headers: { authorization: 'Basic key' } })).toEqual({ status: 200, json: { found: true } });
    const [{ headers, ...rest } = expect.fail('no request')] = service.requests;
    expect(rest).toEqual({ path: '/links?id=1', body: undefined });
    expect(headers).toMatchObject({ authorization: 'Basic key', accept: 'application/json' });
    expect(headers).not.toHaveProperty('content-type');
  });

  test.each([{ amount: 100 }, '', 0, false, null])('with the body %j is a POST of JSON', async (body) => {
    await request('/links', { body });
    expect(service.requests).toMatchObject([{ path: '/links', body, headers: { 'content-type': 'application/json' } }]);
  });
});

describe('a response', () => {
  test.each<[string, StandInReply, unknown]>([
    ['an error status with JSON', { status: 503, json: { error: 'busy' } }, { error: 'busy' }],
    ['a page', { status: 502, text: '<html>Bad gateway</html>' }, undefined],
    ['an empty body', { status: 200, text: '' }, undefined],
    ['no body', { status: 204, text: '' }, undefined],
    ['text outside ASCII', { status: 200, json: { name: 'धुलाई' } }, { name: 'धुलाई' }],
  ])('with %s is returned', async (_what, response, json) => {
    reply = response;
    expect(await request()).toEqual({ status: (response as { status: number }).status, json });
  });

  test('is read up to 64 KiB', async () => {
    const text = 'x'.repeat(64 * KIB - 2);
    reply = { status: 200, json: text };
    expect(await request()).toEqual({ status: 200, json: text });
    reply = { status: 200, json: `${text}x` };
    await expect(request()).rejects.toThrow('The response is larger than 65536 bytes');
  });

  test.each([301, 302, 303, 307, 308])('with the redirect status %i is an error', async (status) => {
    reply = { status, json: {} };
    expect(await failureOf(request())).not.toBeInstanceOf(ServiceUnreachable);
    expect(service.requests).toHaveLength(1);
  });
});

describe('a failed request', () => {
  test('throws ServiceUnreachable if the service refuses the connection', async () => {
    await stopped.down();
    const error = await failureOf(requestJson(stopped.url, { signal }));
    expect(error).toBeInstanceOf(ServiceUnreachable);
    expect(error).toMatchObject({
      name: 'ServiceUnreachable',
      message: 'The service could not be reached',
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
  });

  // The error reaches fetch from the connection, as it does from the operating system.
  test.each([
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EHOSTUNREACH', true],
    ['ENETUNREACH', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['ECONNRESET', false],
    ['EPIPE', false],
    [undefined, false],
  ])('with the code %s throws ServiceUnreachable: %s', async (code, isUnreachable) => {
    const failure = Object.assign(new Error('no connection'), code && { code });
    const lookup = vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((_host: string, _options: object, done: (error: Error) => void) =>
        done(failure)) as unknown as typeof dns.lookup);
    const error = await failureOf(requestJson('http://service.example', { signal }));
    lookup.mockRestore();
    expect(error).toMatchObject(isUnreachable ? { cause: { cause: failure } } : { cause: failure });
    expect(error instanceof ServiceUnreachable).toBe(isUnreachable);
  });

  test('throws another error if the connection ends after the request', async () => {
    reply = 'drop';
    expect(await failureOf(request())).not.toBeInstanceOf(ServiceUnreachable);
    expect(service.requests).toHaveLength(1);
  });

  test.each([new Error('stopped'), 'stopped', null])('rejects with the reason %s of the signal', async (reason) => {
    reply = 'hang';
    const stopping = new AbortController();
    const failure = failureOf(request('/', { signal: stopping.signal }));
    await expect.poll(() => service.requests.length).toBe(1);
    stopping.abort(reason);
    expect(await failure).toBe(reason);
  });
});
