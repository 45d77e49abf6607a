import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useProgram } from '../../test/support/program.ts';
import { statement, type Given } from './statement.server.ts';

const program = useProgram();

test('a statement is written once, and every run has its own values', async () => {
  let written = 0;
  const add = statement((db, { one, other }: Given<{ one: number; other: number }>) => {
    written += 1;
    return sql<{ sum: number; twice: number }>`select ${one}::int + ${other}::int as sum, ${one}::int * ${2}::int as twice`.compile(db);
  });
  const runs = Array.from({ length: 20 }, (_, number) => add(program.db, { one: number, other: 100 }));
  expect(await Promise.all(runs)).toEqual(runs.map((_, number) => [{ sum: number + 100, twice: number * 2 }]));
  expect(written).toBe(1);
});

test('a value that is not there is null', async () => {
  const echo = statement((db, { text }: Given<{ text: string | undefined }>) =>
    sql<{ text: null }>`select ${text}::text as text`.compile(db),
  );
  expect(await echo(program.db, { text: undefined })).toEqual([{ text: null }]);
});

test('inside a transaction it runs there', async () => {
  const backend = statement((db) => sql<{ id: string }>`select pg_current_xact_id()::text as id`.compile(db));
  await program.db.transaction().execute(async (tx) => {
    const [first] = await backend(tx, {});
    expect(await backend(tx, {})).toEqual([first]);
    expect(await backend(program.db, {})).not.toEqual([first]);
  });
});
