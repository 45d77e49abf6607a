/**
 * The 95th percentile of the console's board, search, order and numbers with 1,000,000 orders of
 * `npm run seed`, compared with 1,000 orders. Both are measured alternately; the result is the
 * median ratio. Target: 1.5 at most. `npm run bench -- staff 100000` compares fewer orders.
 *
 * Both sides return as many orders, because the ratio would compare the sizes of the responses
 * otherwise; each line prints the sizes. So most of the 1,000 orders are of the last days, which
 * fill the pages of the lists, and some of them are moved to the columns of the board that have
 * more orders on the other side. A mobile number has one order, as an account and at the door. The
 * words that are searched for are the longest beginnings of a name that fill a page of delivered
 * orders: with 1,000 orders a letter or two, with many the whole name. Orders of other stages have
 * fewer events.
 *
 * The numbers are read as in the middle between two runs of the job that adds them up. The samples
 * have most deliveries in the evening: a report then reads the most facts not yet added up.
 */
import process from 'node:process';
import { sql } from 'kysely';
import { COLUMNS, getBoard } from '../src/domains/order-desk/desk/board-contract.ts';
import { ORDERS_PER_PAGE } from '../src/domains/order-desk/desk/contract.ts';
import { transaction } from '../src/db/database.server.ts';
import { updateFigures } from '../src/domains/figures/store.server.ts';
import { NEW_ENTRIES_JOB } from '../src/domains/system/desk/rules.ts';
import { addSeconds, DAY_SECONDS, systemClock } from '../src/lib/clock.ts';
import { kolkataDay } from '../src/lib/dates.ts';
import { hashToken } from '../src/security/tokens.server.ts';
import { writeSamples } from '../tools/samples/write-samples.ts';
import { callText, load } from './load.ts';
import { median, percentile } from './median.ts';
import { onScratch, type Scratch } from './scratch.ts';

const TARGET = 1.5;
const FEW = 1000;
const MANY = Number(process.argv[3] ?? 1_000_000);
const DAYS = 365;
/** The share of the 1,000 orders that is of the last `RECENT_DAYS`. */
const RECENT_SHARE = 0.8;
const RECENT_DAYS = 4;
const ROUNDS = 5;
const REQUESTS = 100;
/** A job adds up every five minutes what is older than two minutes. */
const SECONDS_NOT_ADDED_UP = (2 + 5 / 2) * 60;

const TOKEN = 'a session of the bench';
const COOKIE = `staff=${encodeURIComponent(TOKEN)}`;
const now = systemClock.now();
const today = kolkataDay(now);
const daysAgo = (days: number) => kolkataDay(addSeconds(now, -days * DAY_SECONDS));

interface Target {
  id: string;
  mobile: string;
  name: string;
}

const REPORT = '/staff/report';

type Body = (target: Target) => object;
const READS: readonly (readonly [name: string, path: string, body: Body])[] = [
  ['board', '/staff/board', () => ({})],
  ['list of open orders', '/staff/orders', () => ({ stage: 'queue' })],
  ['list of delivered orders', '/staff/orders', () => ({ stage: 'delivered' })],
  ['search by number', '/staff/orders', ({ id }) => ({ search: id })],
  ['search by mobile', '/staff/orders', ({ mobile }) => ({ search: mobile })],
  ['search by name', '/staff/orders', ({ name }) => ({ search: name, stage: 'delivered' })],
  ['order', '/staff/order', ({ id }) => ({ orderid: id })],
  ['numbers of a month', REPORT, () => ({ from: daysAgo(29), to: today })],
  ['numbers of a year', REPORT, () => ({ from: daysAgo(364), to: today })],
];

export const run = () =>
  onScratch((few) =>
    onScratch(async (many) => {
      const recent = { orders: Math.round(FEW * RECENT_SHARE), days: RECENT_DAYS };
      const earlier = { orders: FEW - recent.orders, days: DAYS };
      await fill(few, [earlier, recent]);
      await fill(many, [{ orders: MANY, days: DAYS }]);
      await fillColumns(few, many);
      const targets = { few: await targetsOf(few), many: await targetsOf(many) };
      for (const [name, path, body] of READS) {
        const results: { few: Measured; many: Measured }[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          if (path === REPORT) await Promise.all([few, many].map(forgetNewFigures));
          const measured = { few: await measure(few, targets.few, path, body), many: await measure(many, targets.many, path, body) };
          // The first round warms up.
          if (round > 0) results.push(measured);
        }
        const ratio = median(results.map((measured) => measured.many.p95 / measured.few.p95));
        const format = (side: 'few' | 'many') => {
          const of = (field: keyof Measured) => median(results.map((measured) => measured[side][field]));
          return `${of('p95').toFixed(2)} ms (${(of('bytes') / 1000).toFixed(1)} kB)`;
        };
        console.log(
          `${name}: p95 ${format('few')} at ${FEW} orders, ${format('many')} at ${MANY}: ${ratio.toFixed(2)} times (target: ${TARGET})`,
        );
        if (!(ratio <= TARGET)) process.exitCode = 1;
      }
    }),
  );

async function fill({ db, databaseUrl }: Scratch, periods: readonly { orders: number; days: number }[]) {
  const startedAt = performance.now();
  const request = { connection: { connectionString: databaseUrl }, seed: 1, until: now, passwordHash: 'none' };
  for (const period of periods) await writeSamples({ ...request, ...period });
  const total = periods.reduce((sum, { orders }) => sum + orders, 0);
  console.log(`${total} orders were written in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const owner = { id: 'OWNER', name: 'Bench', mobile: '9000000000', role: 'owner', password_hash: 'none', created_at: now } as const;
  await db.insertInto('staff_members').values(owner).execute();
  const session = { token_hash: hashToken(TOKEN), staff_id: owner.id, created_at: now, expires_at: addSeconds(now, DAY_SECONDS) };
  await db.insertInto('staff_sessions').values(session).execute();
  // A laundry of many months has done this long ago. It would run beside the requests: a job audits
  // the entries of the ledger since the mark of its last run.
  await db.updateTable('job_runs').set({ mark: null }).where('job', '=', NEW_ENTRIES_JOB).execute();
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
}

/** Adds today up again, but not the last minutes. */
const forgetNewFigures = ({ db }: Scratch) => transaction(db, (tx) => updateFigures(tx, addSeconds(now, -SECONDS_NOT_ADDED_UP), today));

/** Moves delivered orders until each column of the board has as many on its page as the other's. */
async function fillColumns(few: Scratch, many: Scratch) {
  const [own, other] = [await readBoard(few), await readBoard(many)];
  for (const column of COLUMNS) {
    const missing = other[column].orders.length - own[column].orders.length;
    if (missing <= 0) continue;
    const set =
      column === 'cancelled'
        ? sql`stage = ${column}, cancelled_at = ${now}::timestamptz, cancelled_by = 'laundry', cancelled_from = 'queue'`
        : sql`stage = ${column}, is_unpaid = ${column === 'delivered'}`;
    await sql`
      update orders set ${set}
       where id in (select id from orders where stage = 'delivered' and not is_unpaid
                     order by pickup_day desc, id desc limit ${missing})`.execute(few.db);
  }
  await sql`vacuum analyze orders`.execute(few.db);
}

async function readBoard({ program }: Scratch) {
  const headers = { 'content-type': 'application/json', cookie: COOKIE };
  const response = await fetch(`${program.url}/${getBoard.path}`, { method: 'POST', headers, body: '{}' });
  return getBoard.data.parse(((await response.json()) as { data: unknown }).data).columns;
}

/** Returns what the requests name. */
async function targetsOf({ db }: Scratch): Promise<Target[]> {
  // Every name of a sample ends with '(sample)', a word that no real laundry has in all orders.
  const name = sql<string>`split_part(ship_name, ' (', 1)`;
  const names = await db
    .selectFrom('orders')
    .select([name.as('name'), sql<number>`count(*)::integer`.as('orders')])
    .where('stage', '=', 'delivered')
    .groupBy(name)
    .execute();
  const { rows } = await sql<Target>`
    select min(id) as id, customer_mobile as mobile, min(${name}) as name
      from desk_orders
     group by customer_mobile
    having count(*) = 1 and min(ship_mobile) = customer_mobile
     order by md5(customer_mobile)
     limit ${REQUESTS}`.execute(db);
  return rows.map(({ id, mobile, name }) => ({ id, mobile, name: beginningOf(name, names) }));
}

/** Returns the longest beginning of a name that a page of orders or more have. */
function beginningOf(name: string, names: readonly { name: string; orders: number }[]): string {
  for (let length = name.length; length > 1; length -= 1) {
    const beginning = name.slice(0, length);
    const orders = names.reduce((sum, other) => sum + (other.name.startsWith(beginning) ? other.orders : 0), 0);
    if (orders >= ORDERS_PER_PAGE) return beginning;
  }
  return name.slice(0, 1);
}

interface Measured {
  p95: number;
  /** The median. */
  bytes: number;
}

async function measure({ program }: Scratch, targets: readonly Target[], path: string, body: Body): Promise<Measured> {
  const [milliseconds, bytes]: [number[], number[]] = [[], []];
  await load({
    clients: 2,
    requests: REQUESTS,
    url: program.url + path,
    request: (number) => callText(path, '', body(targets[number % targets.length]!), { cookie: COOKIE }),
    isExpected: (response) => {
      bytes.push(response.length);
      return response.includes('"success"');
    },
    milliseconds,
  });
  return { p95: percentile(milliseconds, 0.95), bytes: median(bytes) };
}
