/** Writes a sample laundry to a database: all of it or nothing. */
import type pg from 'pg';
import { asSnapshot, openDatabase } from '../../src/db/database.server.ts';
import { HostClient, type DatabaseConfig } from '../../src/db/hosts.server.ts';
import { kyselyOn } from '../../src/db/one-connection.server.ts';
import { loadSampleCatalogue, readCatalogue } from '../../src/domains/catalogue/service.server.ts';
import { addUpNewFigures } from '../../src/domains/figures/service.server.ts';
import { resetFigures } from '../../src/domains/figures/store.server.ts';
import { auditSnapshot, isSound } from '../../src/domains/wallet/service.server.ts';
import { createRowBuffer } from './copy-rows.ts';
import { SEEDED_MOBILES } from '../../src/server/demo/demo.server.ts';
import { numberOfMobile } from './people.ts';
import { liveLaundry, type SampleLaundry } from './sample-laundry.ts';
import type { SampleProgram } from './sample-order.ts';

export interface SampleRequest extends Pick<SampleLaundry, 'orders' | 'days' | 'seed' | 'until' | 'passwordHash'> {
  connection: DatabaseConfig;
  onProgress?(orders: number): void;
}

/** Enough for the server to be busy, and little enough for the memory. */
const ROWS_PER_WRITE = 50_000;

/** A PostgreSQL role without the right to switch off triggers. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Adds orders of new sample people. The same request to the same database writes the same rows.
 * Throws if the ledger would not be balanced, and then writes nothing.
 */
export async function writeSamples({ connection, onProgress, ...request }: SampleRequest): Promise<{ people: number }> {
  const programs = await samplePrograms(connection);
  const client = new HostClient({ ...connection, application_name: `dhulai pid ${process.pid} seed` });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read');
    // Before the snapshot of the transaction, so that no process adds up figures meanwhile.
    await client.query('lock table figures_progress in share row exclusive mode');
    await resetFigures(kyselyOn(client));
    await switchOffTriggers(client);
    const firstPerson = await numberOfPeople(client);
    const rows = createRowBuffer();
    let writing = Promise.resolve();
    for (const placed of liveLaundry({ ...request, programs, firstPerson }, rows.add)) {
      if (rows.size() < ROWS_PER_WRITE) continue;
      await writing;
      writing = rows.flush(client);
      onProgress?.(placed);
    }
    await writing;
    await rows.flush(client);
    await client.query(
      'update review_counts set reviews = (select count(*) from reviews where reviews.star = review_counts.star and hidden_at is null)',
    );
    await client.query('analyze');
    const audit = await auditSnapshot(asSnapshot(kyselyOn(client)));
    if (!isSound(audit)) throw new Error(`Nothing was written: the ledger is not balanced: ${JSON.stringify(audit)}`);
    const people = (await numberOfPeople(client)) - firstPerson;
    await client.query('commit');
    await client.query('vacuum analyze');
    await addUpNewFigures(kyselyOn(client), request.until);
    return { people };
  } finally {
    // Rolls back what is not committed.
    await client.end().catch(() => {});
  }
}

/** The triggers and foreign keys would check each row: the rows fit together as they are made. */
async function switchOffTriggers(client: pg.Client) {
  try {
    await client.query('set local session_replication_role = replica');
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error('The role of DATABASE_URL must be a superuser of PostgreSQL to write samples. Nothing was written.', { cause: error });
  }
}

/** Sample people have consecutive numbers. */
async function numberOfPeople(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ mobile: string | null }>('select max(mobile::text) as mobile from customers where mobile like $1', [
    SEEDED_MOBILES,
  ]);
  const last = rows[0]?.mobile;
  return typeof last === 'string' ? numberOfMobile(last) + 1 : 0;
}

async function samplePrograms(connection: DatabaseConfig): Promise<SampleProgram[]> {
  const { db, close } = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  try {
    await loadSampleCatalogue(db);
    const { program, variations } = await readCatalogue(db);
    return program.map(({ programid, program_name: name, unit, program_rate }) => ({
      id: programid,
      name,
      unit,
      baseRatePaise: program_rate,
      surcharges: variations
        .filter((row) => row.programid === programid)
        .map(({ area, surcharge }) => ({ area, surchargePaise: surcharge })),
    }));
  } finally {
    await close();
  }
}
