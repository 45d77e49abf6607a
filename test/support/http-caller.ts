/** A caller over a real connection, for programs that run as processes of their own. A connection that breaks throws, as fetch does. */
import type { LightMyRequestResponse } from 'fastify';
import { callerFrom, type Caller } from './caller.ts';

/** `origin` is asked at every request: the program may have moved to another port, or the next request go to another process. */
export function httpCaller(origin: () => string): Caller {
  const cookies = new Map<string, string>();

  const request: Caller['request'] = async (method, path, payload, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${origin()}/${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
      headers: { ...(cookie && { cookie }), ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { body: payload }),
    });
    const body = await response.text();
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const answered = {
      statusCode: response.status,
      body,
      headers: Object.fromEntries(response.headers),
      json: () => JSON.parse(body) as unknown,
    };
    return answered as unknown as LightMyRequestResponse;
  };

  return callerFrom(request, cookies);
}
