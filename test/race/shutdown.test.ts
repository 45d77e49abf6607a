/** Graceful shutdown (docs/security.md, O6). */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transaction } from '../../src/db/database.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { newToken } from '../../src/security/tokens.server.ts';
import { openOrderEvents } from '../support/event-stream.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { ChildProgram, freePort, statusOf } from '../support/program-process.ts';
import { urlOf } from '../support/postgres.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { startRazorpay } from '../support/razorpay-stand-in.ts';
import { size } from '../support/size.ts';
import { countFileResponses, largestFile, METRICS_TOKEN } from '../support/slow-clients.ts';

const stops = size({ small: 1, full: 20 });
const clients = 12;
const STOP_TIMEOUT_MS = 10_000;

test(
  `O6: SIGTERM (${stops} times) under ${clients} ordering customers: loses no acknowledged order, exits with 0 in ten seconds, and is not ready while it still accepts orders`,
  { timeout: 60_000 * stops },
  async () => {
    const environment = await newTestEnvironment();
    const port = await freePort();
    for (let round = 0; round < stops; round += 1) {
      const program = await environment.start(port, { DRAIN_SECONDS: '2' });
      const customers = await Promise.all(Array.from({ length: clients }, () => newOrderingCustomer(environment)));
      const [latecomer] = customers;
      const readiness = untilNotReady(program).then(async (status) => {
        if (status !== 503 || !latecomer) return { status, orderid: 'none' };
        // A load balancer must see the 503 while the port is still open.
        return { status, ...(await place(latecomer, {}, { idempotencyKey: newId() })) };
      });
      const stop = new AbortController();
      const working = customers.map(async (customer) => {
        const acknowledged: string[] = [];
        while (!stop.signal.aborted) {
          try {
            acknowledged.push((await place(customer, {}, { idempotencyKey: newId() })).orderid);
          } catch {
            await sleep(10);
          }
        }
        return acknowledged;
      });
      await sleep(400);
      const signalledAt = performance.now();
      program.signal('SIGTERM');
      expect(await program.ended).toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(STOP_TIMEOUT_MS);
      stop.abort();
      const { status, orderid } = await readiness;
      expect(status, 'the readiness probe fails before its connection closes').toBe(503);
      const acknowledged = [...(await Promise.all(working)).flat(), orderid];
      environment.programs.length = 0;

      const userids = customers.map(({ userid }) => userid);
      const rows = await environment.db.selectFrom('orders').select('id').where('customer_id', 'in', userids).execute();
      // No acknowledged order is lost, and every order that was started is acknowledged.
      expect(rows.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(program.output).not.toMatch(/error|fail/i);
    }
  },
);

test(
  'O6: SIGTERM while the gateway does not respond to the reconciliation of many payments exits with 0 in a few seconds',
  { timeout: 60_000 },
  async () => {
    const environment = await newTestEnvironment();
    const gateway = await startRazorpay();
    gateway.behave(['hang']);
    const before = await environment.start();
    const customer = await newOrderingCustomer(environment);
    const orders = await Promise.all(Array.from({ length: 5 }, () => place(customer, {}, { idempotencyKey: newId() })));
    before.signal('SIGTERM');
    await before.ended;
    const created_at = environment.clock.now();
    const payments = orders.map(({ orderid }) => ({
      order_id: orderid,
      tid: newToken().slice(0, 22),
      reference: newId(),
      method: 'gateway' as const,
      state: 'pending' as const,
      gateway: 'razorpay' as const,
      gateway_id: newId(),
      gateway_url: 'https://rzp.example/i/1',
      amount_paise: 100,
      due_paise: 100,
      created_at,
    }));
    await environment.db.insertInto('payments').values(payments).execute();

    const program = await environment.start(undefined, gateway.settings);
    while (gateway.requests.length === 0) await sleep(5);
    const signalledAt = performance.now();
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    // One timeout of the gateway is 8 s, and there are five payments.
    expect(performance.now() - signalledAt).toBeLessThan(5000);
    expect(gateway.requests).toHaveLength(1);
    environment.programs.length = 0;
  },
);

test('SIGTERM while a start waits for another process that migrates exits with 0', { timeout: 60_000 }, async () => {
  const environment = await newTestEnvironment({ template: 'template0' });
  const program = new ChildProgram(await freePort(), { DATABASE_URL: urlOf(environment.connection) });
  environment.programs.push(program);
  await transaction(environment.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(7421001)`.execute(tx);
    while (!program.output.includes('Waiting for another process that migrates the database')) await sleep(5);
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});

test('SIGTERM while a client does not read its responses exits with 0', { timeout: 60_000 }, async () => {
  const environment = await newTestEnvironment();
  const program = await environment.start(undefined, { METRICS_TOKEN });
  const client = net.connect(Number(new URL(program.url).port), '127.0.0.1').pause();
  // The reset of the connection at the end.
  client.on('error', () => {});
  const request = `GET ${largestFile().path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  let [sent, finished, unchanged] = [0, 0, 0];
  // Until the buffers of both sockets are full and responses wait in the program.
  while (unchanged < 10) {
    for (; sent < finished + 8; sent += 1) client.write(request);
    await sleep(50);
    const responses = await countFileResponses(program.url);
    unchanged = responses === finished ? unchanged + 1 : 0;
    finished = responses;
  }
  program.signal('SIGTERM');
  expect(await program.ended).toBe(0);
  client.destroy();
});

test('SIGTERM behind a proxy: kept connections end with a response, and the last request is served', { timeout: 60_000 }, async () => {
  const environment = await newTestEnvironment();
  const program = await environment.start(undefined, { DRAIN_SECONDS: '2' });
  const [kept, slow] = [await keepConnection(program), await keepConnection(program)];
  expect(await kept.request('/livez')).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is);
  // The proxy has begun to send a request when the listener closes.
  slow.socket.write('GET /livez HTTP/1.1\r\n');
  program.signal('SIGTERM');
  while ((await statusOf(`${program.url}/readyz`)) === 200) await sleep(5);
  expect(await kept.request('/livez')).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  while ((await statusOf(`${program.url}/readyz`)) !== undefined) await sleep(5);
  slow.socket.write('host: localhost\r\n\r\n');
  expect(await slow.response()).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  expect(await program.ended).toBe(0);
});

test('SIGTERM while pages follow an order exits with 0 at once, and their streams end', { timeout: 60_000 }, async () => {
  const environment = await newTestEnvironment();
  const program = await environment.start();
  const customer = await newOrderingCustomer(environment);
  const { orderid } = await place(customer);
  const stream = await openOrderEvents(program.url, customer.caller, orderid);
  expect(Number(await stream.next())).toBeGreaterThan(0);
  const signalledAt = performance.now();
  program.signal('SIGTERM');
  expect(await program.ended).toBe(0);
  // The server closes all connections after 8 s.
  expect(performance.now() - signalledAt).toBeLessThan(5000);
  expect(await stream.next()).toBeUndefined();
  expect(program.output).not.toMatch(/error|fail/i);
});

// A closed terminal sends SIGHUP.
test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('%s stops the program with exit code 0', { timeout: 120_000 }, async (signal) => {
  const environment = await newTestEnvironment();
  const program = await environment.start();
  program.signal(signal);
  expect(await program.ended).toBe(0);
});

/** Opens a connection for several requests, as a proxy does. */
async function keepConnection({ url }: ChildProgram) {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const response = async () => String(await once(socket, 'data'));
  const request = (path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    return response();
  };
  return { socket, request, response };
}

/**
 * Probes the readiness on one connection. Returns the first status other than 200, or undefined if
 * the connection closes.
 */
async function untilNotReady({ url }: ChildProgram): Promise<number | undefined> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const probe = () =>
    new Promise<number | undefined>((resolve) => {
      http
        .get(`${url}/readyz`, { agent }, (response) => response.resume().once('end', () => resolve(response.statusCode)))
        .once('error', () => resolve(undefined));
    });
  let status = await probe();
  while (status === 200) {
    await sleep(5);
    status = await probe();
  }
  agent.destroy();
  return status;
}

test('a log without a reader holds up no request and no stop', async () => {
  const environment = await newTestEnvironment();
  const program = await environment.start(await freePort(), { LOG_LEVEL: 'info' });
  program.stopReading();
  // A pipe holds some 200 kB, and its reader as much.
  for (let round = 0; round < 80; round += 1) {
    const requests = Array.from({ length: 50 }, async () => statusOf(`${program.url}/orders/unknown`));
    expect(new Set(await Promise.all(requests))).toEqual(new Set([404]));
  }
  program.signal('SIGTERM');
  // By SIGKILL: the end of a process waits for its writes.
  expect(await program.exited).toBe(null);
});
