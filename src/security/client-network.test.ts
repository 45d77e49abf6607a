import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { addClientNetwork } from './client-network.server.ts';

const app = Fastify({ trustProxy: (_address, hop) => hop < 1 });
addClientNetwork(app);
app.get('/', (request, reply) => reply.send({ loopback: request.isLoopback, network: request.network }));

const request = async (remoteAddress: string, headers: Record<string, string> = {}) =>
  (await app.inject({ url: '/', remoteAddress, headers })).json<{ loopback: boolean; network: string }>();

test.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['127.8.9.10', '127.8.9.10', true],
  ['::1', '0:0:0:0::/64', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['198.51.100.7', '198.51.100.7', false],
  ['::ffff:198.51.100.7', '198.51.100.7', false],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64', false],
  ['2001:db8:1:2:bbbb:cccc:dddd:eeee', '2001:db8:1:2::/64', false],
  ['2001:db8::5', '2001:db8:0:0::/64', false],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', false],
])('the client %s is in the network %s', async (address, network, loopback) => {
  expect(await request(address)).toEqual({ loopback, network });
});

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
  'a loopback socket with the header %s belongs to a proxy, not to a local client',
  async (name) => {
    expect(await request('127.0.0.1', { [name]: '127.0.0.1' })).toMatchObject({ loopback: false });
  },
);

test.each([
  ['198.51.100.7:50123', '198.51.100.7'],
  [' 198.51.100.7 ', '198.51.100.7'],
  ['[2001:db8:1:2::7]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
  ['unknown', 'unknown'],
  ['_hidden', 'unknown'],
  ['999.1.1.1', 'unknown'],
  ['x'.repeat(50), 'unknown'],
])('the forwarded address %s is in the network %s', async (forwarded, network) => {
  expect(await request('127.0.0.1', { 'x-forwarded-for': forwarded })).toEqual({ loopback: false, network });
});

test('a request keeps its network when its connection closes', async () => {
  const server = Fastify();
  onTestFinished(() => server.close());
  addClientNetwork(server);
  const { promise: network, resolve } = Promise.withResolvers<string>();
  server.get('/', async (request) => {
    request.socket.destroy();
    await once(request.socket, 'close');
    resolve(request.network);
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  expect(await network).toBe('127.0.0.1');
});
