/**
 * The 95th percentile of order list, order, transactions and reviews with 1,000,000 orders,
 * compared with 1,000 orders. Both are measured alternately; the result is the median ratio.
 * Target: 1.5 at most.
 */
import process from 'node:process';
import { callText, load, requestText } from './load.ts';
import { insertOrders, ORDERS_EACH } from '../test/support/bulk-data.ts';
import { median, percentile } from './median.ts';
import { onScratch, type Scratch } from './scratch.ts';

const TARGET = 1.5;
const FEW = 1000;
const MANY = 1_000_000;
const ROUNDS = 5;
const REQUESTS = 400;

/** A prime, which spreads the reads over the tables. */
const STRIDE = 7919;

const READS = [
  ['/orders/getorder', (number: number) => callText('/orders/getorder', `T${Math.floor(number / ORDERS_EACH)}`, {})],
  [
    '/orders/getspecificorder',
    (number: number) => callText('/orders/getspecificorder', `T${Math.floor(number / ORDERS_EACH)}`, { orderid: `A${number}` }),
  ],
  [
    '/transactions/gettransaction',
    (number: number) => callText('/transactions/gettransaction', `T${Math.floor(number / ORDERS_EACH)}`, {}),
  ],
  ['/reviews/getreviews', () => requestText('GET', '/reviews/getreviews', {})],
  ['/reviews/getsummary', () => requestText('GET', '/reviews/getsummary', {})],
] as const;

export const run = () =>
  onScratch((few) =>
    onScratch(async (many) => {
      await insertOrders(few.db, FEW);
      console.log(`filling with ${MANY} orders …`);
      await insertOrders(many.db, MANY);
      for (const [path, request] of READS) {
        const results: { few: number; many: number }[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          const times = { few: await p95(few, FEW, path, request, round), many: await p95(many, MANY, path, request, round) };
          // The first round warms up.
          if (round > 0) results.push(times);
        }
        const ratio = median(results.map((times) => times.many / times.few));
        const format = (side: 'few' | 'many') => `${median(results.map((times) => times[side])).toFixed(2)} ms`;
        console.log(
          `${path}: p95 ${format('few')} at ${FEW} orders, ${format('many')} at ${MANY}: ${ratio.toFixed(2)} times (target: ${TARGET})`,
        );
        if (ratio > TARGET) process.exitCode = 1;
      }
    }),
  );

async function p95(
  { program }: Scratch,
  orders: number,
  path: string,
  request: (number: number) => string,
  round: number,
): Promise<number> {
  const milliseconds: number[] = [];
  await load({
    clients: 2,
    requests: REQUESTS,
    url: program.url + path,
    request: (number) => request(((round * REQUESTS + number) * STRIDE) % orders),
    isExpected: (body) => body.includes('"success"'),
    milliseconds,
  });
  return percentile(milliseconds, 0.95);
}
