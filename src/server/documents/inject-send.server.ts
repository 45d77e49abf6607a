/** A page's loader makes its calls through the program's own routes, so that server and browser read the same contract. */
import type { FastifyInstance } from 'fastify';
import { addressOf, readEnvelope, writeBody, type Send } from '../../browser/client.ts';

/**
 * Loaders see public calls only: no cookie goes in, so no document can hold what belongs to a customer. The address below is reserved for documentation
 * (RFC 5737) and stands for documents that are rendered for everyone; without one, their calls would pass as a loopback caller's.
 */
const LOADER_ADDRESS = '192.0.2.1';

export const injectSend =
  (app: FastifyInstance, visitor: string = LOADER_ADDRESS): Send =>
  async (call, body) => {
    const response = await app.inject({
      method: call.method,
      url: addressOf(call, body),
      remoteAddress: visitor,
      ...(call.method === 'POST' && { headers: { 'content-type': 'application/json' }, payload: writeBody(call, body) }),
    });
    return readEnvelope(call, response.statusCode, response.json());
  };
