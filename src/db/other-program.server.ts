import type pg from 'pg';
import { UnusableDatabase } from './unusable-database.server.ts';

/** The records of other programs can have the same name: those of this program have a checksum. */
const OWN_MIGRATIONS = `select from pg_attribute
     where attrelid = to_regclass('public.schema_migrations') and attname = 'checksum' and not attisdropped`;

/**
 * Throws `UnusableDatabase` if the schema `public` has tables and no migrations of this program:
 * tables with the same names would mix the data. Tables of extensions do not count.
 */
export async function refuseOtherProgram(client: pg.Client) {
  const { rows } = await client.query<{ tables: number }>(`
    select count(*)::int as tables from pg_class
     where relnamespace = to_regnamespace('public') and relkind in ('r', 'p') and not exists (${OWN_MIGRATIONS})
       and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'e')`);
  const tables = rows[0]?.tables ?? 0;
  if (tables === 0) return;
  const what = tables === 1 ? '1 table' : `${tables} tables`;
  throw new UnusableDatabase(
    `The database ${client.database} has ${what} of another program: name an empty one in DATABASE_URL. Nothing was done.`,
  );
}
