/** No other site may make a visitor's browser post here (reliability bar, S5). A caller that sends neither header is no browser and passes. */
import type { FastifyRequest } from 'fastify';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/route.server.ts';

const refusal = () => new ApiError(403, protocolError('cross-site-request'));

export function rejectCrossSite(publicOrigin: string | undefined) {
  return async (request: FastifyRequest) => {
    if (request.method !== 'POST') return;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw refusal();
    const { origin, host } = request.headers;
    if (origin === undefined) return;
    const own = publicOrigin ? origin === publicOrigin : URL.canParse(origin) && new URL(origin).host === host;
    if (!own) throw refusal();
  };
}
