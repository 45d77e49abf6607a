import type pg from 'pg';
import { UnusableDatabase } from './unusable-database.server.ts';

/**
 * Throws `UnusableDatabase` if the schema `public` has tables and no migration of this program:
 * tables with the same names would mix the data. Tables of extensions do not count.
 */
export async function refuseOtherProgram(client: pg.Client) {
  const { rows } = await client.query<{ tables: number }>(`
    select count(*)::int as tables from pg_class
     where relnamespace = to_regnamespace('public') and relkind in ('r', 'p') and to_regclass('schema_migrations') is null
       and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'e')`);
  const tables = rows[0]?.tables ?? 0;
  if (tables === 0) return;
  const what = tables === 1 ? '1 table' : `${tables} tables`;
  throw new UnusableDatabase(
    `The database ${client.database} has ${what} of another program: name an empty one in DATABASE_URL. Nothing was done.`,
  );
}
