/**
 * The time of the audit of the ledger, and orders a second while it runs again and again, compared
 * with orders alone. Argument: the orders in the database, 1,000,000 by default. docs/scale.md.
 */
import process from 'node:process';
import { auditSnapshot, isSound } from '../src/domains/wallet/service.server.ts';
import { inSnapshot, type Db } from '../src/db/database.server.ts';
import { ORDERS_EACH } from '../test/support/bulk-data.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { openFilled } from './filled-database.ts';
import { median } from './median.ts';
import { scriptOf } from './orders.ts';
import { NO_PGBENCH, pgbench } from './pgbench.ts';

const QUERIES = ['sum', 'drifted', 'overdrawn', 'unbalanced', 'paid twice'];
const ROUNDS = 5;
const TRANSACTIONS = 8000;
const CLIENTS = 16;

export async function run() {
  const orders = Number(process.argv[3] ?? 1_000_000);
  const { server, stop } = await startPostgres({ fsync: true });
  console.log(`filling with ${orders} orders …`);
  const filled = await openFilled(server, orders);
  const { db, url } = filled;
  try {
    const lines = await scriptOf(filled, orders / ORDERS_EACH);
    const audits: { total: number; queries: number[] }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) audits.push(await audit(db));
    const seconds = (of: (measured: (typeof audits)[number]) => number) => `${(median(audits.map(of)) / 1000).toFixed(2)} s`;
    console.log(
      `audit: ${seconds(({ total }) => total)} (${QUERIES.map((name, query) => `${name} ${seconds(({ queries }) => queries[query] ?? 0)}`).join(', ')})`,
    );

    let next = 0;
    const place = async () => {
      const counters = [`\\set n ${next} + :next * ${CLIENTS} + :client_id`, '\\set next :next + 1'];
      next += TRANSACTIONS;
      const options = { url, clients: CLIENTS, transactionsEach: TRANSACTIONS / CLIENTS };
      const rate = await pgbench({ script: `${[...counters, ...lines].join('\n')}\n`, ...options });
      if (rate === undefined) throw new Error(NO_PGBENCH);
      return rate;
    };
    await place();
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await place();
      const placing = new AbortController();
      const auditing = auditUntil(db, placing.signal);
      const beside = await place();
      placing.abort();
      const count = await auditing;
      ratios.push(beside / alone);
      console.log(`round ${round + 1}: ${alone.toFixed(0)} orders/s alone, ${beside.toFixed(0)}/s beside ${count} audits`);
    }
    console.log(`beside an audit that never pauses: ${median(ratios).toFixed(2)} of the orders a second (median of ${ROUNDS})`);
  } finally {
    await filled.close();
    await stop();
  }
}

async function audit(db: Db) {
  const startedAt = performance.now();
  const ends = [startedAt];
  const result = await inSnapshot(db, (on) => auditSnapshot(on, async () => ends.push(performance.now())));
  if (!isSound(result)) throw new Error(JSON.stringify(result));
  return { total: (ends.at(-1) ?? 0) - startedAt, queries: ends.slice(1).map((end, query) => end - (ends[query] ?? 0)) };
}

/** Returns the number of audits. */
async function auditUntil(db: Db, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (; !signal.aborted; count += 1) await audit(db);
  return count;
}
