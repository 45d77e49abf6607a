/**
 * A closed-loop load generator: each client waits for its response before it sends the next
 * request. It uses bare sockets, because an HTTP client would use more processor time than the
 * program that is measured.
 */
import { connect } from 'node:net';

export interface Load {
  clients: number;
  requests: number;
  url: string;
  /** Returns the bytes of a request (requestText). Numbers start at 0, and each is used once. */
  request(number: number): string | Buffer;
  /** Returns whether the body of a response with status 200 is the expected one. */
  isExpected(body: Buffer): boolean;
  /** Receives the duration of each request. */
  milliseconds?: number[];
}

/** Returns requests per second. Throws at the first unexpected response. */
export async function load({ clients, requests, url, request, isExpected, milliseconds }: Load): Promise<number> {
  const { hostname, port } = new URL(url);
  let next = 0;
  const client = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        if (next < requests) return void socket.write(request(next++));
        socket.destroy();
        resolve();
      };
      let received: Buffer = EMPTY;
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the connection was closed')));
      socket.on('data', (chunk) => {
        received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk;
        const body = bodyOf(received);
        if (!body) return;
        if (!received.subarray(0, STATUS.length).equals(STATUS) || !isExpected(body)) {
          reject(new Error(`unexpected response: ${received.toString()}`));
          return void socket.destroy();
        }
        milliseconds?.push(performance.now() - sentAt);
        received = EMPTY;
        send();
      });
    });
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return requests / ((performance.now() - startedAt) / 1000);
}

/** Returns an HTTP/1.1 request as text. `load` requires a response with a Content-Length. */
export function requestText(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`;
}

export const callText = (path: string, session: string, body: object, headers: Record<string, string> = {}): string =>
  requestText('POST', path, { 'content-type': 'application/json', cookie: `session=${session}`, ...headers }, JSON.stringify(body));

const EMPTY = Buffer.alloc(0);
const STATUS = Buffer.from('HTTP/1.1 200 ');

/** Returns undefined until the whole body has arrived. */
function bodyOf(received: Buffer): Buffer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (!length) throw new Error('the response has no Content-Length');
  return received.length === end + 4 + Number(length) ? received.subarray(end + 4) : undefined;
}
