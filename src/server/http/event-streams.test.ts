/** Limits of server-sent events, with short times and small numbers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createEventStreams, STREAM_LIMITS, type EventStream, type StreamLimits } from '../../streams/event-streams.server.ts';
import { sendPlainError } from './call-errors.server.ts';
import { limitSlowReaders, READER_LIMITS, type ReaderLimits } from './slow-readers.server.ts';

async function serve(limits: Partial<StreamLimits>, readers: Partial<ReaderLimits> = {}) {
  const opened: EventStream[] = [];
  let heartbeats = 0;
  const streams = createEventStreams(() => void (heartbeats += 1), { ...STREAM_LIMITS, ...limits });
  const app = Fastify({
    serverFactory(handler) {
      const server = createServer(handler);
      limitSlowReaders(server, { ...READER_LIMITS, ...readers });
      return server;
    },
  });
  app.get<{ Querystring: { session: string; caller: string; network: string; block: string } }>('/', async ({ query }, reply) => {
    opened.push(streams.open(reply, { topic: 'a topic', ...query }));
  });
  app.setErrorHandler(sendPlainError);
  app.addHook('preClose', async () => streams.endAll());
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  /** Each session is another customer, network and block, except for those given. */
  const open = (session: string, given: Partial<Record<'caller' | 'network' | 'block', string>> = {}) =>
    fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ session, caller: session, network: session, block: session, ...given })}`);
  return { app, streams, opened, open, port, heartbeats: () => heartbeats };
}

test.each(['caller', 'network', 'block'] as const)('limits the streams of a %s, and leaves room for others', async (key) => {
  const { open, streams } = await serve({ perCaller: 2, perNetwork: 2, perBlock: 2, total: 3 });
  const statuses = [];
  for (const session of ['a', 'b', 'c']) statuses.push((await open(session, { [key]: 'one' })).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await open('d')).status).toBe(200);
  expect((await open('e')).status).toBe(503);
  expect(streams.list()).toHaveLength(3);
});

test('a stream over the limit of its session replaces the oldest, also if its caller has no room', async () => {
  const { open, opened, streams } = await serve({ perSession: 1, perCaller: 1 });
  const first = await open('a');
  expect((await open('a')).status).toBe(200);
  await first.text();
  expect(streams.list()).toEqual([opened[1]]);
});

test('a stream that its client closes leaves room for another one', async () => {
  const { open, streams } = await serve({ total: 1 });
  const first = await open('a');
  await first.body?.cancel();
  await expect.poll(() => streams.list()).toEqual([]);
  expect((await open('b')).status).toBe(200);
});

test('a stream is refused once all have ended', async () => {
  const { open, streams } = await serve({});
  streams.endAll();
  expect((await open('a')).status).toBe(503);
});

test('heartbeats keep a stream open that is otherwise silent', async () => {
  const { open, opened, heartbeats } = await serve({ heartbeatMs: 50 }, { stalledMs: 400, checkEveryMs: 50 });
  const response = await open('a');
  await expect.poll(heartbeats, { timeout: 5000 }).toBeGreaterThan(20);
  opened[0]?.send(7);
  opened[0]?.end();
  expect(await response.text()).toMatch(/^retry: \d+\n\n(:\n\n)+id: 7\ndata: 7\n\n$/);
});

test('a stream without heartbeats is reset like any idle connection', async () => {
  const { open } = await serve({ heartbeatMs: 60_000 }, { stalledMs: 200, checkEveryMs: 50 });
  await expect((await open('a')).text()).rejects.toThrow();
});

test('a client that does not read is disconnected', async () => {
  const { port, opened, streams } = await serve({});
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write('GET /?session=a&caller=b&network=b&block=b HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => opened).toHaveLength(1);
  const [stream] = opened;
  let version = 0;
  while (streams.list().length > 0 && version < 2_000_000) {
    // More than the buffers of the operating system contain, in parts that it can receive.
    for (let event = 0; event < 1000; event += 1) stream?.send((version += 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(streams.list()).toEqual([]);
});

test('the server closes at once while streams are open', async () => {
  const { app, open } = await serve({});
  const response = await open('a');
  const closed = once(app.server, 'close');
  await app.close();
  await closed;
  expect(await response.text()).toMatch(/^retry: /);
});
