import { scrubText } from '../../lib/scrub-text.ts';

/** Names of database objects and error codes. They contain no data of customers. */
const SAFE_FIELDS = ['code', 'severity', 'table', 'column', 'constraint', 'routine'] as const;

const MAX_CAUSES = 3;

export interface SerializedError {
  type: string;
  message: string;
  stack: string;
  cause?: SerializedError;
  [field: string]: unknown;
}

/**
 * The error serializer of the log. PostgreSQL quotes whole rows in the details of an error, so only
 * safe fields are copied, and texts are scrubbed. Contains at most `causesLeft` causes.
 */
export function serializeError(error: unknown, causesLeft = MAX_CAUSES): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrubText(String(error)), stack: '' };
  const fields = error as unknown as Record<string, unknown>;
  return {
    type: error.name,
    message: scrubText(error.message),
    stack: scrubText(error.stack ?? ''),
    ...Object.fromEntries(SAFE_FIELDS.filter((name) => typeof fields[name] === 'string').map((name) => [name, fields[name]])),
    ...(error.cause !== undefined && causesLeft > 0 && { cause: serializeError(error.cause, causesLeft - 1) }),
  };
}
