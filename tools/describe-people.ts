import type { Db } from '../src/db/database.server.ts';
import { listPeople } from '../src/domains/staff/service.server.ts';
import { printableLine } from '../src/lib/printable-text.ts';

/** Returns a line for each person of the staff. */
export const describePeople = async (db: Db): Promise<string[]> =>
  (await listPeople(db)).map(({ mobile, role, status, name }) => [mobile, role, status, printableLine(name)].join('  '));
