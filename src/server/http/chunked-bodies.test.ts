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
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 411 Length Required\r\nconnection: close\r\n/i);
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
