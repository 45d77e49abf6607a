/**
 * Starts one PostgreSQL for the run and a template database that the built program has migrated and
 * filled. Workers copy the template (built-program.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LEDGER_JOB, NEW_ENTRIES_JOB } from '../../src/domains/system/desk/rules.ts';
import { newDatabase, startPostgres } from '../support/postgres.ts';
import { startBuiltProgram, type BrowserTestProgram } from './built-program.ts';

const AUDITS_MS = 60_000;

/** Waits until the audits of the start have succeeded. Throws if they take longer than a minute. */
async function auditsEnded({ db }: BrowserTestProgram) {
  const succeeded = db
    .selectFrom('job_runs')
    .select('job')
    .where('job', 'in', [LEDGER_JOB, NEW_ENTRIES_JOB])
    .where('outcome', '=', 'succeeded');
  const deadline = performance.now() + AUDITS_MS;
  while ((await succeeded.execute()).length < 2) {
    if (performance.now() > deadline) throw new Error('The audits of the template database did not succeed.');
    await sleep(50);
  }
}

export default async function globalSetup() {
  const { server, stop } = await startPostgres();
  const template = await newDatabase(server);
  const program = await startBuiltProgram(template.connection);
  // A stop would end them, and every copy would show a failed audit.
  await auditsEnded(program);
  await program.stop();
  // Workers are child processes and read these values from the environment.
  process.env.BROWSER_TEST_DATABASES = JSON.stringify({ server, template: template.name });
  return async () => {
    await template.drop();
    await stop();
  };
}
