import { toMigrations } from './migrate.server.ts';

const files = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true });

/** The migrations of this version, from the bundle. Commands read the folder instead. */
export const migrations = toMigrations(files);
