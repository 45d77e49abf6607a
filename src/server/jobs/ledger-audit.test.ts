import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { AUDIT_STEPS, creditWallet } from '../../domains/wallet/service.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { createLedgerAudit } from './ledger-audit.server.ts';

const program = useProgram();

const newAudit = (onResult: (isBalanced: boolean) => void = () => {}) =>
  createLedgerAudit({ db: program.db, clock: program.clock, connection: program.connection, onResult });
const readRun = () => program.db.selectFrom('job_runs').select(['outcome', 'error', 'progress']).executeTakeFirst();

test('audits once a day, and throws while a balance is wrong', async () => {
  const results: boolean[] = [];
  const { job } = newAudit((isBalanced) => void results.push(isBalanced));
  const { signal } = new AbortController();
  const now = program.clock.now();
  await job.run(now, signal);
  await job.run(addSeconds(now, DAY_SECONDS - 1), signal);
  expect(results).toEqual([true]);
  expect(await readRun()).toEqual({ outcome: 'succeeded', error: null, progress: AUDIT_STEPS });

  const { userid: customerId } = await newCustomer(program);
  const credit = { customerId, kind: 'promotion', amountPaise: asPaise(100), reason: 'a test', reference: 'audit-test', at: now } as const;
  await creditWallet(program.db, credit);
  const setBalance = async (paise: number) => {
    await sql`alter table ledger_accounts disable trigger user`.execute(program.db);
    await program.db.updateTable('ledger_accounts').set({ balance_paise: paise }).where('customer_id', '=', customerId).execute();
    await sql`alter table ledger_accounts enable trigger user`.execute(program.db);
  };
  await setBalance(101);
  await expect(job.run(addSeconds(now, DAY_SECONDS), signal)).rejects.toThrow('The ledger is not balanced');
  await setBalance(100);
  expect(results).toEqual([true, false]);
  expect(await readRun()).toMatchObject({ outcome: 'unbalanced', error: expect.stringContaining('101') as string });
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
