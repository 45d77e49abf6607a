/**
 * Slow requests, and requests sent all at once (docs/security.md, S6): they do not slow other
 * requests, and the server closes their connections.
 */
import net from 'node:net';
import { expect, test } from 'vitest';
import { homeP95Ms, largestFile, METRICS_TOKEN, residentMegabytes, stall } from '../support/slow-clients.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { size } from '../support/size.ts';

const SLOW = size({ small: 30, full: 200 });
const REQUESTS = size({ small: 40, full: 200 });
/** The small run allows for a busy machine. */
const CLOSE_TIMEOUT_MS = size({ small: 40_000, full: 15_000 });
const HOME_P95_MS = size({ small: 5_000, full: 1_000 });

/** The start of a request whose headers or body never end. The client sends it byte by byte. */
const DRIPS = [
  'GET / HTTP/1.1\r\nhost: localhost\r\nx-drip: ',
  'POST /login/login.php HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{"mobile":"',
];

test(
  `S6: ${SLOW} slow connections: home stays fast, and the server closes them within ${CLOSE_TIMEOUT_MS / 1000} s`,
  { timeout: 120_000 },
  async () => {
    const environment = await newTestEnvironment();
    const { url } = await environment.start();
    const port = Number(new URL(url).port);
    const durations = Array.from({ length: SLOW }, (_, index) => drip(port, DRIPS[index % DRIPS.length] ?? ''));

    expect(await homeP95Ms(url, REQUESTS)).toBeLessThan(HOME_P95_MS);
    const longest = Math.max(...(await Promise.all(durations)));
    expect(longest).toBeLessThan(CLOSE_TIMEOUT_MS);
  },
);

const FLOODS = size({ small: 10, full: 100 });
const MAX_GROWTH_MB = size({ small: 100, full: 200 });

test(`S6: ${FLOODS} connections that send 900 requests at once and read nothing: home stays fast, and they are reset`, async () => {
  const environment = await newTestEnvironment();
  const { url } = await environment.start(undefined, { METRICS_TOKEN });
  const before = await residentMegabytes(url);
  const request = `GET ${largestFile().path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const floods = Array.from({ length: FLOODS }, () => stall(Number(new URL(url).port), request.repeat(900)));
  expect(await homeP95Ms(url, REQUESTS)).toBeLessThan(HOME_P95_MS);
  expect((await residentMegabytes(url)) - before).toBeLessThan(MAX_GROWTH_MB);
  const codes = await Promise.all(floods.map((read) => read()));
  expect(new Set(codes)).toEqual(new Set(['ECONNRESET']));
});

/**
 * Sends a request byte by byte. Returns the milliseconds until the server closes the connection.
 */
async function drip(port: number, text: string): Promise<number> {
  const socket = net.connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}).resume();
  const started = performance.now();
  socket.write(text);
  const timer = setInterval(() => socket.writable && socket.write('a'), 500);
  await closed;
  clearInterval(timer);
  return performance.now() - started;
}
