import { asPaise, type Paise } from '../../lib/money.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { Area, Program, ServiceId, Variation } from './contract.ts';
import { SPECIFIED_SURCHARGES } from './rules.ts';
import {
  listPrograms,
  listVariations,
  insertProgram,
  lockCatalogue,
  updateRate,
  updateSurcharge,
  type ProgramRow,
} from './store.server.ts';

/**
 * Returns all programs, with their base rates, and the rates of each area, with their surcharges.
 * The names are those of the contract. The rates are paise.
 */
export async function readCatalogue(db: Db): Promise<{ program: Program[]; variations: Variation[] }> {
  const [programs, variations] = await Promise.all([listPrograms(db), listVariations(db)]);
  return {
    program: programs.map((row) => ({
      programid: row.id,
      program_name: row.name,
      program_rate: row.rate_paise,
      unit: row.unit,
      program_description: row.description,
    })),
    variations: variations.map((row) => ({
      programid: row.program_id,
      area: row.area,
      surcharge: row.surcharge_paise,
      rate: asPaise(row.rate_paise + row.surcharge_paise),
    })),
  };
}

interface SpecifiedService {
  id: ServiceId;
  name: string;
  description: string;
  position: number;
  sampleRatePaise: number;
}

/** The three services (specification section 9). */
const SERVICES: readonly SpecifiedService[] = [
  {
    id: 'wash',
    name: 'Wash',
    description: 'Washed with care, dried and neatly folded$Surf Excel and Soft Touch, separate loads for whites and colours',
    position: 1,
    sampleRatePaise: 3800,
  },
  {
    id: 'wash-iron',
    name: 'Wash + Iron',
    description: 'Washed, dried and steam ironed, ready to wear$Surf Excel and Soft Touch, steam iron on every piece',
    position: 2,
    sampleRatePaise: 6200,
  },
  {
    id: 'iron',
    name: 'Iron',
    description: 'Steam ironed, crisp and on time$For clothes that are clean already',
    position: 3,
    sampleRatePaise: 4500,
  },
];

export const SERVICE_NAMES = Object.fromEntries(SERVICES.map(({ id, name }) => [id, name])) as Record<ServiceId, string>;

const programRow = ({ id, name, description, position }: SpecifiedService, ratePaise: number): ProgramRow => ({
  id,
  name,
  unit: 'kg',
  rate_paise: asPaise(ratePaise),
  description,
  position,
  surcharges: SPECIFIED_SURCHARGES[id],
});

/** The last part of the description of a sample rate. */
const SAMPLE_MARK = '$Sample rate';

export const isSampleRate = ({ program_description: description }: Pick<Program, 'program_description'>): boolean =>
  description.endsWith(SAMPLE_MARK);

/**
 * Writes programs with sample rates and marks each as a sample (design section 6). Returns false
 * and changes nothing if the catalogue has a program.
 */
export const loadSampleCatalogue = (db: Db): Promise<boolean> =>
  transaction(db, async (tx) => {
    await lockCatalogue(tx);
    if ((await listPrograms(tx)).length > 0) return false;
    for (const service of SERVICES) {
      const program = programRow(service, service.sampleRatePaise);
      await insertProgram(tx, { ...program, description: `${program.description}${SAMPLE_MARK}` });
    }
    return true;
  });

export type CatalogueChange = 'done' | 'unknown-program';

/**
 * Sets the rate of a program and removes its sample mark. A service of the specification that is
 * not in the catalogue is added with the specified surcharges. Returns 'unknown-program' for any
 * other id.
 */
export const setRate = (db: Db, programid: string, ratePaise: Paise): Promise<CatalogueChange> =>
  transaction(db, async (tx) => {
    await lockCatalogue(tx);
    const service = SERVICES.find(({ id }) => id === programid);
    if (await updateRate(tx, programid, ratePaise, service?.description)) return 'done';
    if (!service) return 'unknown-program';
    await insertProgram(tx, programRow(service, ratePaise));
    return 'done';
  });

/** Sets the surcharge of a program in one area. Writes nothing for an unknown program. */
export const setSurcharge = (db: Db, programid: string, area: Area, surchargePaise: Paise): Promise<CatalogueChange> =>
  transaction(db, async (tx) => {
    await lockCatalogue(tx);
    if (!(await listPrograms(tx)).some(({ id }) => id === programid)) return 'unknown-program';
    await updateSurcharge(tx, programid, area, surchargePaise);
    return 'done';
  });
