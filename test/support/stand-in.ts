/** A stand-in for an external service: an HTTP server on loopback with responses of the test. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface StandInRequest {
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Undefined if the request has none. */
  body: unknown;
}

/**
 * A status with JSON or text. 'hang' never responds; 'drop' reads the request and closes the
 * connection.
 */
export type StandInReply = { status: number; json: unknown } | { status: number; text: string } | 'hang' | 'drop';

export interface StandIn {
  url: string;
  /** All requests, in order. */
  requests: StandInRequest[];
  /** Rejects connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

const started: StandIn[] = [];

/** Stops all stand-ins. Vitest calls it after each file (stop-stand-ins.ts). */
export async function stopStandIns() {
  await Promise.all(started.splice(0).map((standIn) => standIn.down()));
}

/** Starts a server that listens until `stopStandIns`. */
export async function startStandIn(reply: (request: StandInRequest) => StandInReply | Promise<StandInReply>): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const respond = async () => {
      const body = incoming.method === 'POST' ? await json(incoming) : undefined;
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      const result = await reply(request);
      if (result === 'hang') return;
      if (result === 'drop') return void incoming.socket.destroy();
      outgoing.writeHead(result.status, { 'content-type': 'json' in result ? 'application/json' : 'text/html' });
      outgoing.end('json' in result ? JSON.stringify(result.json) : result.text);
    };
    respond().catch((error: unknown) => incoming.socket.destroy(error instanceof Error ? error : undefined));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const down = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const standIn = { url: `http://127.0.0.1:${port}`, requests, down, up: () => listen(port) };
  started.push(standIn);
  return standIn;
}

/** Failures of any external service. */
export const SERVICE_FAILURES: readonly { name: string; reply: StandInReply }[] = [
  { name: 'is slow', reply: 'hang' },
  { name: 'cuts the connection after reading the request', reply: 'drop' },
  { name: 'responds with 500', reply: { status: 500, json: { message: 'oops' } } },
  { name: 'responds with 502 and a page', reply: { status: 502, text: '<html>Bad gateway</html>' } },
  { name: 'responds with 200 and a page', reply: { status: 200, text: '<html>Welcome</html>' } },
  { name: 'responds with 200 and other JSON', reply: { status: 200, json: ['success', null, { type: 1, success: 'true' }] } },
  { name: 'responds with more than the limit', reply: { status: 200, text: `{"type":"success","x":"${'x'.repeat(200_000)}"}` } },
];

/** Timeouts for tests: short for a service that hangs, long enough for a busy machine. */
export const SHORT_TIMEOUTS = {
  sendMs: 5000,
  attemptMs: 2500,
  firstRetryMs: 10,
  checkCodeMs: 2500,
  botCheckMs: 2500,
  gatewayMs: 2500,
  storageMs: 2500,
};
