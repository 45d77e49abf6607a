/**
 * A caller over HTTP, for programs in other processes. Throws like fetch if the connection breaks.
 */
import type { LightMyRequestResponse } from 'fastify';
import { callerFrom, type Caller } from './caller.ts';

/** Calls `origin` before each request, so that requests can go to different processes or ports. */
export function httpCaller(origin: () => string): Caller {
  const cookies = new Map<string, string>();

  const request: Caller['request'] = async (method, path, payload, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${origin()}/${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
      headers: { ...(cookie && { cookie }), ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { body: typeof payload === 'string' ? payload : new Uint8Array(payload) }),
    });
    const body = await response.text();
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const result = {
      statusCode: response.status,
      body,
      headers: Object.fromEntries(response.headers),
      json: () => JSON.parse(body) as unknown,
    };
    return result as unknown as LightMyRequestResponse;
  };

  return callerFrom(request, cookies);
}
