/**
 * Slow requests (docs/security.md, S6): they do not slow other requests, and the server closes
 * them.
 */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

    const durationsMs: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const started = performance.now();
      const response = await fetch(`${url}/`);
      await response.arrayBuffer();
      durationsMs.push(performance.now() - started);
      expect(response.status).toBe(200);
      await sleep(40);
    }
    expect(durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length * 0.95)]).toBeLessThan(HOME_P95_MS);
    const longest = Math.max(...(await Promise.all(durations)));
    expect(longest).toBeLessThan(CLOSE_TIMEOUT_MS);
  },
);

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
