/**
 * Clients that read nothing, and one that reads slowly (docs/security.md, S6), against the built
 * program. All files fit into the buffers of the operating system, so that Node.js cannot see
 * whether a client reads: the keep-alive timeout of 72 s limits them.
 */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { homeP95Ms, largestFile, METRICS_TOKEN, residentMegabytes, stall } from '../support/slow-clients.ts';
import { newTestEnvironment } from '../support/test-environment.ts';

/** Almost all connections that the program accepts. */
const SILENT = 1_900;
const SILENT_MS = 85_000;
const MAX_GROWTH_MB = 200;
const HOME_P95_MS = 1_000;

/** As a phone on 2G. */
const BYTES_PER_SECOND = 5_000;
const BYTES_AT_ONCE = 1_000;

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

test(
  `S6: ${SILENT} clients that read nothing: home stays fast, memory flat, they are reset within ${SILENT_MS / 1000} s; a client that reads 5 kB/s gets the page and the largest file`,
  { timeout: 240_000 },
  async () => {
    const environment = await newTestEnvironment();
    const { url } = await environment.start(undefined, { METRICS_TOKEN });
    const port = Number(new URL(url).port);
    const { file, path } = largestFile();
    const before = await residentMegabytes(url);

    const slowly = getSlowly(port, ['/', path]);
    const silent: (() => Promise<string>)[] = [];
    for (let count = 0; count < SILENT; count += 1) {
      silent.push(stall(port, requestFor(path)));
      if (count % 100 === 0) await sleep(20);
    }
    const allConnected = performance.now();
    expect(await homeP95Ms(url, 200)).toBeLessThan(HOME_P95_MS);
    expect((await residentMegabytes(url)) - before).toBeLessThan(MAX_GROWTH_MB);
    expect(await slowly).toEqual(readFileSync(file));

    await sleep(allConnected + SILENT_MS - performance.now());
    const codes = await Promise.all(silent.map((read) => read()));
    expect(new Set(codes)).toEqual(new Set(['ECONNRESET']));
  },
);

/**
 * Requests the paths one after the other on one connection, and reads `BYTES_PER_SECOND`. Returns
 * the body of the last response. Throws if the connection ends.
 */
async function getSlowly(port: number, paths: readonly string[]): Promise<Buffer> {
  let received = Buffer.alloc(0);
  const read = {
    buffer: Buffer.alloc(BYTES_AT_ONCE),
    callback: (bytes: number, chunk: Uint8Array) => {
      received = Buffer.concat([received, chunk.subarray(0, bytes)]);
      // Pauses the socket.
      return false;
    },
  };
  const socket = net.connect({ port, host: '127.0.0.1', onread: read });
  socket.on('error', () => {});
  let body: Buffer | undefined;
  for (const path of paths) {
    received = Buffer.alloc(0);
    socket.write(requestFor(path));
    while (!(body = completeBody(received))) {
      if (socket.destroyed) throw new Error(`the connection ended after ${received.length} bytes of ${path}`);
      await sleep((BYTES_AT_ONCE / BYTES_PER_SECOND) * 1000);
      socket.resume();
    }
  }
  socket.destroy();
  return body ?? Buffer.alloc(0);
}

/** Returns undefined while a part of the response is missing. */
function completeBody(response: Buffer): Buffer | undefined {
  const end = response.indexOf('\r\n\r\n');
  const [, length] = /^content-length: (\d+)/im.exec(response.subarray(0, end).toString()) ?? [];
  const body = response.subarray(end + 4);
  return end !== -1 && body.length === Number(length) ? body : undefined;
}
