/** How an error is written to the log. PostgreSQL quotes whole rows in its details, so only what cannot hold a customer's data is taken, scrubbed. */
import { scrubText } from '../../domains/error-reports/rules.ts';

/** Names of our own things in the database: they tell where to look and say nothing about anyone. */
const SAFE_FIELDS = ['code', 'severity', 'table', 'column', 'constraint', 'routine'] as const;

const MOST_CAUSES = 3;

export interface LoggedError {
  type: string;
  message: string;
  stack: string;
  cause?: LoggedError;
  [field: string]: unknown;
}

export function serializeError(error: unknown, causesLeft = MOST_CAUSES): LoggedError {
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
