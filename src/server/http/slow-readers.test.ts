import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { limitSlowReaders, READER_LIMITS, type ReaderLimits } from './slow-readers.server.ts';

/** More than the send and receive buffers of the operating system can contain. */
const RESPONSE = Buffer.alloc(48 * 1024 * 1024, 'x');

const PATIENT: ReaderLimits = { stalledMs: 60_000, minBytesPerSecond: 1, checkEveryMs: 50, maxConnections: 10 };

async function serve(limits: Partial<ReaderLimits>) {
  const server = createServer((_request, response) => void response.end(RESPONSE));
  limitSlowReaders(server, { ...PATIENT, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, connect: () => connect(port) };
}

/** Connects and does not read. */
async function connect(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  const error = new Promise<string>((resolve) => socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? '')));
  const closed = once(socket, 'close').then(() => 'closed');
  await once(socket, 'connect');
  return { socket, ended: Promise.race([error, closed]) };
}

const requestFrom = (socket: net.Socket) => socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');

test('a connection whose client reads nothing is reset', async () => {
  const { server, connect } = await serve({ stalledMs: 200 });
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const { socket, ended } = await connect();
  requestFrom(socket);
  const [connection] = await accepted;
  await once(connection, 'close');
  socket.resume();
  expect(await ended).toBe('ECONNRESET');
});

test('a connection without any request is reset', async () => {
  const { connect } = await serve({ stalledMs: 200 });
  const { socket, ended } = await connect();
  socket.resume();
  expect(await ended).toBe('ECONNRESET');
});

test('a client that reads too slowly is disconnected, although it reads all the time', async () => {
  const { server, connect } = await serve({ stalledMs: 2_000, minBytesPerSecond: 4 * RESPONSE.length });
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const { socket } = await connect();
  requestFrom(socket);
  const [connection] = await accepted;
  while (!connection.destroyed) {
    socket.read();
    await sleep(20);
  }
  expect(socket.bytesRead).toBeLessThan(RESPONSE.length);
});

test('a client that reads fast enough gets the whole response', async () => {
  const { connect } = await serve({ stalledMs: 2_000, minBytesPerSecond: 1024 * 1024 });
  const { socket } = await connect();
  requestFrom(socket);
  while (socket.bytesRead < RESPONSE.length) {
    socket.read();
    await sleep(1);
  }
  expect(socket.destroyed).toBe(false);
});

test('a phone on 2G has the time to load a part of 64 kB', () => {
  const { stalledMs, minBytesPerSecond } = READER_LIMITS;
  expect(Math.max(stalledMs, (65_536 / minBytesPerSecond) * 1000)).toBeGreaterThan((65_536 / 5_000) * 1000 * 2);
});

test('further connections are closed', async () => {
  const { connect } = await serve({ maxConnections: 1 });
  await connect();
  const { socket, ended } = await connect();
  socket.resume();
  expect(await ended).toMatch(/closed|ECONNRESET/);
});
