/**
 * Memory of the server process (resident set) while it answers documents and calls for a minute:
 * the home page, the order list of a signed-in customer and new orders, side by side. To reach: 200
 * MB at the most. Linux only.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { insertCustomers } from '../test/support/bulk-data.ts';
import { callText, load, requestText } from './load.ts';
import { ORDER_PATH, orderBody } from './orders.ts';
import { onScratch } from './scratch.ts';

const REACH_MB = 200;
const SECONDS = 60;
const CUSTOMERS = 64;

export const run = () =>
  onScratch(async ({ db, program }) => {
    await insertCustomers(db, CUSTOMERS);
    const home = requestText('GET', '/', { 'accept-encoding': 'br' });
    const list = '/orders/getorder';
    const kinds = [
      { path: '/', request: () => home },
      { path: list, request: (number: number) => callText(list, `T${number % CUSTOMERS}`, {}) },
      {
        path: ORDER_PATH,
        request: (number: number) =>
          callText(ORDER_PATH, `T${number % CUSTOMERS}`, orderBody(number % CUSTOMERS), { 'idempotency-key': `number-${number}` }),
      },
    ];
    const until = performance.now() + SECONDS * 1000;
    const seen: number[] = [];
    const watch = setInterval(() => seen.push(residentMegabytes(program.pid)), 500);
    const answered = await Promise.all(
      kinds.map(async ({ path, request }) => {
        const PART = 400;
        let asked = 0;
        for (; performance.now() < until; asked += PART) {
          const first = asked;
          await load({
            clients: 8,
            requests: PART,
            url: program.url + path,
            request: (number) => request(first + number),
            isRight: (body) => body.length > 0,
          });
        }
        return `${asked} of ${path}`;
      }),
    );
    clearInterval(watch);
    const [most, last] = [Math.max(...seen), seen.at(-1) ?? Number.NaN];
    console.log(`answered in ${SECONDS} s: ${answered.join(', ')}`);
    console.log(`memory: at most ${most.toFixed(0)} MB, ${last.toFixed(0)} MB at the end (to reach: ${REACH_MB} MB)`);
    if (!(most <= REACH_MB)) process.exitCode = 1;
  });

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
