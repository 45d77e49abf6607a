/** Returns the text of src/db/tables.generated.ts for a migrated database. */
import { generate, PostgresDialect as PostgresTypes } from 'kysely-codegen';
import type pg from 'pg';
import { openDatabase } from '../src/db/database.server.ts';

/** Returns the TypeScript source of the row types of a migrated database. */
export async function tableTypes(connection: pg.ClientConfig): Promise<string> {
  const { db, close } = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  try {
    return await generate({
      db,
      // The types that src/db/database.server.ts returns: text for a date, number for int8.
      dialect: new PostgresTypes({ dateParser: 'string' }),
      typeMapping: { int8: 'number' },
      excludePattern: 'schema_migrations',
      typeOnlyImports: true,
      outFile: null,
    });
  } finally {
    await close();
  }
}
