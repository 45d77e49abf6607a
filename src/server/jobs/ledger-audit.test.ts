import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { onServer } from '../../../test/support/postgres.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { LEDGER_JOB, NEW_ENTRIES_JOB } from '../../domains/system/desk/rules.ts';
import { AUDIT_QUERIES, creditWallet } from '../../domains/wallet/service.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import type { Job } from './periodic-jobs.server.ts';
import { createLedgerAudit } from './ledger-audit.server.ts';

const METRICS_TOKEN = 'a token for Prometheus';
const program = useProgram({ METRICS_TOKEN });

const newAudit = () => createLedgerAudit({ db: program.db, clock: program.clock, connection: program.connection });
const readRun = (job = LEDGER_JOB) =>
  program.db.selectFrom('job_runs').select(['outcome', 'error', 'progress', 'started_at']).where('job', '=', job).executeTakeFirst();
const { signal } = new AbortController();

const scrape = async () => {
  const { body } = await program.caller().get('metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
  return Object.fromEntries(
    [...body.matchAll(/^(ledger_\w+)\{audit="([\w-]+)"\} (\S+)$/gm)].map(([, name, audit, value]) => [`${name} ${audit}`, Number(value)]),
  );
};

/** Sets the balance of a wallet, which only the owner of the database can. */
async function setBalance(customerId: string, paise: number) {
  await sql`alter table ledger_accounts disable trigger user`.execute(program.db);
  await program.db.updateTable('ledger_accounts').set({ balance_paise: paise }).where('customer_id', '=', customerId).execute();
  await sql`alter table ledger_accounts enable trigger user`.execute(program.db);
}

test('audits all once a day for all processes, throws while a balance is wrong, and each process shows the result', async () => {
  const [first, second] = [newAudit().job, newAudit().job];
  const now = program.clock.now();
  expect(await scrape()).toEqual({});
  await first.run(now, signal);
  await second.run(addSeconds(now, DAY_SECONDS - 1), signal);
  expect(await readRun()).toEqual({ outcome: 'succeeded', error: null, progress: AUDIT_QUERIES, started_at: now });
  expect(await scrape()).toEqual({ 'ledger_balanced all': 1, 'ledger_audit_timestamp_seconds all': now.getTime() / 1000 });

  const { userid: customerId } = await newCustomer(program);
  const credit = { customerId, kind: 'promotion', amountPaise: asPaise(100), reason: 'a test', reference: 'audit-test', at: now } as const;
  await creditWallet(program.db, credit);
  await setBalance(customerId, 101);
  await expect(second.run(addSeconds(now, DAY_SECONDS), signal)).rejects.toThrow('The ledger is not balanced');
  expect(await readRun()).toMatchObject({ outcome: 'unbalanced', error: expect.stringContaining('101') as string });
  expect(await scrape()).toMatchObject({ 'ledger_balanced all': 0 });
  await setBalance(customerId, 100);
  await first.run(addSeconds(now, 2 * DAY_SECONDS), signal);
  expect(await scrape()).toMatchObject({ 'ledger_balanced all': 1 });
});

test('repeats a failed audit of all', async () => {
  const { job } = newAudit();
  const now = addSeconds(program.clock.now(), 4 * DAY_SECONDS);
  const row = { job: job.name, started_at: now, ended_at: now, outcome: 'failed', error: 'lost', duration_ms: 1 } as const;
  await program.db.deleteFrom('job_runs').execute();
  await program.db.insertInto('job_runs').values(row).execute();
  await job.run(addSeconds(now, 1), signal);
  expect(await readRun()).toMatchObject({ outcome: 'succeeded', started_at: addSeconds(now, 1) });
});

describe('the audit of new entries', () => {
  const MINUTES = 60;
  const start = () => addSeconds(program.clock.now(), 5 * DAY_SECONDS);
  const newEntriesRun = async () => (await readRun(NEW_ENTRIES_JOB))?.outcome;

  /** Runs the statements as the owner of the database, whom no trigger hinders. */
  const bypass = (text: string, values: unknown[]) =>
    onServer(program.connection, async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(text, values);
    });

  /** Audits until no entry is new. A transaction of another database holds back the mark. */
  async function untilMarkPasses(newEntriesJob: Job, now: Date) {
    const passes = async () => {
      await program.db
        .updateTable('job_runs')
        .set({ started_at: addSeconds(now, -5 * MINUTES) })
        .where('job', '=', newEntriesJob.name)
        .execute();
      await newEntriesJob.run(now, signal);
      const { rows } = await sql<{ passes: boolean }>`
        select mark > (select coalesce(max(xid), '0') from ledger_entries) as passes from job_runs where job = ${newEntriesJob.name}`.execute(
        program.db,
      );
      return rows[0]?.passes;
    };
    await expect.poll(passes, { timeout: 20_000 }).toBe(true);
  }

  async function walletWith(paise: number, reference: string) {
    const { userid: customerId } = await newCustomer(program);
    const at = program.clock.now();
    await creditWallet(program.db, { customerId, kind: 'promotion', amountPaise: asPaise(paise), reason: 'a test', reference, at });
    return customerId;
  }

  test('finds a fault of a new entry until it is mended, and runs every few minutes for all processes', async () => {
    const [first, second] = [newAudit().newEntriesJob, newAudit().newEntriesJob];
    const now = start();
    await first.run(now, signal);
    expect(await newEntriesRun()).toBe('succeeded');
    const entry = ['faulty', 'promotion', 'a test', 'faulty-test', program.clock.now()];
    await bypass('insert into ledger_entries (id, kind, reason, reference, created_at) values ($1, $2, $3, $4, $5)', entry);
    // Too soon after the other process.
    await second.run(addSeconds(now, 3 * MINUTES), signal);
    await expect(second.run(addSeconds(now, 5 * MINUTES), signal)).rejects.toThrow('"faulty"');
    expect(await scrape()).toMatchObject({ 'ledger_balanced new-entries': 0 });
    await walletWith(100, 'after-faulty');
    await expect(first.run(addSeconds(now, 10 * MINUTES), signal)).rejects.toThrow('"faulty"');
    await bypass('delete from ledger_entries where id = $1', ['faulty']);
    await first.run(addSeconds(now, 15 * MINUTES), signal);
    expect(await scrape()).toMatchObject({ 'ledger_balanced new-entries': 1 });
  });

  test('finds a wrong balance of a wallet that a new entry moves; that of another wallet is found by the audit of all', async () => {
    const audit = newAudit();
    const now = addSeconds(start(), DAY_SECONDS);
    const [moved, unmoved] = [await walletWith(100, 'first-of-moved'), await walletWith(100, 'first-of-unmoved')];
    await untilMarkPasses(audit.newEntriesJob, now);
    await setBalance(moved, 101);
    await setBalance(unmoved, 102);
    await audit.newEntriesJob.run(addSeconds(now, 5 * MINUTES), signal);
    const at = program.clock.now();
    await creditWallet(program.db, {
      customerId: moved,
      kind: 'promotion',
      amountPaise: asPaise(7),
      reason: 'a test',
      reference: 'new',
      at,
    });
    await expect(audit.newEntriesJob.run(addSeconds(now, 10 * MINUTES), signal)).rejects.toThrow(`wallet:${moved}`);
    expect(await readRun(NEW_ENTRIES_JOB)).toMatchObject({ error: expect.not.stringContaining(unmoved) as string });
    await setBalance(moved, 107);
    await audit.newEntriesJob.run(addSeconds(now, 15 * MINUTES), signal);
    await expect(audit.job.run(addSeconds(now, 2 * DAY_SECONDS), signal)).rejects.toThrow(`wallet:${unmoved}`);
    await setBalance(unmoved, 100);
  });

  test('finds a fault of a transaction that began before an audit and committed after it', async () => {
    const { newEntriesJob } = newAudit();
    const now = addSeconds(start(), 2 * DAY_SECONDS);
    const entry = ['late-entry', 'promotion', 'a test', 'late-entry-test', program.clock.now()];
    await onServer(program.connection, async (late) => {
      await late.query('begin; set local session_replication_role = replica');
      await late.query('insert into ledger_entries (id, kind, reason, reference, created_at) values ($1, $2, $3, $4, $5)', entry);
      await walletWith(100, 'beside-late');
      await newEntriesJob.run(now, signal);
      await walletWith(100, 'beside-late-too');
      await newEntriesJob.run(addSeconds(now, 5 * MINUTES), signal);
      await late.query('commit');
    });
    await expect(newEntriesJob.run(addSeconds(now, 10 * MINUTES), signal)).rejects.toThrow('"late-entry"');
    await bypass('delete from ledger_entries where id = $1', ['late-entry']);
  });
});

test('finds a fault of a transaction that began before an audit and committed after it', async () => {
  const { userid: customerId } = await newCustomer(program);
  const { job } = newAudit();
  const now = addSeconds(program.clock.now(), 20 * DAY_SECONDS);
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
    await expect(job.run(addSeconds(now, DAY_SECONDS), signal)).rejects.toThrow('"late"');
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
    const running = job.run(addSeconds(program.clock.now(), 30 * DAY_SECONDS), stopping.signal);
    const waiting = sql`select 1 from pg_stat_activity where application_name like '%audit' and wait_event_type = 'Lock'`;
    while ((await waiting.execute(program.db)).rows.length === 0);
    stopping.abort();
    await expect(running).rejects.toThrow('Connection terminated');
  });
  expect(await readRun()).toMatchObject({ outcome: 'failed', progress: 0 });
});
