/**
 * `npm run bench -- <name>`: measures, prints, and ends. Figures depend on the machine; each is a
 * ratio to something that runs beside it.
 */
import process from 'node:process';

const BENCHES = {
  'wallet-payments': () => import('./wallet-payments.ts'),
  orders: () => import('./orders.ts'),
  documents: () => import('./documents.ts'),
  lighthouse: () => import('./lighthouse.ts'),
  memory: () => import('./memory.ts'),
  reads: () => import('./reads.ts'),
  start: () => import('./start.ts'),
};

const asked = process.argv[2] ?? '';
const bench = Object.entries(BENCHES).find(([name]) => name === asked)?.[1];
if (bench) await (await bench()).run();
else {
  console.error(`npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
  process.exitCode = 1;
}
