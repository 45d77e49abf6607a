/** A database with many orders, for benchmarks that need no program. */
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { migrate } from '../src/db/migrate.server.ts';
import { loadSampleCatalogue } from '../src/domains/catalogue/service.server.ts';
import type { DB } from '../src/db/tables.generated.ts';
import { insertOrders } from '../test/support/bulk-data.ts';
import { newDatabase, urlOf } from '../test/support/postgres.ts';
import { readMigrations } from '../tools/migration-files.ts';

export type FilledDatabase = Awaited<ReturnType<typeof openFilled>>;

/** `statements` are those that `db` has sent. */
export async function openFilled(server: pg.ClientConfig, orders: number) {
  const { connection, drop } = await newDatabase(server);
  await migrate(connection, await readMigrations());
  const statements: CompiledQuery[] = [];
  // Without the statement timeout of the program: filling tables takes longer.
  const pool = new pg.Pool({ ...connection, max: 2 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void statements.push(query) });
  await loadSampleCatalogue(db);
  await insertOrders(db, orders);
  const close = async () => {
    await db.destroy();
    await drop();
  };
  return { db, statements, url: urlOf(connection), close };
}
