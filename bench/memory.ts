/**
 * Resident memory of the server process during five minutes of concurrent load: the home page, the
 * order list of a signed-in customer, and new orders. Target: at most 256 MB, which leaves a third
 * of the container's limit of 384 MB. Linux only.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { insertCustomers } from '../test/support/bulk-data.ts';
import { callText, load, requestText } from './load.ts';
import { ORDER_PATH, orderBody } from './orders.ts';
import { onScratch } from './scratch.ts';

const TARGET_MB = 256;
const SECONDS = 300;
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
    const samples: number[] = [];
    const sampling = setInterval(() => samples.push(residentMegabytes(program.pid)), 500);
    const counts = await Promise.all(
      kinds.map(async ({ path, request }) => {
        const BATCH = 400;
        let sent = 0;
        for (; performance.now() < until; sent += BATCH) {
          const first = sent;
          await load({
            clients: 8,
            requests: BATCH,
            url: program.url + path,
            request: (number) => request(first + number),
            isExpected: (body) => body.length > 0,
          });
        }
        return `${sent} of ${path}`;
      }),
    );
    clearInterval(sampling);
    const [max, last] = [Math.max(...samples), samples.at(-1) ?? Number.NaN];
    console.log(`responses in ${SECONDS} s: ${counts.join(', ')}`);
    console.log(`memory: at most ${max.toFixed(0)} MB, ${last.toFixed(0)} MB at the end (target: ${TARGET_MB} MB)`);
    if (!(max <= TARGET_MB)) process.exitCode = 1;
  });

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
