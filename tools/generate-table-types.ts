/**
 * `npm run db:types`: writes src/db/tables.generated.ts from the migrations, with a temporary
 * PostgreSQL.
 */
import { writeFile } from 'node:fs/promises';
import { runnerImport } from 'vite';
import type * as migrations from '../src/db/migrate.server.ts';
import { newDatabase, startPostgres } from '../test/support/postgres.ts';
import { tableTypes } from './table-types.ts';

const { server, stop } = await startPostgres();
const database = await newDatabase(server);
// Vite resolves the migrations, as in the program.
const { module } = await runnerImport<typeof migrations>('./src/db/migrate.server.ts');
await module.migrate(database.connection);
await writeFile('src/db/tables.generated.ts', await tableTypes(database.connection));
await database.drop();
await stop();
