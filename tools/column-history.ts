/** Returns the text of src/db/column-history.generated.ts for the migrations. */
import pg from 'pg';
import { applyMigration, createRecordTable, type Migration } from '../src/db/migrate.server.ts';
import { readTables } from '../src/db/backup/write-backup.server.ts';

const HEADER = `// \`npm run db:types\` writes this file from the migrations.

/**
 * The columns that a backup contains, with the migration that created each, and after the hyphen
 * the one that dropped it.
 */
export const COLUMN_HISTORY: Readonly<Record<string, Readonly<Record<string, string>>>> = `;

/** Applies the migrations one by one to an empty database, and undoes them. */
export async function columnHistory(connection: pg.ClientConfig, migrations: readonly Migration[]): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('begin');
    await createRecordTable(client);
    const history = new Map<string, string>();
    for (const migration of migrations) {
      const number = migration.name.slice(0, 4);
      await applyMigration(client, migration);
      const present = (await readTables(client)).flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
      for (const column of present) {
        if (history.get(column)?.includes('-')) throw new Error(`${migration.name} creates ${column} again: give it another name`);
        if (!history.has(column)) history.set(column, number);
      }
      for (const [column, since] of history)
        if (!since.includes('-') && !present.includes(column)) history.set(column, `${since}-${number}`);
    }
    const newest = migrations.at(-1)?.name.slice(0, 4) ?? '';
    return `${HEADER}${JSON.stringify(byTable(history), null, 2)};\n\nexport const NEWEST_MIGRATION = '${newest}';\n`;
  } finally {
    await client.end();
  }
}

function byTable(history: ReadonlyMap<string, string>): Record<string, Record<string, string>> {
  const tables: Record<string, Record<string, string>> = {};
  for (const [name, period] of [...history].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [table = '', column = ''] = name.split('.');
    (tables[table] ??= {})[column] = period;
  }
  return tables;
}
