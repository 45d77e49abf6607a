import { COLUMN_HISTORY, NEWEST_MIGRATION } from '../column-history.generated.ts';

interface Table {
  name: string;
  columns: string[];
}

/**
 * Splits tables and columns into those of the program and those that an operator added.
 * `appliedMigrations` are the file names in `schema_migrations`. `added` contains names such as
 * `my_notes` and `orders.mine`. If the database has a newer migration than this version, all tables
 * count as the program's.
 */
export function separateAdded<T extends Table>(
  tables: readonly T[],
  appliedMigrations: readonly string[],
): { tables: T[]; added: string[] } {
  const numbers = new Set(appliedMigrations.map((name) => name.slice(0, 4)));
  if ([...numbers].some((number) => number > NEWEST_MIGRATION)) return { tables: [...tables], added: [] };
  const added: string[] = [];
  const ofProgram = tables.flatMap((table) => {
    const columns = table.columns.filter((column) => isPresent(COLUMN_HISTORY[table.name]?.[column], numbers));
    if (columns.length === 0) added.push(table.name);
    else added.push(...table.columns.filter((column) => !columns.includes(column)).map((column) => `${table.name}.${column}`));
    return columns.length > 0 ? [{ ...table, columns }] : [];
  });
  return { tables: ofProgram, added };
}

/** `period` is the number of the migration that creates a column, with the one that drops it. */
function isPresent(period: string | undefined, applied: ReadonlySet<string>): boolean {
  const [created, dropped] = period?.split('-') ?? [];
  return created !== undefined && applied.has(created) && !(dropped !== undefined && applied.has(dropped));
}
