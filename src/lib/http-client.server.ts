/** The HTTP client for external services (SMS gateway, payment gateway, Firebase, Turnstile). */
import { parseJson } from './parse-json.ts';

/** The connection was never established, so the service did not receive the request. */
export class ServiceUnreachable extends Error {
  override name = 'ServiceUnreachable';
}

export interface JsonResponse {
  status: number;
  /** Undefined if the body is not JSON. */
  json: unknown;
}

interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON with POST. Without a body the method is GET. */
  body?: unknown;
  signal: AbortSignal;
}

const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Sends a GET or a JSON POST. It follows no redirects, because requests carry API keys, and reads
 * at most 64 KiB. Throws `ServiceUnreachable` if the service did not receive the request; after any
 * other error it is unknown whether the service processed it.
 */
export async function requestJson(url: string, { headers, body, signal }: RequestOptions): Promise<JsonResponse> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    headers: { ...headers, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    // Undefined without a body.
    body: JSON.stringify(body),
    signal,
  }).catch((error: unknown) => {
    throw isConnectError(error) ? new ServiceUnreachable('The service could not be reached', { cause: error }) : error;
  });
  return { status: response.status, json: parseJson(await readText(response)) };
}

/** Errors of name resolution and of connecting, as opposed to errors of an open connection. */
const CONNECT_ERRORS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

const isConnectError = (error: unknown) =>
  error instanceof Error && CONNECT_ERRORS.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '');

/** Throws if the body is larger than `MAX_RESPONSE_BYTES`. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`The response is larger than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
