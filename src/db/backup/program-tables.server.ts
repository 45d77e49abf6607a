import { COLUMN_HISTORY, NEWEST_MIGRATION } from '../column-history.generated.ts';

interface Table {
  name: string;
  columns: string[];
}

/**
 * Separates the tables and columns of the program from those that an operator has added. `added`
 * has the names of the latter, such as `my_notes` and `orders.mine`. The columns of a migration
 * that this version does not have are unknown: all tables then count as those of the program.
 */
export function separateAdded<T extends Table>(tables: readonly T[], applied: readonly string[]): { tables: T[]; added: string[] } {
  const numbers = new Set(applied.map((name) => name.slice(0, 4)));
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
