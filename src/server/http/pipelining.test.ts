import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { limitPipelining } from './pipelining.server.ts';

/** Starts a server whose responses the test sends, and a client. */
async function connect() {
  const open: { url: string; response: ServerResponse }[] = [];
  const server = createServer(limitPipelining(({ url = '' }, response) => void open.push({ url, response })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { open, socket };
}

const request = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;

test('requests that are sent without waiting are executed one after the other, and get their responses in order', async () => {
  const { open, socket } = await connect();
  socket.write(request('/1') + request('/2') + request('/3', 'connection: close\r\n'));
  for (const url of ['/1', '/2', '/3']) {
    await expect.poll(() => open.map((execution) => execution.url)).toEqual([url]);
    open.pop()?.response.end(`response to ${url};`);
  }
  expect(await text(socket)).toMatch(/response to \/1;.*response to \/2;.*response to \/3;/s);
});

test('a connection on which many requests wait is reset, and none of them is executed', async () => {
  const { open, socket } = await connect();
  const reset = once(socket, 'error');
  socket.resume();
  socket.write(request('/').repeat(18));
  expect(await reset).toMatchObject([{ code: 'ECONNRESET' }]);
  expect(open).toHaveLength(1);
});

test('a connection may send any number of requests, each after its response', async () => {
  const { open, socket } = await connect();
  for (let sent = 0; sent < 20; sent += 1) {
    socket.write(request('/').repeat(2));
    for (let executed = 0; executed < 2; executed += 1) {
      await expect.poll(() => open, { interval: 2 }).toHaveLength(1);
      open.pop()?.response.end();
    }
  }
});
