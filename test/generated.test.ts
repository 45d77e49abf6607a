/**
 * Files that are made from others are committed, so that a change of theirs is read in review; here
 * they are made again and compared.
 */
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { columnHistory } from '../tools/column-history.ts';
import { readMigrations } from '../tools/migration-files.ts';
import { schemaText } from '../tools/schema-text.ts';
import { tableTypes } from '../tools/table-types.ts';
import { newDatabase } from './support/postgres.ts';
import { useProgram } from './support/program.ts';

const program = useProgram();

test('src/db/tables.generated.ts fits the migrations (else: npm run db:types)', async () => {
  expect(await readFile('src/db/tables.generated.ts', 'utf8')).toBe(await tableTypes(program.connection));
});

test('src/db/schema.generated.sql fits the migrations (else: npm run db:types)', async () => {
  expect(await readFile('src/db/schema.generated.sql', 'utf8')).toBe(await schemaText(program.connection));
});

test('src/db/column-history.generated.ts fits the migrations (else: npm run db:types)', async () => {
  const { connection, drop } = await newDatabase(JSON.parse(inject('server')) as pg.ClientConfig);
  onTestFinished(drop);
  expect(await readFile('src/db/column-history.generated.ts', 'utf8')).toBe(await columnHistory(connection, await readMigrations()));
});

test('docs/openapi.json fits the contracts (else: npm run openapi)', async () => {
  const document: unknown = (await program.caller().get('openapi.json')).json();
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../docs/openapi.json');
});
