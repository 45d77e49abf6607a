/** Returns the text of src/db/tables.generated.ts for a migrated database. */
import { sql } from 'kysely';
import { generate, PostgresDialect as PostgresTypes } from 'kysely-codegen';
import type pg from 'pg';
import { openDatabase, type Db } from '../src/db/database.server.ts';

/**
 * Returns the TypeScript source of the row types of a migrated database. A text column whose check
 * lists its values has the union of these values, and amounts are `Paise`.
 */
export async function tableTypes(connection: pg.ClientConfig): Promise<string> {
  const { db, close } = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  try {
    const checked = await readCheckedValues(db);
    const text = await generate({
      db,
      // The types that src/db/database.server.ts returns: text for a date, number for int8.
      dialect: new PostgresTypes({ dateParser: 'string' }),
      typeMapping: { int8: 'number' },
      excludePattern: 'schema_migrations',
      typeOnlyImports: true,
      outFile: null,
      postprocess: async ({ metadata }) => {
        for (const table of metadata.tables) {
          for (const column of table.columns) column.enumValues = checked.get(`${table.name}.${column.name}`) ?? column.enumValues;
        }
        return metadata;
      },
    });
    return withPaise(text);
  } finally {
    await close();
  }
}

/**
 * Gives columns whose name ends in `_paise` the type `Paise`. A written value can be any number.
 */
const withPaise = (text: string): string =>
  text
    .replace(
      'import type { ColumnType } from "kysely";',
      `import type { ColumnType } from "kysely";
import type { Paise } from "../lib/money.ts";

export type PaiseColumn = ColumnType<Paise, number, number>;`,
    )
    .replaceAll(/^( {2}\w+_paise: .*)\bnumber\b/gm, '$1PaiseColumn');

/** PostgreSQL stores `column in ('a', 'b')` in this form. A value contains no quote. */
const LISTED_VALUES = /^\(\S+ = ANY \(ARRAY\[((?:'[^']*'::text(?:, )?)+)\]\)\)$/;

/** Returns the values that a validated check of one column lists, by `table.column`. */
async function readCheckedValues(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ column: string; check: string }>`
    select concat_ws('.', relname, attname) as column, pg_get_expr(conbin, conrelid) as check
      from pg_constraint join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where relnamespace = current_schema::regnamespace and contype = 'c' and convalidated and cardinality(conkey) = 1`.execute(db);
  return new Map(
    rows.flatMap(({ column, check }) => {
      const values = LISTED_VALUES.exec(check)?.[1];
      return values === undefined ? [] : [[column, [...values.matchAll(/'([^']*)'/g)].map(([, value = '']) => value)]];
    }),
  );
}
