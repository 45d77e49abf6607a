/**
 * The error handlers of calls and of all other routes: map an error to an HTTP status and a
 * response without internals.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError, ConflictError, type ApiErrorKind } from '../../contract/api-error.ts';
import { fail } from '../../contract/route.server.ts';
import { isUnavailable } from '../../db/unavailable.server.ts';
import { QueueFull } from '../../security/concurrency-limit.server.ts';
import { callHeaders } from '../../security/security-headers.server.ts';

const UNAVAILABLE_RETRY_SECONDS = 5;
const QUEUE_FULL_RETRY_SECONDS = 3;

/** Errors that Fastify throws before the handler runs, by their codes. */
const FASTIFY_ERRORS: Record<string, CallError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, error: protocolError('unsupported-media-type') },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, error: protocolError('request-too-large') },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, error: protocolError('missing-body') },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, error: protocolError('invalid-json') },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, error: protocolError('incomplete-request') },
};

const STATUS_OF_KIND: Readonly<Record<ApiErrorKind, number>> = {
  'bad-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'address-too-long': 414,
  'rate-limited': 429,
  unavailable: 503,
};

interface CallError {
  status: number;
  error: ErrorMessage;
  retryAfterSeconds?: number | undefined;
}

/** Sends the failed envelope for an error of a call, and logs a fault of the program. */
export function sendCallError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, error: errorMessage, retryAfterSeconds } = logAndDescribeError(error, request);
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds));
  const envelope = { ...fail(errorMessage), ...(error instanceof ConflictError && { data: error.data }) };
  // Serialised here: the response schema of the route is for status 200 only.
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(envelope);
}

/**
 * Sends the message of an error as plain text, for all other routes. Logs a fault of the program.
 */
export function sendPlainError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, error: errorMessage, retryAfterSeconds } = logAndDescribeError(error, request);
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(status).headers(callHeaders).type('text/plain; charset=utf-8').send(errorMessage.message);
}

/**
 * Returns true for an error with a code of Fastify and a status below 500. Other errors with such a
 * status are faults of the program.
 */
const isCallersFault = ({ code, statusCode = 500 }: FastifyError) => statusCode < 500 && code?.startsWith('FST_ERR_');

/** Returns true if the caller closed the connection before the body was complete. */
const isAborted = (error: FastifyError, request: FastifyRequest) => request.raw.errored === error;

/**
 * Logs a fault of the program, and returns the status and the error that the caller sees. The
 * details of a fault are in the log only.
 */
export function logAndDescribeError(error: FastifyError, request: FastifyRequest): CallError {
  const described = callError(error, request);
  // Intended errors are not logged, not even a 503: under load they would fill the log.
  const isIntended = error instanceof ApiError || error instanceof QueueFull;
  if (described.status >= 500 && !isIntended) request.log.error({ err: error }, 'request failed');
  return described;
}

/** Returns the status and the error that the caller sees. Any unknown error is a 500. */
function callError(error: FastifyError, request: FastifyRequest): CallError {
  if (error instanceof ApiError) return { status: STATUS_OF_KIND[error.kind], error, retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof QueueFull) return error.isOfOneKey ? TOO_MANY_REQUESTS : serviceBusy(QUEUE_FULL_RETRY_SECONDS);
  const fastifyError = FASTIFY_ERRORS[error.code];
  if (fastifyError) return fastifyError;
  if (isAborted(error, request)) return { status: 400, error: protocolError('incomplete-request') };
  if (isUnavailable(error)) return serviceBusy(UNAVAILABLE_RETRY_SECONDS);
  if (isCallersFault(error)) return { status: error.statusCode ?? 400, error: protocolError('unreadable-request') };
  return { status: 500, error: protocolError('internal-error') };
}

const TOO_MANY_REQUESTS: CallError = {
  status: 429,
  error: protocolError('too-many-requests'),
  retryAfterSeconds: QUEUE_FULL_RETRY_SECONDS,
};

const serviceBusy = (retryAfterSeconds: number): CallError => ({ status: 503, error: protocolError('service-busy'), retryAfterSeconds });
