import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { AUDIT_STEPS, creditWallet } from '../../domains/wallet/service.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { createLedgerAudit } from './ledger-audit.server.ts';

const METRICS_TOKEN = 'a token for Prometheus';
const program = useProgram({ METRICS_TOKEN });
const HOUR_SECONDS = 60 * 60;

const newAudit = () => createLedgerAudit({ db: program.db, clock: program.clock, connection: program.connection });
const readRun = () => program.db.selectFrom('job_runs').select(['outcome', 'error', 'progress', 'started_at']).executeTakeFirst();
const { signal } = new AbortController();

const scrape = async () => {
  const { body } = await program.caller().get('metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
  return Object.fromEntries([...body.matchAll(/^(ledger_\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
};

/** Sets the balance of a wallet, which only the owner of the database can. */
async function setBalance(customerId: string, paise: number) {
  await sql`alter table ledger_accounts disable trigger user`.execute(program.db);
  await program.db.updateTable('ledger_accounts').set({ balance_paise: paise }).where('customer_id', '=', customerId).execute();
  await sql`alter table ledger_accounts enable trigger user`.execute(program.db);
}

test('audits every hour for all processes, throws while a balance is wrong, and each process shows the result', async () => {
  const [first, second] = [newAudit().job, newAudit().job];
  const now = program.clock.now();
  expect(await scrape()).toEqual({});
  await first.run(now, signal);
  await second.run(addSeconds(now, HOUR_SECONDS - 1), signal);
  expect(await readRun()).toEqual({ outcome: 'succeeded', error: null, progress: AUDIT_STEPS, started_at: now });
  expect(await scrape()).toEqual({ ledger_balanced: 1, ledger_audit_timestamp_seconds: now.getTime() / 1000 });

  const { userid: customerId } = await newCustomer(program);
  const credit = { customerId, kind: 'promotion', amountPaise: asPaise(100), reason: 'a test', reference: 'audit-test', at: now } as const;
  await creditWallet(program.db, credit);
  await setBalance(customerId, 101);
  await expect(second.run(addSeconds(now, HOUR_SECONDS), signal)).rejects.toThrow('The ledger is not balanced');
  expect(await readRun()).toMatchObject({ outcome: 'unbalanced', error: expect.stringContaining('101') as string });
  expect(await scrape()).toMatchObject({ ledger_balanced: 0 });
  await setBalance(customerId, 100);
  await first.run(addSeconds(now, 2 * HOUR_SECONDS), signal);
  expect(await scrape()).toMatchObject({ ledger_balanced: 1 });
});

test('takes a hundredth of the time, but audits once a day, and repeats a failed audit', async () => {
  const { job } = newAudit();
  const now = program.clock.now();
  const isDueAfter = async (last: object, seconds: number) => {
    await program.db.deleteFrom('job_runs').execute();
    const row = { job: job.name, started_at: now, ended_at: now, progress: 0, ...last };
    await program.db.insertInto('job_runs').values(row).execute();
    await job.run(addSeconds(now, seconds), signal);
    return (await readRun())?.started_at.getTime() !== now.getTime();
  };
  const dueAfter = async (durationMs: number, seconds: number) => {
    const last = { outcome: 'succeeded', duration_ms: durationMs };
    return [await isDueAfter(last, seconds - 1), await isDueAfter(last, seconds)];
  };
  expect(await dueAfter(2000, HOUR_SECONDS)).toEqual([false, true]);
  expect(await dueAfter(72_000, 2 * HOUR_SECONDS)).toEqual([false, true]);
  expect(await dueAfter(20 * 60 * 1000, DAY_SECONDS)).toEqual([false, true]);
  expect(await isDueAfter({ outcome: 'failed', error: 'lost', duration_ms: 20 * 60 * 1000 }, 1)).toBe(true);
});

test('finds a fault of a transaction that began before an audit and committed after it', async () => {
  const { userid: customerId } = await newCustomer(program);
  const { job } = newAudit();
  const now = addSeconds(program.clock.now(), 7 * DAY_SECONDS);
  const credit = { customerId, kind: 'promotion', amountPaise: asPaise(100), reason: 'a test', at: now } as const;
  const late = new pg.Client(program.connection);
  await late.connect();
  try {
    await late.query(`begin; set local session_replication_role = replica`);
    const entry = ['late', 'promotion', 'a test', 'late-audit-test', now];
    await late.query('insert into ledger_entries (id, kind, reason, reference, created_at) values ($1, $2, $3, $4, $5)', entry);
    await creditWallet(program.db, { ...credit, reference: 'after-late' });
    await job.run(now, signal);
    expect(await readRun()).toMatchObject({ outcome: 'succeeded' });
    await late.query('commit');
    await expect(job.run(addSeconds(now, HOUR_SECONDS), signal)).rejects.toThrow('"late"');
  } finally {
    await late.query('rollback');
    await late.end();
    await sql`alter table ledger_entries disable trigger user`.execute(program.db);
    await program.db.deleteFrom('ledger_entries').where('id', '=', 'late').execute();
    await sql`alter table ledger_entries enable trigger user`.execute(program.db);
  }
});

test('a stop ends a running audit', async () => {
  const { job } = newAudit();
  const stopping = new AbortController();
  await program.db.transaction().execute(async (tx) => {
    await sql`lock table ledger_postings in access exclusive mode`.execute(tx);
    const running = job.run(program.clock.now(), stopping.signal);
    const waiting = sql`select 1 from pg_stat_activity where application_name like '%audit' and wait_event_type = 'Lock'`;
    while ((await waiting.execute(program.db)).rows.length === 0);
    stopping.abort();
    await expect(running).rejects.toThrow('Connection terminated');
  });
  expect(await readRun()).toMatchObject({ outcome: 'failed', progress: 0 });
});
