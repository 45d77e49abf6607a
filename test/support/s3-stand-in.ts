/**
 * A stand-in for a storage service with the interface of Amazon S3. It checks each request like S3:
 * the signature (Signature Version 4), the hash of the body, and the age of the request.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';

export const S3_KEY = { id: 'AKIDSTANDIN', secret: 'the secret key of the stand-in', region: 'ap-south-1', bucket: 'laundry-photos' };

/**
 * 'hang' never responds; 'drop' closes the connection; 'stall' sends half of an object and no more;
 * a number is the status of an error. It stores an object once the promise is resolved.
 */
type Behaviour = 'hang' | 'drop' | 'stall' | number | Promise<void>;

const MAX_AGE_MS = 15 * 60 * 1000;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

export async function startS3(clock: Clock) {
  const objects = new Map<string, { type: string; bytes: Buffer }>();
  const refusals: string[] = [];
  let reads = 0;
  let behaviour: Behaviour | undefined;

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const refusal = refusalOf(request, body, clock.now());
    if (refusal !== undefined) {
      refusals.push(refusal);
      return void response.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`);
    }
    if (behaviour === 'hang') return;
    if (behaviour === 'drop') return void request.socket.destroy();
    if (typeof behaviour === 'number') return void response.writeHead(behaviour).end('<Error><Code>InternalError</Code></Error>');
    const name = request.url ?? '';
    const object = objects.get(name);
    if (request.method === 'PUT') {
      if (behaviour instanceof Promise) await behaviour;
      objects.set(name, { type: request.headers['content-type'] ?? '', bytes: body });
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return void response.writeHead(204).end();
    }
    reads += 1;
    if (!object) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    response.writeHead(200, { 'content-type': object.type, 'content-length': object.bytes.length });
    if (behaviour === 'stall') return void response.write(object.bytes.subarray(0, object.bytes.length / 2));
    response.end(object.bytes);
  };

  const server = createServer((request, response) => void respond(request, response).catch(() => request.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const down = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  afterAll(down);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Settings of a program that uses this storage. */
    settings: {
      PHOTO_STORAGE: 's3',
      S3_URL: url,
      S3_REGION: S3_KEY.region,
      S3_BUCKET: S3_KEY.bucket,
      S3_ACCESS_KEY_ID: S3_KEY.id,
      S3_SECRET_ACCESS_KEY: S3_KEY.secret,
    },
    /** By path. */
    objects,
    /** The codes of all refused requests. */
    refusals,
    /** The number of objects that were requested. */
    get reads() {
      return reads;
    },
    behave(next?: Behaviour) {
      behaviour = next;
    },
    down,
  };
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;

/** Returns the error code of S3 for a request that it would refuse. */
function refusalOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer, now: Date): string | undefined {
  const [, keyId, day = '', region = '', names = '', signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  if (keyId !== S3_KEY.id || region !== S3_KEY.region) return 'AccessDenied';
  const [, date, hour, minute, second] = /^(\d{8})T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const sentAt = Date.parse(`${date?.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')}T${hour}:${minute}:${second}Z`);
  if (date !== day || !(Math.abs(sentAt - now.getTime()) <= MAX_AGE_MS)) return 'RequestTimeTooSkewed';
  const required = ['host', 'x-amz-content-sha256', 'x-amz-date', ...(headers['content-type'] === undefined ? [] : ['content-type'])];
  if (required.some((name) => !names.split(';').includes(name))) return 'AccessDenied';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  if (!url.startsWith(`/${S3_KEY.bucket}/`)) return 'NoSuchBucket';

  const [path, query = ''] = url.split('?');
  const canonicalHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = `${method}\n${path}\n${query}\n${canonicalHeaders.join('')}\n${names}\n${sha256(body)}`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`;
  const dayKey = hmac(`AWS4${S3_KEY.secret}`, day);
  const expected = hmac(hmac(hmac(hmac(dayKey, region), 's3'), 'aws4_request'), toSign).toString('hex');
  return signature === expected ? undefined : 'SignatureDoesNotMatch';
}
