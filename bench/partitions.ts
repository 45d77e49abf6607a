/**
 * Orders a second with the tables of an order hash-partitioned by customer, and `customer_id` in
 * their keys, compared with the tables as they are. pgbench executes the statements of the program
 * on two databases of one server, alternately. docs/decisions/0080. Argument: the partitions of a
 * table, 8 by default.
 */
import process from 'node:process';
import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import { ORDERS_EACH } from '../test/support/bulk-data.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { parentOf } from '../test/support/process-tree.ts';
import { openFilled, type FilledDatabase } from './filled-database.ts';
import { median } from './median.ts';
import { scriptOf } from './orders.ts';
import { NO_PGBENCH, pgbench } from './pgbench.ts';
import { processTreeSeconds } from './processor-time.ts';

const ORDERS = 100_000;
const ROUNDS = 9;
const TRANSACTIONS = 8000;
const CLIENTS = 16;

/** The tables of a customer that placing an order reads or writes, with their partition column. */
const TABLES = {
  customers: 'id',
  addresses: 'customer_id',
  offers: 'customer_id',
  orders: 'customer_id',
  idempotency_keys: 'customer_id',
  order_events: 'customer_id',
  notifications: 'customer_id',
} as const;

const KEYS: Record<keyof typeof TABLES, string> = {
  customers: 'id',
  addresses: 'customer_id, id',
  offers: 'customer_id, id',
  orders: 'customer_id, id',
  idempotency_keys: 'customer_id, key',
  order_events: 'customer_id, id',
  notifications: 'customer_id, event_id',
};

const FOREIGN_KEYS = [
  'addresses (customer_id) references customers (id)',
  'offers (customer_id) references customers (id)',
  'orders (customer_id) references customers (id)',
  'orders (program_id) references programs (id)',
  'idempotency_keys (customer_id) references customers (id)',
  'idempotency_keys (customer_id, order_id) references orders (customer_id, id)',
  'order_events (customer_id, order_id) references orders (customer_id, id)',
  'notifications (customer_id, event_id) references order_events (customer_id, id)',
];

/** Additions to the statements of an order, as pairs of texts. */
const CHANGES = [
  ['join orders on orders.id = order_id', 'join orders on orders.customer_id = idempotency_keys.customer_id and orders.id = order_id'],
  ['returning id, stage, placed_at', 'returning customer_id, id, stage, placed_at'],
  [
    'insert into order_events (order_id, kind, stage, at) select id,',
    'insert into order_events (customer_id, order_id, kind, stage, at) select customer_id, id,',
  ],
] as const;

export async function run() {
  const partitions = Number(process.argv[3] ?? 8);
  const { server, stop } = await startPostgres({ fsync: true });
  const [today, byCustomer] = [await openFilled(server, ORDERS), await openFilled(server, ORDERS)];
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(today.db);
    const postmaster = parentOf(rows[0]?.pid ?? 0) ?? 0;
    await partition(byCustomer.db, partitions);
    const lines = await scriptOf(today, ORDERS / ORDERS_EACH);
    const changed = lines.map((line) => CHANGES.reduce((text, [from, to]) => text.replace(from, to), line));
    if (CHANGES.some(([from, to]) => lines.join('').includes(from) !== changed.join('').includes(to)))
      throw new Error('a statement is another one');

    const measure = async ({ url }: FilledDatabase, script: string[], round: number) => {
      const counters = [`\\set n ${round * TRANSACTIONS} + :next * ${CLIENTS} + :client_id`, '\\set next :next + 1'];
      const before = processTreeSeconds(postmaster);
      const options = { url, clients: CLIENTS, transactionsEach: TRANSACTIONS / CLIENTS };
      const rate = await pgbench({ script: `${[...counters, ...script].join('\n')}\n`, ...options });
      if (rate === undefined) throw new Error(NO_PGBENCH);
      return { rate, milliseconds: ((processTreeSeconds(postmaster) - before) / TRANSACTIONS) * 1000 };
    };
    const rates: number[] = [];
    const times: number[] = [];
    // The first round warms up. The order alternates, because a checkpoint slows what follows it.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const measureToday = () => measure(today, lines, round);
      const first = round % 2 === 0 ? await measureToday() : undefined;
      const other = await measure(byCustomer, changed, round);
      const before = first ?? (await measureToday());
      if (round === 0) continue;
      rates.push(other.rate / before.rate);
      times.push(other.milliseconds / before.milliseconds);
      const describe = ({ rate, milliseconds }: typeof other) =>
        `${rate.toFixed(0)}/s, ${milliseconds.toFixed(2)} ms of processor time each`;
      console.log(`round ${round}: today ${describe(before)}; ${partitions} partitions ${describe(other)}`);
    }
    console.log(
      `${partitions} partitions: ${median(rates).toFixed(2)} of today's orders a second, ${median(times).toFixed(2)} times the processor time (median of ${ROUNDS})`,
    );
  } finally {
    await today.close();
    await byCustomer.close();
    await stop();
  }
}

/** Replaces the tables by partitioned ones with the same rows, indexes and triggers. */
async function partition(db: Db, partitions: number) {
  const names = Object.keys(TABLES) as (keyof typeof TABLES)[];
  const run = (statement: string) => sql.raw(statement).execute(db);
  const definitions = async (query: string) => ((await run(query)).rows as { definition: string }[]).map(({ definition }) => definition);
  const list = names.map((name) => `'${name}'::regclass`).join();
  const indexes = await definitions(
    `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid in (${list}) and not indisunique`,
  );
  const triggers = await definitions(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid in (${list}) and not tgisinternal`,
  );
  await run('alter table order_events add column customer_id text');
  await run('alter table order_events disable trigger user');
  await run('update order_events set customer_id = orders.customer_id from orders where orders.id = order_id');
  await run('alter table notifications add column customer_id text');
  for (const name of names) {
    await run(
      `create table new_${name} (like ${name} including defaults including constraints including identity) partition by hash (${TABLES[name]})`,
    );
    for (let remainder = 0; remainder < partitions; remainder += 1) {
      await run(
        `create table ${name}_${remainder} partition of new_${name} for values with (modulus ${partitions}, remainder ${remainder})`,
      );
    }
    await run(`insert into new_${name} overriding system value select * from ${name}`);
  }
  for (const name of names) {
    await run(`drop table ${name} cascade`);
    await run(`alter table new_${name} rename to ${name}`);
    await run(`alter table ${name} add primary key (${KEYS[name]})`);
  }
  await run(`select setval(pg_get_serial_sequence('order_events', 'id'), (select max(id) from order_events))`);
  for (const definition of indexes) await run(definition);
  for (const key of FOREIGN_KEYS) await run(`alter table ${key.replace(' (', ' add foreign key (')}`);
  const queue = await definitions(`select pg_get_functiondef('order_events_queue_notification'::regproc) as definition`);
  await run((queue[0] ?? '').replace('(event_id,', '(customer_id, event_id,').replace('(new.id,', '(new.customer_id, new.id,'));
  for (const definition of triggers) await run(definition);
  await run('vacuum analyze');
}
