import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import { AREAS, type Area } from './contract.ts';
import type { Paise } from '../../lib/money.ts';

/** Returns the programs with their base rates, in the order of the catalogue. */
export const listPrograms = (db: Db) =>
  db.selectFrom('programs').select(['id', 'name', 'rate_paise', 'unit', 'description']).orderBy('position').execute();

/**
 * Returns the base rate and the surcharge of each program and area, in the order of the catalogue.
 */
export const listVariations = (db: Db) =>
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
  rate_paise: Paise;
  unit: string;
  description: string;
  position: number;
  surcharges: Readonly<Record<Area, number>>;
}

/**
 * Blocks concurrent changes of the catalogue until the transaction ends. Readers are not blocked.
 */
export const lockCatalogue = (tx: Tx) => sql`lock table programs in share row exclusive mode`.execute(tx);

export async function insertProgram(tx: Tx, { surcharges, ...program }: ProgramRow) {
  await tx.insertInto('programs').values(program).execute();
  const variations = AREAS.map((area) => ({ program_id: program.id, area, surcharge_paise: surcharges[area] }));
  await tx.insertInto('area_variations').values(variations).execute();
}

/** Returns false if the program does not exist. Undefined keeps the description. */
export async function updateRate(tx: Tx, id: string, ratePaise: number, description: string | undefined): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('programs')
    .set({ rate_paise: ratePaise, ...(description !== undefined && { description }) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Inserts or replaces the surcharge. */
export const updateSurcharge = (tx: Tx, programId: string, area: Area, surchargePaise: number) =>
  tx
    .insertInto('area_variations')
    .values({ program_id: programId, area, surcharge_paise: surchargePaise })
    .onConflict((conflict) => conflict.columns(['program_id', 'area']).doUpdateSet({ surcharge_paise: surchargePaise }))
    .execute();

interface ProgramRates {
  name: string;
  unit: string;
  rate_paise: Paise;
  /** In alphabetical order of the areas. */
  surcharges: { area: Area; surcharge_paise: Paise }[];
}

/**
 * SQL for a larger query: a program with the surcharge of each area. No row for an unknown program.
 */
export const programRatesSql = (programid: string) => sql<ProgramRates>`(
  select name, unit, rate_paise, (
      select coalesce(json_agg(json_build_object('area', area, 'surcharge_paise', surcharge_paise) order by area), '[]')
        from area_variations where program_id = programs.id
    ) as surcharges
    from programs where id = ${programid})`;
