/**
 * The cost of traces: orders placed by the program without a collector, with one that gets a tenth
 * of the traces, and with one that gets all. Three processes on one database run in turn; the
 * collector is part of this process.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { insertCustomers } from '../test/support/bulk-data.ts';
import { urlOf } from '../test/support/postgres.ts';
import { ChildProgram, freePort } from '../test/support/program-process.ts';
import { callText, load } from './load.ts';
import { median } from './median.ts';
import { ORDER_PATH, orderBody } from './orders.ts';
import { processorSeconds } from './processor-time.ts';
import { onScratch } from './scratch.ts';

const CUSTOMERS = 64;
const CLIENTS = 16;
const ROUNDS = 7;
const WARM_UP = 10_000;
const REQUESTS = 4000;

export const run = () =>
  onScratch(async ({ program, db, databaseUrl }) => {
    await insertCustomers(db, CUSTOMERS);
    const collector = await startCollector();
    const start = async (sampled: Record<string, string>) => {
      const traced = new ChildProgram(await freePort(), {
        DATABASE_URL: urlOf({ connectionString: databaseUrl }),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ...sampled,
      });
      await traced.ready();
      return traced;
    };
    const tenth = await start({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' });
    const all = await start({});
    let sent = 0;
    const measure = async ({ url, pid }: ChildProgram, requests: number) => {
      const first = sent;
      sent += requests;
      const before = processorSeconds(pid);
      const milliseconds: number[] = [];
      const rate = await load({
        clients: CLIENTS,
        requests,
        url: `${url}${ORDER_PATH}`,
        request: (number) => {
          const customer = number % CUSTOMERS;
          return callText(ORDER_PATH, `T${customer}`, orderBody(customer), { 'idempotency-key': `number-${first + number}` });
        },
        isExpected: (body) => body.includes('"success"'),
        milliseconds,
      });
      return { rate, processorMs: ((processorSeconds(pid) - before) / requests) * 1000, medianMs: median(milliseconds) };
    };
    try {
      const variants = { 'no traces': program, 'a tenth': tenth, all };
      const results = Object.entries(variants).map(([name, of]) => ({ name, of, rounds: [] as Awaited<ReturnType<typeof measure>>[] }));
      for (const { of } of results) await measure(of, WARM_UP);
      collector.spans = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { of, rounds } of results) rounds.push(await measure(of, REQUESTS));
      }
      for (const { name, rounds } of results) {
        const of = (field: 'rate' | 'processorMs' | 'medianMs') => median(rounds.map((measured) => measured[field]));
        console.log(
          `${name}: ${of('rate').toFixed(0)} orders/s, ${of('processorMs').toFixed(3)} ms of processor time of the program each, median response ${of('medianMs').toFixed(1)} ms`,
        );
      }
      console.log(`the collector got ${collector.spans} spans for ${2 * ROUNDS * REQUESTS} orders`);
    } finally {
      for (const traced of [tenth, all]) {
        traced.signal('SIGTERM');
        await traced.ended;
      }
      await collector.stop();
    }
  });

async function startCollector() {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      collector.spans += body.split('"spanId"').length - 1;
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: 0,
    stop: () => new Promise((stopped) => void server.close(stopped)),
  };
  return collector;
}
