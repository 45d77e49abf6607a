import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../db/database.server.ts';

export const allPrograms = (db: Db) =>
  db.selectFrom('programs').select(['id', 'name', 'rate_paise', 'unit', 'description']).orderBy('position').execute();

export const allVariations = (db: Db) =>
  db
    .selectFrom('area_variations')
    .innerJoin('programs', 'programs.id', 'area_variations.program_id')
    .select(['program_id', 'area', 'surcharge_paise', 'rate_paise'])
    .orderBy('position')
    .orderBy('area')
    .execute();

export interface ProgramRow {
  id: string;
  name: string;
  rate_paise: number;
  unit: string;
  description: string;
  position: number;
  surcharges: Record<string, number>;
}

/** Adds programs that are not there yet; what the laundry has changed since stays as it is. */
export async function insertMissingPrograms(db: Db, programs: readonly ProgramRow[]) {
  for (const { surcharges, ...program } of programs) {
    await db
      .insertInto('programs')
      .values(program)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const variations = Object.entries(surcharges).map(([area, surcharge_paise]) => ({ program_id: program.id, area, surcharge_paise }));
    await db
      .insertInto('area_variations')
      .values(variations)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** A program with what each area adds to it. A query, not yet run: placing an order reads it together with what else it needs. */
export const programWithSurcharges = (db: Db, programid: string) =>
  db
    .selectFrom('programs')
    .select((of) => [
      'name',
      'unit',
      'rate_paise',
      jsonArrayFrom(
        of
          .selectFrom('area_variations')
          .select(['area', 'surcharge_paise'])
          .whereRef('area_variations.program_id', '=', 'programs.id')
          .orderBy('area'),
      ).as('surcharges'),
    ])
    .where('id', '=', programid);
