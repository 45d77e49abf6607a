/**
 * `npm run db:types`: writes src/db/column-history.generated.ts, src/db/tables.generated.ts and
 * src/db/schema.generated.sql from the migrations, with a temporary PostgreSQL.
 */
import { writeFile } from 'node:fs/promises';
import { migrate } from '../src/db/migrate.server.ts';
import { newDatabase, startPostgres } from '../test/support/postgres.ts';
import { columnHistory } from './column-history.ts';
import { readMigrations } from './migration-files.ts';
import { schemaText } from './schema-text.ts';
import { tableTypes } from './table-types.ts';

const { server, stop } = await startPostgres();
const database = await newDatabase(server);
const migrations = await readMigrations();
await writeFile('src/db/column-history.generated.ts', await columnHistory(database.connection, migrations));
await migrate(database.connection, migrations);
await writeFile('src/db/tables.generated.ts', await tableTypes(database.connection));
await writeFile('src/db/schema.generated.sql', await schemaText(database.connection));
await database.drop();
await stop();
