import { asPaise } from '../../kit/money.ts';
import type { Db } from '../../db/database.server.ts';
import type { Area, Program, Variation } from './contract.ts';
import { allPrograms, allVariations, insertMissingPrograms } from './store.server.ts';

export async function readCatalogue(db: Db): Promise<{ program: Program[]; variations: Variation[] }> {
  const [programs, variations] = await Promise.all([allPrograms(db), allVariations(db)]);
  return {
    program: programs.map((row) => ({
      programid: row.id,
      program_name: row.name,
      program_rate: asPaise(row.rate_paise),
      unit: row.unit,
      program_description: row.description,
    })),
    variations: variations.map((row) => ({
      programid: row.program_id,
      area: row.area as Area,
      surcharge: asPaise(row.surcharge_paise),
      rate: asPaise(row.rate_paise + row.surcharge_paise),
    })),
  };
}

/** The three services of the specification at sample rates (design section 6); the surcharges are the specification's (section 9). */
const SAMPLE_PROGRAMS = [
  {
    id: 'wash',
    name: 'Wash',
    rate_paise: 3800,
    unit: 'kg',
    description: 'Washed with care, dried and neatly folded$Surf Excel and Soft Touch, separate loads for whites and colours$Sample rate',
    position: 1,
    surcharges: { manesar: 0, vatika: 1000 },
  },
  {
    id: 'wash-iron',
    name: 'Wash + Iron',
    rate_paise: 6200,
    unit: 'kg',
    description: 'Washed, dried and steam ironed, ready to wear$Surf Excel and Soft Touch, steam iron on every piece$Sample rate',
    position: 2,
    surcharges: { manesar: 0, vatika: 1000 },
  },
  {
    id: 'iron',
    name: 'Iron',
    rate_paise: 4500,
    unit: 'kg',
    description: 'Steam ironed, crisp and on time$For clothes that are clean already$Sample rate',
    position: 3,
    surcharges: { manesar: 0, vatika: 500 },
  },
];

/** Loads the catalogue into a new database, at every start; existing programs keep the rates they have. */
export const loadSampleCatalogue = (db: Db) => insertMissingPrograms(db, SAMPLE_PROGRAMS);
