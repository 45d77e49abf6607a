import type { FastifyInstance } from 'fastify';
import { callPath, readEnvelope, encodeBody, type Send } from '../../contract/send.ts';

/**
 * An address reserved for documentation (RFC 5737). Without an address, `inject` uses the loopback
 * address, which some routes trust.
 */
const LOADER_IP = '192.0.2.1';

/**
 * Sends a loader's calls through the program's own routes. It sends no cookie, so no document can
 * contain data of a customer. Throws the errors of `readEnvelope`.
 */
export const injectSend =
  (app: FastifyInstance, clientIp: string = LOADER_IP): Send =>
  async (call, body) => {
    const response = await app.inject({
      method: call.method,
      url: callPath(call, body),
      remoteAddress: clientIp,
      ...(call.method === 'POST' && { headers: { 'content-type': 'application/json' }, payload: encodeBody(call, body) }),
    });
    return readEnvelope(call, response.statusCode, response.json(), Number(response.headers['retry-after']) || undefined);
  };
