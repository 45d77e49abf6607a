/** Checks that every call passes before its handler. Each throws or returns an `ApiError`. */
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { fieldError, type ErrorTexts } from '../../contract/errors.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';

/**
 * Rejects a POST that a browser sent for a page of another site (docs/security.md, S5). A request
 * with neither `sec-fetch-site` nor `origin` does not come from a browser and passes.
 */
export function rejectCrossSite(publicOrigin: string | undefined) {
  return async (request: FastifyRequest) => {
    if (request.method !== 'POST') return;
    const site = request.headers['sec-fetch-site'];
    const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
    if (!isSameSite || !isSameOrigin(request, publicOrigin)) throw new ApiError('forbidden', protocolError('cross-site-request'));
  };
}

/** Returns true without the header `origin`. */
function isSameOrigin({ headers: { origin, host } }: FastifyRequest, publicOrigin: string | undefined): boolean {
  if (origin === undefined) return true;
  return publicOrigin ? origin === publicOrigin : URL.canParse(origin) && new URL(origin).host === host;
}

const MAX_DEPTH = 4;

/**
 * Rejects a body with deep nesting or malformed text, which would fail in the database with a
 * worse message (docs/security.md, S4).
 */
export async function rejectInvalidBody(request: FastifyRequest) {
  if (request.method === 'POST') checkText(request.body, 0);
}

/** Throws `ApiError` (bad-request) for text that PostgreSQL cannot store, and for deep nesting. */
function checkText(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    // PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form.
    if (value.includes('\0') || !value.isWellFormed()) throw new ApiError('bad-request', protocolError('invalid-text'));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new ApiError('bad-request', protocolError('nested-too-deeply'));
  for (const [key, inner] of Object.entries(value)) {
    checkText(key, depth);
    checkText(inner, depth + 1);
  }
}

/**
 * A Fastify validator compiler: decodes a body with the contract's schema. `errors` are those of
 * the call.
 */
export const validateBody =
  (errors: ErrorTexts) =>
  ({ schema }: { schema: unknown }) =>
  (body: unknown) => {
    // The messages of zod are for programmers and quote patterns. An empty message has no code.
    const { error, data: value } = z.safeParse(schema as z.ZodMiniType, body, { error: () => '' });
    return error ? { error: new ApiError('bad-request', validationError(error.issues[0], errors)) } : { value };
  };

function validationError(issue: z.core.$ZodIssue | undefined, errors: ErrorTexts): ErrorMessage {
  const field = issue?.path.join('.');
  return fieldError(errors, issue) ?? (field ? protocolError('invalid-value', { field }) : protocolError('invalid-body'));
}
