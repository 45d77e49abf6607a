import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';

/**
 * Returns the id of a request for the log and the response: the header X-Request-Id of a proxy, the
 * trace id of the header traceparent, or a new one. Both headers can come from any client, so only
 * short plain ids are accepted.
 */
export const requestIdOf = (headers: IncomingHttpHeaders): string => givenRequestId(headers) ?? traceIdOf(headers) ?? randomUUID();

/** Returns the id that a proxy gave the request, undefined without a valid one. */
export function givenRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : undefined;
}

export const traceIdOf = (headers: IncomingHttpHeaders): string | undefined => traceParentOf(headers)?.traceId;

export interface TraceParent {
  traceId: string;
  /** The span of the client. */
  parentId: string;
  isSampled: boolean;
}

/**
 * Returns the contents of the header `traceparent` (W3C Trace Context), undefined without a valid
 * one.
 */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // A later version than 00 may have further fields.
  const [, version, traceId, parentId, flags, more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent) ?? [];
  if (!traceId || !parentId || !flags || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
