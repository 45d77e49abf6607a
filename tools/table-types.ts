/** The row types of a migrated database, as src/db/tables.generated.ts holds them. */
import { generate, PostgresDialect as TypesOfPostgres } from 'kysely-codegen';
import type pg from 'pg';
import { openDatabase } from '../src/db/database.server.ts';

export async function tableTypes(connection: pg.ClientConfig): Promise<string> {
  const { db, close } = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  try {
    return await generate({
      db,
      // As src/db/database.server.ts reads them: a day is text, and whole numbers of any size are numbers.
      dialect: new TypesOfPostgres({ dateParser: 'string' }),
      typeMapping: { int8: 'number' },
      excludePattern: 'schema_migrations',
      typeOnlyImports: true,
      outFile: null,
    });
  } finally {
    await close();
  }
}
