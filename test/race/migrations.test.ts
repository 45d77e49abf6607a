/** Migrations of a new database with crashes and concurrent starts (docs/security.md, R4). */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { ChildProgram, freePort } from '../support/program-process.ts';
import { urlOf } from '../support/postgres.ts';
import { size } from '../support/size.ts';

const FOLDER = 'src/db/migrations';
const migrations = readdirSync(FOLDER).toSorted();
const killedMigrations = size({ small: [migrations[0] ?? '', migrations.at(-1) ?? ''], full: migrations });

const appliedIn = async ({ db }: TestEnvironment) => {
  const exists = await sql<{ found: boolean }>`select to_regclass('schema_migrations') is not null as found`.execute(db);
  if (!exists.rows[0]?.found) return [];
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
};

/** Returns the columns, constraints, indexes and triggers of the schema. */
const schemaOf = async ({ db }: TestEnvironment) => {
  const { rows } = await sql<{ line: string }>`
    select 'column ' || table_name || '.' || column_name || ' ' || data_type as line from information_schema.columns where table_schema = 'public'
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all select 'trigger ' || tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
};

const MOMENTS = {
  'in the middle of': 'ddl_command_end',
  // All statements have run, but the transaction is not committed.
  'between the end and the record of': 'record',
} as const;
type Moment = keyof typeof MOMENTS;

/**
 * Pauses the migration at its first statement or before its record, so that a program can be killed
 * there.
 */
async function pauseIn({ db }: TestEnvironment, moment: Moment, migration: string) {
  const earlier = migrations.indexOf(migration);
  const isNext = `(select count(*) from public.schema_migrations) = ${earlier}`;
  const body =
    MOMENTS[moment] === 'record'
      ? `if tg_tag = 'CREATE TABLE' and not exists (select from pg_trigger where tgname = 'pause') then
           create trigger pause before insert on public.schema_migrations for each statement when (pg_trigger_depth() = 0) execute function test.wait();
         end if;`
      : `if tg_tag <> 'CREATE SCHEMA' and ${isNext} then perform pg_sleep(60); end if;`;
  await sql`create schema test`.execute(db);
  await sql
    .raw(
      `create function test.wait() returns trigger language plpgsql as $$ begin
         if ${isNext} then perform pg_sleep(60); end if;
         return null;
       end $$`,
    )
    .execute(db);
  await sql
    .raw(
      `create function test.pause() returns event_trigger language plpgsql as $$ begin
         if to_regclass('public.schema_migrations') is null then return; end if;
         ${body}
       end $$`,
    )
    .execute(db);
  await sql`create event trigger pause on ddl_command_end execute function test.pause()`.execute(db);
}

const paused = async ({ db }: TestEnvironment) => {
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(db);
  return rows.map(({ pid }) => pid);
};

async function resume(environment: TestEnvironment) {
  await sql`drop event trigger pause`.execute(environment.db);
  await sql`drop schema test cascade`.execute(environment.db);
}

let schemaAfterStart: string[] | undefined;

/** Returns the schema after a start without a crash. */
async function expectedSchema(): Promise<string[]> {
  if (schemaAfterStart) return schemaAfterStart;
  const environment = await newTestEnvironment({ template: 'template0' });
  await environment.start();
  schemaAfterStart = await schemaOf(environment);
  return schemaAfterStart;
}

/** A migration that changes only rows has no statement that `ddl_command_end` could pause. */
const changesSchema = (migration: string) => /^(create|alter|drop)\b/im.test(readFileSync(`${FOLDER}/${migration}`, 'utf8'));

const kills = killedMigrations.flatMap((migration) =>
  (Object.keys(MOMENTS) as Moment[])
    .filter((moment) => MOMENTS[moment] === 'record' || changesSchema(migration))
    .map((moment) => ({ moment, migration })),
);

test.each(kills)(
  'SIGKILL $moment $migration rolls it back, and the next start applies every migration once',
  { timeout: 120_000 },
  async ({ moment, migration }) => {
    const environment = await newTestEnvironment({ template: 'template0' });
    await pauseIn(environment, moment, migration);
    const killed = new ChildProgram(await freePort(), { DATABASE_URL: urlOf(environment.connection) });
    environment.programs.push(killed);
    let pids: number[] = [];
    while (pids.length === 0) {
      await sleep(20);
      pids = await paused(environment);
    }
    await killed.kill();
    // The statement of the killed program runs until PostgreSQL notices. Ending it saves a minute.
    for (const pid of pids) await sql`select pg_terminate_backend(${pid}, 5000)`.execute(environment.db);

    expect(await appliedIn(environment)).toEqual(migrations.slice(0, migrations.indexOf(migration)));
    await resume(environment);
    await environment.start();
    expect(await appliedIn(environment)).toEqual(migrations);
    expect(await schemaOf(environment)).toEqual(await expectedSchema());
  },
);

const concurrentStarts = size({ small: 3, full: 6 });

test(
  `${concurrentStarts} concurrent starts on an empty database all succeed, and apply every migration once`,
  { timeout: 120_000 },
  async () => {
    for (let round = 0; round < size({ small: 1, full: 5 }); round += 1) {
      const environment = await newTestEnvironment({ template: 'template0' });
      await Promise.all(Array.from({ length: concurrentStarts }, () => environment.start()));
      expect(await appliedIn(environment)).toEqual(migrations);
      expect(await schemaOf(environment)).toEqual(await expectedSchema());
      const { rows } = await sql<{ programs: number }>`select count(*)::int as programs from programs`.execute(environment.db);
      expect(rows[0]?.programs).toBe(3);
    }
  },
);
