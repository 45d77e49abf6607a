/** `npm run catalogue -- …`: what is sold and at which rates. A running program sells by them at once; orders keep the rates they were placed at. */
import type { Db } from '../src/db/database.server.ts';
import { AREAS, SERVICE_IDS, type Area } from '../src/domains/catalogue/contract.ts';
import {
  loadSampleCatalogue,
  readCatalogue,
  setRate,
  setSurcharge,
  type CatalogueChange,
} from '../src/domains/catalogue/service.server.ts';
import { formatRupees } from '../src/lib/money.ts';
import { paiseOf } from './amounts.ts';
import { Misused, runOneOf, type Commands } from './on-database.ts';

const USAGE = `npm run catalogue -- list
npm run catalogue -- set <${SERVICE_IDS.join(' | ')}> <rupees per kg>
npm run catalogue -- area <program> <${AREAS.join(' | ')}> <rupees more per kg>
npm run catalogue -- samples`;

/** As the database holds them. */
const RATES = { least: 100, most: 1_000_000 };
const SURCHARGES = { least: 0, most: 100_000 };

const commands: Commands = {
  list,
  async set(db, program = '', rupees = '') {
    return changed(db, program, await setRate(db, program, paiseOf(rupees, RATES)));
  },
  async area(db, program = '', area = '', rupees = '') {
    if (!isArea(area)) throw new Misused(`There is no area '${area}': ${AREAS.join(', ')}.`);
    return changed(db, program, await setSurcharge(db, program, area, paiseOf(rupees, SURCHARGES)));
  },
  async samples(db) {
    if (!(await loadSampleCatalogue(db))) throw new Misused('Something is sold already: samples go into an empty catalogue only.');
    return list(db);
  },
};

async function list(db: Db): Promise<string> {
  const { program, variations } = await readCatalogue(db);
  if (program.length === 0) return `Nothing is sold yet.\n${USAGE}`;
  return program
    .map(({ programid, program_name, program_rate, unit }) => {
      const areas = variations.filter((row) => row.programid === programid).map(({ area, rate }) => `${area} ${formatRupees(rate)}`);
      return `${programid}: ${program_name}, ${formatRupees(program_rate)} per ${unit} (${areas.join(', ')})`;
    })
    .join('\n');
}

async function changed(db: Db, program: string, change: CatalogueChange): Promise<string> {
  if (change === 'unknown program') throw new Misused(`There is no program '${program}': ${SERVICE_IDS.join(', ')}.`);
  return list(db);
}

function isArea(text: string): text is Area {
  return (AREAS as readonly string[]).includes(text);
}

await runOneOf(commands, USAGE);
