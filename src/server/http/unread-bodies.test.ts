import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';

const program = useProgram({});
beforeAll(() => program.app.listen({ port: 0, host: '127.0.0.1' }));

const connect = () => net.connect((program.app.server.address() as AddressInfo).port, '127.0.0.1');

test.each(['GET /', 'POST /staff/login', 'POST /claims/addphoto', 'GET /livez', 'GET /reviews.unknown'])(
  '%s with a body of unknown length ends with 411, also if the client never ends the body',
  async (request) => {
    const socket = connect();
    socket.on('error', () => {});
    socket.write(`${request} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n`);
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 411 Length Required\r\n/i);
    for (const header of ['connection: close', 'x-content-type-options: nosniff', 'content-security-policy: '])
      expect(response).toContain(header);
  },
);

test('a connection that goes on sending chunks is closed', async () => {
  const socket = connect();
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('POST /staff/login HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n');
  const sending = setInterval(() => socket.write('1\r\na\r\n'.repeat(100)), 5);
  await closed.finally(() => clearInterval(sending));
  expect(socket.bytesRead).toBeLessThan(1000);
});

test.each([
  ['GET /', 404],
  ['HEAD /robots.txt', 200],
  ['GET /livez', 200],
  ['POST /no/such/path', 413],
  ['POST /orders/addorder', 413],
])('%s with a body that never ends is answered, and its connection is closed', async (request, status) => {
  const socket = connect();
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${request} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000000000\r\n\r\n`);
  const sending = setInterval(() => socket.write(' '), 50);
  let response = '';
  socket.on('data', (data) => {
    response += String(data);
  });
  await closed.finally(() => clearInterval(sending));
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('a connection without a request is closed without a response, and one with a part of a request gets 408', async () => {
  const [idle, partial] = [connect(), connect()];
  partial.write('GET / HTTP/1.1\r\nhost: ');
  for (const socket of [idle, partial]) socket.on('error', () => {});
  const responses = await Promise.all([text(idle), text(partial)]);
  expect(responses).toEqual(['', expect.stringMatching(/^HTTP\/1\.1 408 Request Timeout\r\n/)]);
});
