/**
 * `npm run catalogue -- …`: lists and sets programs, rates and surcharges. A running program uses a
 * change within a second. Placed orders keep their rates.
 */
import { transaction, type Db, type Tx } from '../src/db/database.server.ts';
import { AREAS, SERVICE_IDS, type Area } from '../src/domains/catalogue/contract.ts';
import { changeProgram } from '../src/domains/catalogue/desk-service.server.ts';
import { RATE_LIMITS, SURCHARGE_LIMITS } from '../src/domains/catalogue/rules.ts';
import {
  loadSampleCatalogue,
  readCatalogue,
  setRate,
  setSurcharge,
  type CatalogueChange,
} from '../src/domains/catalogue/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { formatRupees } from '../src/lib/money.ts';
import { commandAuthor } from './command-author.ts';
import { parseRupees } from './amounts.ts';
import { UsageError, runCommand, type Commands } from './run-command.ts';

const USAGE = `npm run catalogue -- list
npm run catalogue -- set <${SERVICE_IDS.join(' | ')}> <rupees per kg>
npm run catalogue -- area <program> <${AREAS.join(' | ')}> <rupees more per kg>
npm run catalogue -- samples`;

const commands: Commands = {
  list: { parameters: [], run: list },
  set: {
    parameters: ['program', 'rupees'],
    async run(db, program: string, rupees: string) {
      const ratePaise = parseRupees(rupees, RATE_LIMITS);
      return listAfter(db, program, (tx) => setRate(tx, program, ratePaise));
    },
  },
  area: {
    parameters: ['program', 'area', 'rupees'],
    async run(db, program: string, area: string, rupees: string) {
      if (!isArea(area)) throw new UsageError(`There is no area '${area}': ${AREAS.join(', ')}.`);
      const surchargePaise = parseRupees(rupees, SURCHARGE_LIMITS);
      return listAfter(db, program, (tx) => setSurcharge(tx, program, area, surchargePaise));
    },
  },
  samples: {
    parameters: [],
    async run(db) {
      if (!(await loadSampleCatalogue(db))) throw new UsageError('The catalogue is not empty. Samples need an empty catalogue.');
      return list(db);
    },
  },
};

async function list(db: Db): Promise<string> {
  const { program, variations } = await readCatalogue(db);
  if (program.length === 0) return `The catalogue is empty.\n${USAGE}`;
  return program
    .map(({ programid, program_name, program_rate, unit }) => {
      const areas = variations
        .filter((variation) => variation.programid === programid)
        .map(({ area, rate }) => `${area} ${formatRupees(rate)}`);
      return `${programid}: ${program_name}, ${formatRupees(program_rate)} per ${unit} (${areas.join(', ')})`;
    })
    .join('\n');
}

async function listAfter(db: Db, program: string, change: (tx: Tx) => Promise<CatalogueChange>): Promise<string> {
  const changed = await transaction(db, (tx) => changeProgram(tx, commandAuthor(), program, systemClock.now(), () => change(tx)));
  if (changed === 'unknown-program') throw new UsageError(`There is no program '${program}': ${SERVICE_IDS.join(', ')}.`);
  return list(db);
}

function isArea(text: string): text is Area {
  return (AREAS as readonly string[]).includes(text);
}

await runCommand(commands, USAGE);
