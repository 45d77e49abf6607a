/**
 * `npm run bench -- <name>`: runs one benchmark and prints its results. Absolute results depend on
 * the machine, so most benchmarks compare the program with a reference in the same run.
 */
import process from 'node:process';

const BENCHES = {
  'wallet-payments': () => import('./wallet-payments.ts'),
  orders: () => import('./orders.ts'),
  partitions: () => import('./partitions.ts'),
  'ledger-audit': () => import('./ledger-audit.ts'),
  traces: () => import('./traces.ts'),
  documents: () => import('./documents.ts'),
  lighthouse: () => import('./lighthouse.ts'),
  memory: () => import('./memory.ts'),
  reads: () => import('./reads.ts'),
  staff: () => import('./staff.ts'),
  start: () => import('./start.ts'),
};

const requested = process.argv[2] ?? '';
const bench = Object.entries(BENCHES).find(([name]) => name === requested)?.[1];
if (bench) await (await bench()).run();
else {
  console.error(`npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
  process.exitCode = 1;
}
