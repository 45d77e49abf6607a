/** Returns the text of src/db/schema.generated.sql for a migrated database. */
import { sql } from 'kysely';
import type pg from 'pg';
import { openDatabase, type Db } from '../src/db/database.server.ts';

const HEADER = `-- The schema after all migrations, in its final form, to be read. \`npm run db:types\` writes it.
-- Nothing runs it: a change of the schema is a migration.
`;

/** Returns domains, tables with indexes and triggers, views and functions, sorted by name. */
export async function schemaText(connection: pg.ClientConfig): Promise<string> {
  const { db, close } = openDatabase({ connection, poolSize: 1, onConnectionLost: () => {} });
  try {
    return [HEADER, ...(await readDomains(db)), ...(await readTables(db)), ...(await readViews(db)), ...(await readFunctions(db))].join(
      '\n',
    );
  } finally {
    await close();
  }
}

async function readDomains(db: Db): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select concat_ws(' ', 'create domain', typname, 'as', format_type(typbasetype, typtypmod), case when typnotnull then 'not null' end,
                     (select string_agg(pg_get_constraintdef(oid), ' ' order by conname) from pg_constraint
                       where contypid = pg_type.oid and contype <> 'n')) as definition
      from pg_type where typnamespace = current_schema::regnamespace and typtype = 'd' order by typname`.execute(db);
  return rows.map(({ definition }) => `${definition};\n`);
}

interface TableRow {
  name: string;
  /** 'table', or 'unlogged table'. */
  kind: string;
  columns: string[];
  constraints: string[];
  indexes: string[];
  triggers: string[];
}

async function readTables(db: Db): Promise<string[]> {
  const { rows } = await sql<TableRow>`
    select relname as name, concat(case when relpersistence = 'u' then 'unlogged ' end, 'table') as kind,
           array(select concat_ws(' ', attname, format_type(atttypid, atttypmod),
                                  case when attidentity <> '' then 'generated always as identity' end,
                                  case when attgenerated <> '' then 'generated always as (' || pg_get_expr(adbin, adrelid) || ') stored' end,
                                  case when attgenerated = '' then 'default ' || pg_get_expr(adbin, adrelid) end,
                                  case when attnotnull then 'not null' end)
                   from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
                  where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum) as columns,
           -- From PostgreSQL 18 on, 'not null' is a constraint of type n as well.
           array(select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
                  where conrelid = pg_class.oid and contype <> 'n' order by contype = 'p' desc, conname) as constraints,
           array(select pg_get_indexdef(indexrelid) from pg_index
                  where indrelid = pg_class.oid and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
                  order by 1) as indexes,
           array(select pg_get_triggerdef(oid) from pg_trigger where tgrelid = pg_class.oid and not tgisinternal order by tgname) as triggers
      from pg_class
     where relnamespace = current_schema::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations'
     order by relname`.execute(db);
  return rows.map(({ name, kind, columns, constraints, indexes, triggers }) =>
    [
      `create ${kind} ${name} (\n${[...columns, ...constraints].map((line) => `  ${line}`).join(',\n')}\n);`,
      ...[...indexes, ...triggers].map((definition) => `${definition};`),
      '',
    ].join('\n'),
  );
}

async function readViews(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select relname as name, pg_get_viewdef(oid, true) as definition from pg_class
     where relnamespace = current_schema::regnamespace and relkind = 'v' order by relname`.execute(db);
  return rows.map(({ name, definition }) => `create view ${name} as\n${definition}\n`);
}

async function readFunctions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = current_schema::regnamespace and prokind in ('f', 'p')
       and not exists (select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')
     order by proname, oidvectortypes(proargtypes)`.execute(db);
  return rows.map(({ definition }) => `${definition.trim()};\n`);
}
