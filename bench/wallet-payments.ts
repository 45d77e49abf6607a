/** Wallet payments a second through the program, beside pgbench running the program's own statements on the same server. Aim: 0.5 of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { openDatabase, type Db } from '../src/db/database.server.ts';
import type { DB } from '../src/db/tables.generated.ts';
import { insertWalletPayment, readForWallet } from '../src/domains/payments/store.server.ts';
import type { SignedInCustomer } from '../src/domains/sessions/gate.server.ts';
import { findSession } from '../src/domains/sessions/store.server.ts';
import { creditWallet } from '../src/domains/wallet/service.server.ts';
import { asPaise } from '../src/kit/money.ts';
import { hashToken } from '../src/kit/tokens.server.ts';
import { newDatabase, startPostgres, urlOf } from '../test/support/postgres.ts';

import { load } from './load.ts';
import { asPgbench, NO_PGBENCH, pgbench } from './pgbench.ts';

const CLIENTS = 16;
const CUSTOMERS = 64;
const PAYMENTS = 2400;
const WARM_UP = 1600;
/** Two kilograms at ₹38; the wallet's half is ₹38. */
const HALF = 3800;
const FINAL = 7600;

const ORDERS_AT_ONCE = 1600;

const now = new Date('2026-11-21T05:00:00Z');

export async function run() {
  const { server, stop } = await startPostgres();
  const { connection, drop } = await newDatabase(server);
  const program = await startProgram(urlOf(connection));
  const statements: CompiledQuery[] = [];
  const { pool } = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  });
  try {
    await fill(db);
    const perSecond: { program: number; pgbench: number | undefined }[] = [];
    for (const round of [0, 1, 2]) {
      const began = round * (WARM_UP + PAYMENTS);
      await pay(program.url, began, WARM_UP);
      const ours = await pay(program.url, began + WARM_UP, PAYMENTS);
      const theirs = await pgbench({
        script: await scriptOf(db, statements, round),
        url: connection.connectionString ?? '',
        clients: CLIENTS,
        transactionsEach: PAYMENTS / CLIENTS,
      });
      perSecond.push({ program: ours, pgbench: theirs });
      console.log(`round ${round + 1}: program ${Math.round(ours)}/s, pgbench ${theirs === undefined ? '-' : Math.round(theirs)}/s`);
    }
    report(perSecond);
    await checkBooks(db);
  } finally {
    await db.destroy();
    await program.stop();
    await drop();
    await stop();
  }
}

function report(perSecond: { program: number; pgbench: number | undefined }[]) {
  const ratios = perSecond
    .flatMap((figures) => (figures.pgbench ? [figures.program / figures.pgbench] : []))
    .toSorted((one, other) => one - other);
  const median = ratios[Math.floor(ratios.length / 2)];
  console.log(
    median === undefined ? NO_PGBENCH : `wallet payments: ${median.toFixed(2)} of pgbench (median of ${ratios.length}; aim 0.50)`,
  );
}

const pay = (url: string, first: number, requests: number) =>
  load({
    clients: CLIENTS,
    requests,
    url: `${url}/combinedata/paywithwallet`,
    expects: '"success"',
    request: (number) => ({
      body: JSON.stringify({ orderid: `A${first + number}`, walletpayment: HALF / 100, walletbalance: 0 }),
      cookie: `session=T${(first + number) % CUSTOMERS}`,
    }),
  });

/** Customers with sessions and full wallets; their orders A… for the program, B… for pgbench, all waiting in the queue. */
async function fill(db: Db) {
  const orders = 3 * (WARM_UP + PAYMENTS);
  for (let number = 0; number < CUSTOMERS; number += 1) {
    const id = `C${number}`;
    await db
      .insertInto('customers')
      .values({ id, mobile: String(9_000_000_000 + number), name: 'Bench', password_hash: 'none', created_at: now })
      .execute();
    const session = {
      token_hash: hashToken(`T${number}`),
      customer_id: id,
      kind: 'customer',
      created_at: now,
      expires_at: new Date('2099-01-01'),
    };
    await db.insertInto('sessions').values(session).execute();
    const credit = {
      kind: 'promotion',
      amountPaise: asPaise(1_000_000_000),
      reason: 'A bench',
      reference: `bench:${id}`,
      at: now,
    } as const;
    await creditWallet(db, { ...credit, customerId: id });
  }
  // In parts: the program's statements have a deadline.
  for (let first = 0; first < orders; first += ORDERS_AT_ONCE) {
    await sql`insert into orders (id, customer_id, program_id, program_name, unit, area, base_rate_paise, surcharge_paise, rate_paise, order_rate_paise,
        timeslot, pickup_day, detergent, conditioner, iron, stage, weight_grams, items, ship_name, ship_mobile, ship_address1, ship_address2, ship_landmark,
        ship_pincode, ship_city, ship_state, placed_at)
      select side || n, 'C' || n % ${CUSTOMERS}::int, 'wash', 'Wash', 'kg', 'manesar', 3800, 0, 3800, 3800, '05:00 - 09:00 PM', '2026-11-21', '', '', '',
        'queue', 2000, 5, 'Bench', '9000000000', 'House 1', 'Street 2', 'Park', '122052', 'Gurugram', 'Haryana', ${now}
        from generate_series(${first}::int, ${first + ORDERS_AT_ONCE}::int - 1) n, (values ('A'), ('B')) sides (side)`.execute(db);
  }
  await sql`analyze`.execute(db);
}

/** The statements of one payment, as the stores make them, with everything that differs between payments made from a counter of pgbench. */
async function scriptOf(db: Db, statements: CompiledQuery[], round: number): Promise<string> {
  const customer = { kind: 'customer', id: 'C0', sessionHash: hashToken('T0') } as unknown as SignedInCustomer;
  const example = { orderid: 'an order', entryId: 'an entry', tid: 'a tid of 22 characters', reference: 'a reference' };
  statements.length = 0;
  await findSession(db, customer.sessionHash, now);
  await readForWallet(db, customer, example.orderid);
  const debit = {
    entryId: example.entryId,
    customerId: customer.id,
    kind: 'paid',
    walletPaise: -HALF,
    reason: 'Paid from the wallet',
    reference: `order:${example.orderid}:wallet`,
    orderId: example.orderid,
    at: now,
  } as const;
  // Only its text is wanted: there is no such order, and the database refuses it.
  await insertWalletPayment(db, debit, { ...example, amountPaise: HALF, duePaise: FINAL }).catch(() => {});
  const expressions = new Map<unknown, string>([
    [customer.sessionHash.toString('hex'), "sha256(('T' || :c::text)::bytea)"],
    [customer.id, "('C' || :c::text)"],
    [`wallet:${customer.id}`, "('wallet' || chr(58) || 'C' || :c::text)"],
    [example.orderid, "('B' || :n::text)"],
    [example.entryId, "('entry B' || :n::text)"],
    [example.tid, "lpad(:n::text, 22, 't')"],
    [example.reference, "lpad(:n::text, 20, 'r')"],
    [debit.reference, "('order' || chr(58) || 'B' || :n::text || chr(58) || 'wallet')"],
  ]);
  const first = round * PAYMENTS;
  return [
    `\\set n ${first} + :next * ${CLIENTS} + :client_id`,
    `\\set c :n % ${CUSTOMERS}`,
    '\\set next :next + 1',
    ...statements.map((statement) => asPgbench(statement, expressions)),
    '',
  ].join('\n');
}

/** A bench that paid nothing, or twice, would be a fast one. */
async function checkBooks(db: Db) {
  const { rows } = await sql<{ side: string; paid: number; paise: number }>`
    select left(order_id, 1) as side, count(*)::int as paid, sum(amount_paise)::float8 as paise from payments group by 1 order by 1`.execute(
    db,
  );
  for (const { side, paid, paise } of rows) {
    const expected = side === 'A' ? 3 * (WARM_UP + PAYMENTS) : 3 * PAYMENTS;
    if (paid !== expected || paise !== paid * HALF)
      throw new Error(`side ${side} made ${paid} payments of ${paise} paise instead of ${expected}`);
  }
}

async function startProgram(databaseUrl: string) {
  const port = await freePort();
  const child = spawn(process.execPath, ['--max-semi-space-size=4', path.resolve('build/server/index.js')], {
    env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  while (!output.includes(' is ready: ')) {
    if (child.exitCode !== null) throw new Error(`The program did not start: ${output}`);
    await sleep(25);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
