/** A service outside this program, as a server on loopback that does over real HTTP what a test wants of it, good or bad. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';

export interface StandInRequest {
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Undefined where there was none. */
  body: unknown;
}

/** A status with JSON or, as text, with anything; 'hang' never answers; 'drop' has read the request and cuts the connection. */
export type StandInReply = { status: number; json: unknown } | { status: number; text: string } | 'hang' | 'drop';

export interface StandIn {
  url: string;
  /** Every request that came, in order. */
  requests: StandInRequest[];
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Listens until the file's tests are over. */
export async function startStandIn(reply: (request: StandInRequest) => StandInReply | Promise<StandInReply>): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const body = incoming.method === 'POST' ? await json(incoming) : undefined;
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      const given = await reply(request);
      if (given === 'hang') return;
      if (given === 'drop') return void incoming.socket.destroy();
      outgoing.writeHead(given.status, { 'content-type': 'json' in given ? 'application/json' : 'text/html' });
      outgoing.end('json' in given ? JSON.stringify(given.json) : given.text);
    };
    answer().catch((error: unknown) => incoming.socket.destroy(error instanceof Error ? error : undefined));
  });
  const listen = (port: number) => new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const down = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  afterAll(down);
  return { url: `http://127.0.0.1:${port}`, requests, down, up: () => listen(port) };
}

/** Ways in which any service may fail to give an answer that can be used. */
export const SERVICE_FAILURES: readonly { name: string; reply: StandInReply }[] = [
  { name: 'is slow', reply: 'hang' },
  { name: 'cuts the connection after reading the request', reply: 'drop' },
  { name: 'answers 500', reply: { status: 500, json: { message: 'oops' } } },
  { name: 'answers 502 with a page', reply: { status: 502, text: '<html>Bad gateway</html>' } },
  { name: 'answers 200 with a page', reply: { status: 200, text: '<html>Welcome</html>' } },
  { name: 'answers 200 with other JSON', reply: { status: 200, json: ['success', null, { type: 1, success: 'true' }] } },
  { name: 'answers more than anyone would read', reply: { status: 200, text: `{"type":"success","x":"${'x'.repeat(200_000)}"}` } },
];

/** Patience of tests: what hangs is over soon, and what works has time enough on a busy machine. */
export const SHORT_TIMEOUTS = { sendMs: 5000, attemptMs: 2500, firstRetryMs: 10, checkCodeMs: 2500, botCheckMs: 2500, gatewayMs: 2500 };
