/**
 * `npm run cluster`: rehearses restarts, crashes, an upgrade and a failover. Starts PostgreSQL with
 * a replica, PgBouncer, three processes of the built program and nginx on loopback. Customers order
 * and pay through nginx while processes are stopped, killed and replaced, PgBouncer is killed, and
 * the replica takes over. Exits with 1 if an order or a payment is lost or doubled.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, type Db } from '../src/db/database.server.ts';
import { parseDatabaseUrl } from '../src/db/hosts.server.ts';
import { moveOrder, weighOrder } from '../src/domains/orders/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { onServer } from '../test/support/postgres.ts';
import { Counts, Customer } from './cluster/customers.ts';
import { startDatabase } from './cluster/database.ts';
import { findPackages, MissingPackage, type Packages } from './cluster/packages.ts';
import { Scratch } from './cluster/scratch.ts';
import { createNewerVersion, isListening, startSite, type Site } from './cluster/site.ts';
import { checkBooks, countFound, tableOf, type Phase } from './cluster/totals.ts';

/** 3400 to 3407, below the ports that the system gives to outgoing connections. */
const FIRST_PORT = Number(process.env.PORT ?? 3400);
const PORTS = {
  https: FIRST_PORT,
  http: FIRST_PORT + 1,
  first: FIRST_PORT + 2,
  primary: FIRST_PORT + 5,
  replica: FIRST_PORT + 6,
  pooler: FIRST_PORT + 7,
};
const PORT_COUNT = 8;
const CUSTOMERS = 12;
const LIMIT_MS = 240_000;
/** Load before and after what happens in a phase. */
const MARGIN_MS = 1500;
/** Orders of a customer that wait for their payment. */
const PAYABLE_EACH = 3;
const PAUSE_MS = 150;
const PIECES = 5;
const RATE_PAISE = 3800;

/** Weighs an order of each customer again and again, so that the wallet can pay for it. */
async function operate(db: Db, customers: readonly Customer[], stopping: AbortSignal) {
  for (let round = 0; !stopping.aborted; round += 1) {
    const kilograms = 1 + (round % 5);
    for (const { unweighed, payable } of customers) {
      const orderid = payable.length < PAYABLE_EACH && unweighed.shift();
      // Without a database, the operator goes on with another order later.
      if (orderid)
        await weigh(db, orderid, kilograms).then(
          () => payable.push({ orderid, halfPaise: (kilograms * RATE_PAISE) / 2 }),
          () => {},
        );
    }
    await sleep(PAUSE_MS);
  }
}

async function weigh(db: Db, orderid: string, kilograms: number) {
  const now = systemClock.now();
  const weighed = await weighOrder(db, orderid, kilograms * 1000, PIECES, now);
  const moved = await moveOrder(db, orderid, 'queue', now);
  if (weighed !== 'done' || moved !== 'done') throw new Error(`the order was not weighed: ${weighed}, ${moved}`);
}

async function rehearse(scratch: Scratch, packages: Packages): Promise<string[]> {
  for (let port = FIRST_PORT; port < FIRST_PORT + PORT_COUNT; port += 1)
    if (await isListening(port))
      throw new Error(`Port ${port} is taken by another program. Stop it, or set PORT to the first of ${PORT_COUNT} others.`);
  const database = await startDatabase(scratch, packages, PORTS);
  const site = await startSite(scratch, packages, database, PORTS);
  const newer = await createNewerVersion(scratch);
  const { db, close } = openDatabase({ connection: parseDatabaseUrl(database.directUrl), poolSize: 4, onConnectionLost: () => {} });
  const server = { port: PORTS.https, certificate: site.certificate };
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, (_, number) => Customer.create(db, number, server)));
  const phases: Phase[] = [];

  /** Runs the load while `work` happens, and waits until every customer has a result. */
  const phase = async (name: string, work: () => Promise<void>) => {
    const startedAt = performance.now();
    const counts = new Counts();
    for (const customer of customers) customer.counts = counts;
    const before = await countFound(db, customers);
    const stopping = new AbortController();
    const working = Promise.all([operate(db, customers, stopping.signal), ...customers.map((customer) => customer.work(stopping.signal))]);
    try {
      await sleep(MARGIN_MS);
      await work();
      await sleep(MARGIN_MS);
    } finally {
      stopping.abort();
      await working;
    }
    const after = await countFound(db, customers);
    const found = { orders: after.orders - before.orders, payments: after.payments - before.payments };
    phases.push({ name, counts, found });
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };

  const problems: string[] = [];
  await phase('no disturbance', async () => {});
  const readers = await poolsOn(database.replicaUrl);
  if (readers === 0) problems.push('no process reads from the replica');
  await phase('SIGTERM and a new process', () => site.replace(0));
  await phase('SIGKILL and a new process', () => site.kill(1));
  await phase('a newer version, one by one', async () => {
    await site.replace(0, newer);
    // A crashed process of the old version starts again beside the newer schema.
    await site.kill(1);
    await site.replace(1, newer);
    await site.replace(2, newer);
  });
  const { rows: applied } = await sql`select from schema_migrations where name = ${newer.migration}`.execute(db);
  if (applied.length === 0) problems.push('the newer version did not migrate the database');
  await phase('PgBouncer is killed and restarted', async () => {
    await database.restartPooler();
    await site.ready();
  });
  await phase('the primary is lost, the replica takes over', async () => {
    await database.failOver();
    await site.ready();
  });
  await phase('after that', async () => {});

  const { table, problems: wrong } = tableOf(phases);
  problems.push(...wrong, ...(await checkBooks(db, customers)));
  await close();
  console.log(`\n${table}\n\n${packages.versions}`);
  if (problems.length > 0) problems.push(...errorsOf(site));
  else console.log('Every wallet has what its customer computed, and the ledger is balanced.');
  return problems;
}

/** Returns the number of processes that have connections to the server. */
async function poolsOn(connectionString: string): Promise<number> {
  const { rows } = await onServer({ connectionString }, (client) =>
    client.query<{ pools: number }>(
      "select count(distinct application_name)::int as pools from pg_stat_activity where application_name like 'dhulai pid % pool'",
    ),
  );
  return rows[0]?.pools ?? 0;
}

/** Returns the different errors that the processes logged. */
function errorsOf(site: Site): string[] {
  const lines = site
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{"level":50'));
  const errors = lines.map((line) => JSON.parse(line) as { msg: string; err?: { message: string } });
  return [...new Set(errors.map(({ msg, err }) => `logged: ${msg}: ${err?.message ?? ''}`))];
}

/** Returns the user of PostgreSQL's package. Undefined if this process is not root. */
function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

let packages: Packages;
try {
  packages = findPackages();
} catch (error) {
  if (!(error instanceof MissingPackage)) throw error;
  console.error(error.message);
  process.exit(1);
}
const scratch = new Scratch(serverUser());
const endWith = (code: number, message: string) => {
  console.error(message);
  void scratch.end().finally(() => process.exit(code));
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => endWith(1, `Ended by ${signal}`));
setTimeout(() => endWith(1, `Not finished after ${LIMIT_MS / 1000} s`), LIMIT_MS).unref();
try {
  const problems = await rehearse(scratch, packages);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await scratch.end();
// Connections to servers that are gone would keep this process for seconds.
process.exit();
