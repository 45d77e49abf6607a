/** A body read with its call's contract, or refused in words for people. */
import type { FastifySchemaCompiler } from 'fastify';
import * as z from 'zod/mini';
import { asTold, fill, type Told } from '../../i18n/messages.ts';
import { ApiError } from '../../contract/route.server.ts';

export const readBody: FastifySchemaCompiler<z.ZodMiniType> =
  ({ schema }) =>
  (body) => {
    // zod's own sentences speak to programmers and show patterns: a rule without a specified text gets none here.
    const { error, data: value } = z.safeParse(schema, body, { error: () => '' });
    return error ? { error: new ApiError(400, fieldMessage(error.issues[0])) } : { value };
  };

/** A contract names the specified text for each rule; a rule without one says which field it is. */
function fieldMessage(issue: z.core.$ZodIssue | undefined): Told {
  if (issue?.message) return asTold(issue.message);
  const field = issue?.path.join('.');
  return field ? fill('Invalid value for {field}', { field }) : 'The request has no valid body';
}
