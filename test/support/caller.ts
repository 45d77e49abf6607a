import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Call, Envelope } from '../../src/contract/define-call.ts';
import { callPath, readEnvelope, encodeBody, type SendOptions } from '../../src/contract/send.ts';
import { newId } from '../../src/lib/ids.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';

export interface Caller {
  /** Makes a call like the typed client. Throws CallRefused if the protocol rejects it. */
  send<Body, Data, Code extends string = never>(
    call: Call<Body, Data, Code>,
    body: Body,
    options?: SendOptions,
  ): Promise<Envelope<Data, Code>>;
  /** Posts any body and returns the response. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  request(method: Method, path: string, payload?: string | Buffer, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  readonly cookies: Map<string, string>;
}

/** Returns the options of a call with an Idempotency-Key of its own. */
export const newKey = () => ({ idempotencyKey: newId() });

/** Creates a caller with a cookie jar. `ip` is the remote address of its requests. */
export function createCaller(app: () => FastifyInstance, { ip = '127.0.0.1' }: { ip?: string } = {}): Caller {
  const cookies = new Map<string, string>();

  const request: Caller['request'] = async (method, path, payload, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app().inject({
      method,
      url: `/${path}`,
      remoteAddress: ip,
      headers: { ...(cookie && { cookie }), ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    for (const set of response.cookies) {
      if (set.value === '' || (set.expires && set.expires.getTime() <= 0)) cookies.delete(set.name);
      else cookies.set(set.name, set.value);
    }
    return response;
  };

  return callerFrom(request, cookies);
}

/** Creates a caller from a function that sends requests. */
export const callerFrom = (request: Caller['request'], cookies: Map<string, string>): Caller => ({
  cookies,
  request,
  get: (path, headers) => request('GET', path, undefined, headers),
  post: (path, body, headers) => request('POST', path, typeof body === 'string' ? body : JSON.stringify(body), headers),
  send: async (call, body, options) => {
    const { idempotencyKey: key, headers } = options ?? {};
    const payload = call.method === 'POST' ? encodeBody(call, body) : undefined;
    const response = await request(call.method, callPath(call, body).slice(1), payload, {
      ...(key && { 'idempotency-key': key }),
      ...headers,
    });
    return readEnvelope(call, response.statusCode, response.json());
  },
});
