/**
 * Many clients who each wait for their answer before they ask again. They write requests and read
 * answers on bare sockets: a whole HTTP client would take more of the processor than what is
 * measured.
 */
import { connect } from 'node:net';

export interface Load {
  clients: number;
  requests: number;
  url: string;
  /**
   * The request with this number as it goes over the wire (requestText); numbers run from 0 and
   * none comes twice.
   */
  request(number: number): string | Buffer;
  /** Whether the answer, of status 200, is the one that counts. */
  isRight(body: Buffer): boolean;
  /** Where each answer's time is noted. */
  milliseconds?: number[];
}

/** Requests a second. An answer that is none ends the run. */
export async function load({ clients, requests, url, request, isRight, milliseconds }: Load): Promise<number> {
  const { hostname, port } = new URL(url);
  let next = 0;
  const client = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let asked = 0;
      const ask = () => {
        asked = performance.now();
        if (next < requests) return void socket.write(request(next++));
        socket.destroy();
        resolve();
      };
      let received: Buffer = NOTHING;
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the connection was closed')));
      socket.on('data', (chunk) => {
        received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk;
        const body = bodyOf(received);
        if (!body) return;
        if (!received.subarray(0, STATUS.length).equals(STATUS) || !isRight(body)) {
          reject(new Error(`answered ${received.toString()}`));
          return void socket.destroy();
        }
        milliseconds?.push(performance.now() - asked);
        received = NOTHING;
        ask();
      });
    });
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return requests / ((performance.now() - began) / 1000);
}

/** A request as text, for a server that answers with a content-length. */
export function requestText(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`;
}

export const callText = (path: string, session: string, body: object, headers: Record<string, string> = {}): string =>
  requestText('POST', path, { 'content-type': 'application/json', cookie: `session=${session}`, ...headers }, JSON.stringify(body));

const NOTHING = Buffer.alloc(0);
const STATUS = Buffer.from('HTTP/1.1 200 ');

/** Undefined until all of it has come. */
function bodyOf(received: Buffer): Buffer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (!length) throw new Error('an answer without a length');
  return received.length === end + 4 + Number(length) ? received.subarray(end + 4) : undefined;
}
