import * as z from 'zod/mini';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { fieldError, type ErrorTexts } from '../../contract/errors.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/route.server.ts';

/** Reads a body with its call's contract; `errors` are those of the call. */
export const validateBody =
  (errors: ErrorTexts) =>
  ({ schema }: { schema: unknown }) =>
  (body: unknown) => {
    // zod's own messages are for programmers and show patterns: a rule of the contract without a code has no message here.
    const { error, data: value } = z.safeParse(schema as z.ZodMiniType, body, { error: () => '' });
    return error ? { error: new ApiError(400, errorOf(error.issues[0], errors)) } : { value };
  };

function errorOf(issue: z.core.$ZodIssue | undefined, errors: ErrorTexts): ErrorMessage {
  const field = issue?.path.join('.');
  return fieldError(errors, issue) ?? (field ? protocolError('invalid-value', { field }) : protocolError('invalid-body'));
}
