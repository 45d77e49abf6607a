/**
 * The 95th percentile of the console's board, search, order and numbers with 100,000 orders of
 * `npm run seed`, compared with 1,000 orders. Both are measured alternately; the result is the
 * median ratio. Target: 1.5 at most. `npm run bench -- staff 1000000` compares more orders.
 */
import process from 'node:process';
import { addSeconds, DAY_SECONDS, systemClock } from '../src/lib/clock.ts';
import { kolkataDay } from '../src/lib/dates.ts';
import { hashToken } from '../src/security/tokens.server.ts';
import { writeSamples } from '../tools/samples/write-samples.ts';
import { callText, load } from './load.ts';
import { median, percentile } from './median.ts';
import { onScratch, type Scratch } from './scratch.ts';

const TARGET = 1.5;
const FEW = 1000;
const MANY = Number(process.argv[3] ?? 100_000);
const DAYS = 365;
const ROUNDS = 5;
const REQUESTS = 100;

const TOKEN = 'a session of the bench';
const now = systemClock.now();
const today = kolkataDay(now);
const daysAgo = (days: number) => kolkataDay(addSeconds(now, -days * DAY_SECONDS));

interface SampleOrder {
  id: string;
  ship_mobile: string;
  ship_name: string;
}

type Body = (order: SampleOrder) => object;
const READS: readonly (readonly [name: string, path: string, body: Body])[] = [
  ['board', '/staff/board', () => ({})],
  ['list of open orders', '/staff/orders', () => ({ stage: 'queue' })],
  ['list of delivered orders', '/staff/orders', () => ({ stage: 'delivered' })],
  ['search by number', '/staff/orders', ({ id }) => ({ search: id })],
  ['search by mobile', '/staff/orders', ({ ship_mobile }) => ({ search: ship_mobile })],
  ['search by name', '/staff/orders', ({ ship_name }) => ({ search: ship_name })],
  ['order', '/staff/order', ({ id }) => ({ orderid: id })],
  ['numbers of a month', '/staff/report', () => ({ from: daysAgo(29), to: today })],
  ['numbers of a year', '/staff/report', () => ({ from: daysAgo(364), to: today })],
];

export const run = () =>
  onScratch((few) =>
    onScratch(async (many) => {
      const orders = { few: await fill(few, FEW), many: await fill(many, MANY) };
      for (const [name, path, body] of READS) {
        const results: { few: number; many: number }[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          const times = { few: await p95(few, orders.few, path, body), many: await p95(many, orders.many, path, body) };
          // The first round warms up.
          if (round > 0) results.push(times);
        }
        const ratio = median(results.map((times) => times.many / times.few));
        const format = (side: 'few' | 'many') => `${median(results.map((times) => times[side])).toFixed(2)} ms`;
        console.log(
          `${name}: p95 ${format('few')} at ${FEW} orders, ${format('many')} at ${MANY}: ${ratio.toFixed(2)} times (target: ${TARGET})`,
        );
        if (!(ratio <= TARGET)) process.exitCode = 1;
      }
    }),
  );

/** Returns orders that the requests name. */
async function fill({ db, databaseUrl }: Scratch, orders: number): Promise<SampleOrder[]> {
  const startedAt = performance.now();
  await writeSamples({ connection: { connectionString: databaseUrl }, orders, days: DAYS, seed: 1, until: now, passwordHash: 'none' });
  console.log(`${orders} orders were written in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const owner = { id: 'OWNER', name: 'Bench', mobile: '9000000000', role: 'owner', password_hash: 'none', created_at: now };
  await db.insertInto('staff_members').values(owner).execute();
  const session = { token_hash: hashToken(TOKEN), staff_id: owner.id, created_at: now, expires_at: addSeconds(now, DAY_SECONDS) };
  await db.insertInto('staff_sessions').values(session).execute();
  // Ids are random.
  return db.selectFrom('orders').select(['id', 'ship_mobile', 'ship_name']).orderBy('id').limit(REQUESTS).execute();
}

async function p95({ program }: Scratch, orders: readonly SampleOrder[], path: string, body: Body): Promise<number> {
  const milliseconds: number[] = [];
  const cookie = `staff=${encodeURIComponent(TOKEN)}`;
  await load({
    clients: 2,
    requests: REQUESTS,
    url: program.url + path,
    request: (number) => callText(path, '', body(orders[number % orders.length]!), { cookie }),
    isExpected: (response) => response.includes('"success"'),
    milliseconds,
  });
  return percentile(milliseconds, 0.95);
}
