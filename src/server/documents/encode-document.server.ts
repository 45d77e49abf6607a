import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { REQUEST_ID_HEADER } from '../tracing/request-id.server.ts';

type ContentCoding = 'br' | 'gzip' | 'identity';

export interface EncodedDocument {
  status: number;
  html: string;
  etag: string;
  /**
   * `headers` is the flat list that ServerResponse.writeHead accepts: a name, its value, the next
   * name.
   */
  variants: Record<ContentCoding, { headers: string[]; body: Buffer }>;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface EncodeOptions {
  status: number;
  /** 0 to 11. */
  brotliQuality: number;
  headers: Record<string, string>;
}

/**
 * Compresses a document and composes the headers of each variant. Only a document of status 200 may
 * be cached.
 */
export async function encodeDocument(html: string, { status, brotliQuality, headers }: EncodeOptions): Promise<EncodedDocument> {
  const identity = Buffer.from(html);
  // Weak, because all codings share it (RFC 9110, 8.8.3).
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  const br = await compressBrotli(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
  });
  const gz = await compressGzip(identity, { level: 9 });
  const variant = (body: Buffer, coding?: ContentCoding) => ({
    body,
    headers: Object.entries({
      ...(status === 200 && { etag, 'cache-control': 'public, max-age=0, s-maxage=1, stale-while-revalidate=60' }),
      ...headers,
      ...(status !== 200 && { 'cache-control': 'no-store' }),
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(body.length),
      vary: 'accept-encoding',
      ...(coding && { 'content-encoding': coding }),
    }).flat(),
  });
  return { status, html, etag, variants: { br: variant(br, 'br'), gzip: variant(gz, 'gzip'), identity: variant(identity) } };
}

/**
 * Writes the variant that the request accepts, or 304 if the client has the document. `requestId`
 * is the id that a proxy sent, if any. No other one is made: a cached document has no log line, and
 * an id costs a tenth of the throughput.
 */
export function sendDocument(document: EncodedDocument, request: IncomingMessage, response: ServerResponse, requestId: string | undefined) {
  const { headers: shared, body } = document.variants[acceptedCoding(request.headers['accept-encoding'])];
  const headers = requestId === undefined ? shared : [...shared, REQUEST_ID_HEADER, requestId];
  if (document.status === 200 && request.headers['if-none-match']?.includes(document.etag)) {
    response.writeHead(
      304,
      headers.filter((_, index) => !/^content-(length|encoding|type)$/.test(headers[index - (index % 2)] ?? '')),
    );
    response.end();
    return;
  }
  response.writeHead(document.status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Named, and without the weight 0. */
const ACCEPTS_BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

function acceptedCoding(acceptEncoding: string | string[] = ''): ContentCoding {
  const accepted = String(acceptEncoding);
  if (ACCEPTS_BROTLI.test(accepted)) return 'br';
  return ACCEPTS_GZIP.test(accepted) ? 'gzip' : 'identity';
}
