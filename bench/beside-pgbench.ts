/**
 * Throughput of the program compared with pgbench, which executes the program's statements on the
 * same server. They run alternately; the result is the median ratio of all rounds. The difference
 * to 1 is the program's own work: HTTP, validation, rules and Node's part of each round trip.
 */
import process from 'node:process';
import { sql } from 'kysely';
import { load, type Load } from './load.ts';
import { NO_PGBENCH, pgbench } from './pgbench.ts';
import { median } from './median.ts';
import type { ProcessorUse, Scratch } from './scratch.ts';

const ROUNDS = 5;
const CLIENTS = 16;
/**
 * V8 compiles the program while it runs: the first 10,000 requests take up to twice the processor
 * time.
 */
const WARM_UP = 16_000;
const REQUESTS = 3200;

/** Requests to the program and transactions of pgbench in a whole run. */
export const TOTALS = { requests: WARM_UP + ROUNDS * REQUESTS, transactions: ROUNDS * REQUESTS } as const;

export interface Comparison {
  name: string;
  /** The lowest ratio that passes. */
  target: number;
  request: Pick<Load, 'request' | 'isExpected'> & { path: string };
  /**
   * The statements of one transaction. pgbench counts transactions of all clients and rounds in
   * `:n`, from 0.
   */
  script(): Promise<string[]>;
}

/**
 * Alternates rounds of requests and of pgbench with the same statements, and prints the median
 * ratio. Sets the exit code to 1 if the ratio is below the target.
 */
export async function besidePgbench(scratch: Scratch, { name, target, request, script }: Comparison) {
  const url = `${scratch.program.url}${request.path}`;
  let sent = 0;
  const send = async (requests: number) => {
    const first = sent;
    sent += requests;
    return load({ ...request, clients: CLIENTS, requests, url, request: (number) => request.request(first + number) });
  };
  const ratios: number[] = [];
  const byProcessor: number[] = [];
  await send(WARM_UP);
  // Autovacuum would do this within minutes. Until then, plans are those for empty tables.
  await sql`analyze`.execute(scratch.db);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = scratch.processorUse();
    const programRate = await send(REQUESTS);
    const between = scratch.processorUse();
    const lines = [`\\set n ${round * REQUESTS} + :next * ${CLIENTS} + :client_id`, '\\set next :next + 1', ...(await script())];
    const options = { url: scratch.databaseUrl, clients: CLIENTS, transactionsEach: REQUESTS / CLIENTS };
    const pgbenchRate = await pgbench({ script: `${lines.join('\n')}\n`, ...options });
    if (pgbenchRate === undefined) throw new Error(NO_PGBENCH);
    const after = scratch.processorUse();
    ratios.push(programRate / pgbenchRate);
    byProcessor.push(totalSeconds(between, after) / totalSeconds(before, between));
    const each = (seconds: number) => `${((seconds / REQUESTS) * 1000).toFixed(2)} ms`;
    console.log(
      `round ${round + 1}: program ${programRate.toFixed(0)}/s, pgbench ${pgbenchRate.toFixed(0)}/s; processor time for each: program ` +
        `${each(between.program - before.program)} and its server ${each(between.postgres - before.postgres)}, pgbench's server ${each(after.postgres - between.postgres)}`,
    );
  }
  const ratio = median(ratios);
  console.log(
    `${name}: ${ratio.toFixed(2)} of pgbench (median of ${ROUNDS}; target: ${target.toFixed(2)}); by processor time ${median(byProcessor).toFixed(2)}`,
  );
  if (ratio < target) process.exitCode = 1;
}

/** Returns the processor time of the program, PostgreSQL and the load generator together. */
const totalSeconds = (from: ProcessorUse, to: ProcessorUse) =>
  to.program - from.program + to.postgres - from.postgres + to.loadGenerator - from.loadGenerator;
