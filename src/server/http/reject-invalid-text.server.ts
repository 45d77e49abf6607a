/** Bodies hold short, shallow, well-formed text: anything else would fail deeper down with a worse message (reliability bar, S4). */
import type { FastifyRequest } from 'fastify';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/route.server.ts';

const MOST_DEPTH = 4;

export async function rejectInvalidText(request: FastifyRequest) {
  if (request.method === 'POST') check(request.body, 0);
}

function check(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    // PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form.
    if (value.includes('\0') || !value.isWellFormed()) throw new ApiError(400, protocolError('invalid-text'));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MOST_DEPTH) throw new ApiError(400, protocolError('nested-too-deeply'));
  for (const [key, inner] of Object.entries(value)) {
    check(key, depth);
    check(inner, depth + 1);
  }
}
