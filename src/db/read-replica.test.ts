/** Reads of visitors and reports on a real streaming replica. docs/decisions/0068. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createCaller } from '../../test/support/caller.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { newOrderingCustomer, place } from '../../test/support/ordering.ts';
import { onServer, urlOf } from '../../test/support/postgres.ts';
import { TEST_SECRET, useProgram } from '../../test/support/program.ts';
import { startReplicatedPostgres } from '../../test/support/replica.ts';
import { newStaff } from '../../test/support/staff.ts';
import { composeProgram } from '../compose.server.ts';
import { programsAndReviews } from '../domains/catalogue/contract.ts';
import { setRate } from '../domains/catalogue/service.server.ts';
import { getEvenings } from '../domains/evenings/contract.ts';
import { getReport } from '../domains/figures/desk/contract.ts';
import { addReview, getReviews, getSummary } from '../domains/reviews/contract.ts';
import { kolkataDay } from '../lib/dates.ts';
import { asPaise } from '../lib/money.ts';
import { parseSettings } from '../settings.server.ts';
import { createReadReplica, MAX_LAG_SECONDS } from './read-replica.server.ts';

/** A busy machine takes seconds for what usually takes milliseconds. */
const WAIT = { timeout: 20_000 };
const METRICS_TOKEN = 'a token for Prometheus';
const USED = 'the replica of DATABASE_READ_URL is used';
const NOT_USED = 'the replica of DATABASE_READ_URL is not used';

const withoutReplica = useProgram({ DATABASE_URL: 'postgres://127.0.0.1/unused', DATABASE_READ_URL: 'postgres://127.0.0.1:1/laundry' });

let servers: Awaited<ReturnType<typeof startReplicatedPostgres>>;
beforeAll(async () => {
  servers = await startReplicatedPostgres();
});
afterAll(() => servers.stop());

/** Starts the program on a primary with a replica, which it uses when this resolves. */
async function startOnReplica() {
  const { primary, replica } = servers;
  const clock = fakeClock();
  const log: string[] = [];
  const [primaryUrl, replicaUrl] = [urlOf(primary), urlOf(replica)];
  const { app, database } = await composeProgram({
    settings: parseSettings({ METRICS_TOKEN, DATABASE_URL: primaryUrl, DATABASE_READ_URL: replicaUrl }),
    database: primary,
    secret: TEST_SECRET,
    build: undefined,
    clock,
    replicaCheckMs: 20,
    logStream: { write: (line) => void log.push(line) },
  });
  onTestFinished(() => app.close());
  const states = () => log.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((text) => text === USED || text === NOT_USED);
  await vi.waitFor(() => expect(states()).toEqual([USED]), WAIT);
  const program = { db: database.db, clock, caller: () => createCaller(() => app) };
  return { program, replica, log, states, onReplica: (statement: string) => onServer(replica, (client) => client.query(statement)) };
}

test('visitors and reports read from the replica, customers read what they wrote', async () => {
  const { program, replica, log, states, onReplica } = await startOnReplica();
  const [customer, owner] = [await newOrderingCustomer(program), await newStaff(program, 'owner')];
  const visitor = program.caller();
  const metrics = async () => {
    const { body } = await visitor.get('metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
    return Object.fromEntries([...body.matchAll(/^database_replica_(\w+) ([\d.]+)$/gm)].map(([, name, value]) => [name, Number(value)]));
  };
  const seenBy = async (caller = visitor) => {
    const [reviews, summary, catalogue, evenings] = [
      await caller.send(getReviews, {}),
      await caller.send(getSummary, {}),
      await caller.send(programsAndReviews, { reviews: 'best' }),
      await caller.send(getEvenings, {}),
    ];
    return {
      reviews: reviews.data?.length,
      counted: summary.data?.counts.reduce((total, { reviews: given }) => total + given, 0),
      best: catalogue.data?.reviews.length,
      rate: catalogue.data?.program.find(({ programid }) => programid === 'iron')?.program_rate,
      cutOff: evenings.data?.manesar.cut_off,
    };
  };
  const today = kolkataDay(program.clock.now());
  const placedInReport = async () => (await owner.caller.send(getReport, { from: today, to: today })).data?.days[0]?.orders;
  const before = await seenBy();
  expect(before).toMatchObject({ reviews: 0, rate: 4500 });

  // The replica stops at what was written until now.
  await onReplica('select pg_wal_replay_pause()');
  await vi.waitFor(async () => {
    const { rows } = await onReplica('select pg_get_wal_replay_pause_state() as state');
    expect(rows).toEqual([{ state: 'paused' }]);
  }, WAIT);
  await customer.caller.send(addReview, { userid: customer.userid, star: 5, message: 'Clean and on time' });
  await place(customer);
  await setRate(program.db, 'iron', asPaise(4700));
  await program.db.updateTable('evening_plans').set({ version: 1, cut_off: '15:30' }).where('area', '=', 'manesar').execute();
  const after = { reviews: 1, counted: 1, best: 1, rate: 4700, cutOff: '15:30' };
  expect(await seenBy(customer.caller)).toEqual(after);
  expect(await seenBy()).toEqual(before);
  expect(await placedInReport()).toBe(0);
  expect(await metrics()).toEqual({ in_use: 1, up: 1, lag_seconds: 0 });

  program.clock.advance(MAX_LAG_SECONDS + 1);
  await vi.waitFor(() => expect(states()).toEqual([USED, NOT_USED]), WAIT);
  expect(log.find((line) => line.includes(NOT_USED))).toContain('more than 30 s behind the primary');
  expect(await seenBy()).toEqual(after);
  expect(await placedInReport()).toBe(1);
  expect(await metrics()).toEqual({ in_use: 0, up: 1, lag_seconds: MAX_LAG_SECONDS + 1 });

  await onReplica('select pg_wal_replay_resume()');
  await vi.waitFor(() => expect(states()).toEqual([USED, NOT_USED, USED]), WAIT);
  expect(await seenBy()).toEqual(after);
  expect(await metrics()).toEqual({ in_use: 1, up: 1, lag_seconds: 0 });

  // A read that fails on the replica alone. Nothing is checked meanwhile.
  const unchecked = createReadReplica({ connection: replica, primary: program.db, poolSize: 1, clock: program.clock });
  onTestFinished(() => unchecked.close());
  const seldomMs = 60_000;
  const changes: unknown[] = [];
  unchecked.start({ info: (text) => changes.push(text), warn: (details) => changes.push(details) }, seldomMs);
  await vi.waitFor(() => expect(changes).toEqual([USED]), WAIT);
  const { rows } = await unchecked.read((db) => sql`select pg_current_wal_lsn()`.execute(db));
  expect(rows).toHaveLength(1);
  expect(changes).toEqual([USED, { reason: 'recovery is in progress' }]);

  await replica.stop();
  expect(await seenBy()).toEqual(after);
  expect(await placedInReport()).toBe(1);
  await vi.waitFor(() => expect(states()).toEqual([USED, NOT_USED, USED, NOT_USED]), WAIT);
  await vi.waitFor(async () => expect(await metrics()).toEqual({ in_use: 0, up: 0 }), WAIT);
});

test('a replica that is down delays no start and causes no error', async () => {
  expect((await withoutReplica.caller().send(getReviews, {})).data).toEqual([]);
  await vi.waitFor(() => expect(withoutReplica.log.filter((line) => line.includes(NOT_USED))).toHaveLength(1), WAIT);
  expect((await withoutReplica.caller().send(getSummary, {})).response).toBe('success');
});

test('another server is not used', async () => {
  const { db, clock } = withoutReplica;
  const other = createReadReplica({ connection: servers.primary, primary: db, poolSize: 2, clock });
  onTestFinished(() => other.close());
  const problem = await new Promise((resolve) => {
    other.start({ info: resolve, warn: resolve });
  });
  expect(problem).toEqual({ reason: 'it is not a replica of DATABASE_URL' });
});
