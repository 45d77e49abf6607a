/** The row types of a migrated database, as src/db/tables.generated.ts holds them. */
import { Kysely, PostgresDialect } from 'kysely';
import { generate, PostgresDialect as TypesOfPostgres } from 'kysely-codegen';
import pg from 'pg';

export async function tableTypes(connection: pg.ClientConfig): Promise<string> {
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: 2 }) }) });
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
    await db.destroy();
  }
}
