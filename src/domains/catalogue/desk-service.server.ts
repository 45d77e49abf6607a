/** The staff reads and sets rates and surcharges, with the functions of `npm run catalogue`. */
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed } from '../../contract/route.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { audit } from '../staff/audit-store.server.ts';
import { AREAS, type Area, type ServiceId } from './contract.ts';
import { catalogueDeskError, catalogueDeskMessages as messages, type DeskProgram } from './desk/contract.ts';
import { RATE_LIMITS, SURCHARGE_LIMITS } from './rules.ts';
import { isSampleRate, readCatalogue, setRate, setSurcharge } from './service.server.ts';
import { lockCatalogue } from './store.server.ts';

export async function readDeskPrograms(db: Db): Promise<DeskProgram[]> {
  const { program, variations } = await readCatalogue(db);
  const surchargeOf = (programid: string, area: Area) =>
    variations.find((row) => row.programid === programid && row.area === area)?.surcharge ?? asPaise(0);
  return program.map((row) => ({
    programid: row.programid,
    name: row.program_name,
    unit: row.unit,
    rate: row.program_rate,
    is_sample: isSampleRate(row),
    surcharges: Object.fromEntries(AREAS.map((area) => [area, surchargeOf(row.programid, area)])) as Record<Area, Paise>,
  }));
}

interface ProgramChange {
  programid: ServiceId;
  rate: Paise;
  surcharges: Readonly<Record<Area, Paise>>;
}

const isWithin = (amount: Paise, { min, max }: { min: number; max: number }) => amount >= min && amount <= max;

export async function setProgramAtDesk({ tx, staff, now }: StaffTransaction, { programid, rate, surcharges }: ProgramChange) {
  if (!isWithin(rate, RATE_LIMITS)) return fail(catalogueDeskError('impossible-rate'));
  if (!AREAS.every((area) => isWithin(surcharges[area], SURCHARGE_LIMITS))) return fail(catalogueDeskError('impossible-surcharge'));
  await lockCatalogue(tx);
  const before = (await readDeskPrograms(tx)).find((program) => program.programid === programid);
  await setRate(tx, programid, rate);
  for (const area of AREAS) await setSurcharge(tx, programid, area, surcharges[area]);
  const facts = { before: before ? factsOf(before) : null, after: factsOf({ rate, surcharges }) };
  await audit(tx, staff, { action: 'set-program', subject: ['program', programid], ...facts }, now);
  return succeed(messages.saved, await readDeskPrograms(tx));
}

const factsOf = ({ rate, surcharges }: Pick<ProgramChange, 'rate' | 'surcharges'>) => ({
  rate_paise: rate,
  ...Object.fromEntries(AREAS.map((area) => [`${area}_paise`, surcharges[area]])),
});
