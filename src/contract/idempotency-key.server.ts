import type { FastifyRequest } from 'fastify';
import { protocolError } from './protocol-errors.ts';
import { ApiError } from './api-error.ts';

/**
 * Returns the header Idempotency-Key, undefined without one. Throws `ApiError` (bad-request) if it
 * is malformed.
 */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\w-]{8,64}$/.test(key)) return key;
  throw new ApiError('bad-request', protocolError('invalid-idempotency-key'));
}
