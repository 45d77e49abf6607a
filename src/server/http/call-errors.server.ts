/** The one map from what went wrong to status and envelope. What a person reads never holds a stack, a query or a path. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/route.server.ts';
import { isUnavailable } from '../../db/unavailable.server.ts';

const RETRY_AFTER_SECONDS = 5;

/** Fastify's own refusals, in words for people. */
const PROTOCOL: Record<string, CallError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, error: protocolError('unsupported-media-type') },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, error: protocolError('request-too-large') },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, error: protocolError('missing-body') },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, error: protocolError('invalid-json') },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, error: protocolError('incomplete-request') },
};

interface CallError {
  status: number;
  error: ErrorMessage;
  retryAfterSeconds?: number | undefined;
}

export function sendCallError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const {
    status,
    error: { code, params, message },
    retryAfterSeconds,
  } = callError(error, request);
  // A refusal was meant, also where it says that there is too much to do: a flood of them must not fill the log.
  if (status >= 500 && !(error instanceof ApiError)) request.log.error({ err: error }, 'call failed');
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds));
  const response = request.routeOptions.config.call?.failure ?? 'error';
  // Serialised here: the route's response schema is for 200 only.
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ response, message, code, params, data: null });
}

/** Fastify marks what the caller did wrong with codes of its own. A fault of ours bears none, whatever else it looks like, and somebody must read of it. */
const isCallersFault = ({ code, statusCode = 500 }: FastifyError) => statusCode < 500 && code?.startsWith('FST_ERR_');

/** The caller hung up before the request was whole: the error is that of the request itself, so none of ours can be taken for it. */
const hungUp = (error: FastifyError, request: FastifyRequest) => request.raw.errored === error;

function callError(error: FastifyError, request: FastifyRequest): CallError {
  if (error instanceof ApiError) return { status: error.status, error, retryAfterSeconds: error.retryAfterSeconds };
  const protocol = PROTOCOL[error.code];
  if (protocol) return protocol;
  if (hungUp(error, request)) return { status: 400, error: protocolError('incomplete-request') };
  if (isUnavailable(error)) {
    return { status: 503, error: protocolError('service-busy'), retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  if (isCallersFault(error)) return { status: error.statusCode ?? 400, error: protocolError('unreadable-request') };
  return { status: 500, error: protocolError('internal-error') };
}
