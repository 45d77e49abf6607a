/**
 * Photos in a bucket of Amazon S3 or of a service with its interface. Requests have a signature of
 * version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { createHmac, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Clock } from '../../../lib/clock.ts';
import { StorageError, type PhotoStorage } from '../provider.server.ts';

export interface S3Options {
  /** The address of the service; the bucket is the first part of the path. */
  url: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A download may take longer than other requests: the customer's connection limits it. */
const DOWNLOAD_MS = 60_000;

interface S3StorageOptions extends S3Options {
  clock: Clock;
  timeoutMs: number;
  downloadMs?: number;
}

/** All photos, also of orders, are below `claims/`. `check` makes no request: each costs money. */
export function s3Storage({ clock, timeoutMs, downloadMs = DOWNLOAD_MS, ...options }: S3StorageOptions): PhotoStorage {
  const request = async (method: 'GET' | 'PUT' | 'DELETE', id: string, signal: AbortSignal, body?: { type: string; bytes: Buffer }) => {
    const url = new URL(`${options.url.replace(/\/$/, '')}/${options.bucket}/claims/${id}`);
    const bytes = body?.bytes ?? Buffer.alloc(0);
    const headers = signedHeaders({ method, url, headers: body ? { 'content-type': body.type } : {}, bytes }, options, clock.now());
    // It follows no redirects: they would send the photo and the signature elsewhere.
    return fetch(url, { method, headers, signal, redirect: 'error', ...(body && { body: new Uint8Array(bytes) }) });
  };

  /** Throws for an unexpected status. Discards the body. */
  const send = async (...[method, id, body]: [method: 'PUT' | 'DELETE', id: string, body?: { type: string; bytes: Buffer }]) => {
    const response = await request(method, id, AbortSignal.timeout(timeoutMs), body);
    await response.body?.cancel();
    // S3 responds to the deletion of a missing object with 204; other services with 404.
    if (!response.ok && !(method === 'DELETE' && response.status === 404)) throw new Error(`S3 responded ${response.status} to ${method}`);
  };

  return {
    put: (id, type, bytes) => withStorageErrors(() => send('PUT', id, { type, bytes })),
    delete: (id) => withStorageErrors(() => send('DELETE', id)),
    check: async () => {},
    get: (id) =>
      withStorageErrors(async () => {
        const begun = new AbortController();
        const timer = setTimeout(() => begun.abort(new Error('S3 did not respond in time')), timeoutMs);
        try {
          const response = await request('GET', id, AbortSignal.any([begun.signal, AbortSignal.timeout(downloadMs)]));
          if (response.ok && response.body) return Readable.fromWeb(response.body as ReadableStream);
          await response.body?.cancel();
          if (response.status === 404) return undefined;
          throw new Error(`S3 responded ${response.status} to GET`);
        } finally {
          clearTimeout(timer);
        }
      }),
  };
}

/** Throws a `StorageError` for any error of the operation. */
const withStorageErrors = <Result>(operation: () => Promise<Result>): Promise<Result> =>
  operation().catch((cause: unknown) => {
    throw new StorageError('A request to the photo storage failed', { cause });
  });

interface UnsignedRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
}

/**
 * Returns the headers with the signature. The signature covers the method, the address, these
 * headers, and the hash of the body.
 */
export function signedHeaders(
  { method, url, headers, bytes }: UnsignedRequest,
  { region, accessKeyId, secretAccessKey }: Pick<S3Options, 'region' | 'accessKeyId' | 'secretAccessKey'>,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const bodyHash = hash('sha256', bytes);
  const signed: Record<string, string> = { host: url.host, ...headers, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time };
  const names = Object.keys(signed).toSorted();
  const canonicalRequest = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonicalRequest)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const { host: _set, ...sent } = signed;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, text).toString('hex')}`,
  };
}

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
