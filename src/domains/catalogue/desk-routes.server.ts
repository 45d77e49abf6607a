import type { Clock } from '../../lib/clock.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { StaffAuthentication, StaffMember } from '../staff/authentication.server.ts';
import { writeOnce } from '../staff/service.server.ts';
import { audit } from '../staff/store.server.ts';
import { AREAS, type Area, type ServiceId } from './contract.ts';
import { catalogueDeskError, catalogueDeskMessages as messages, listPrograms, setProgram, type DeskProgram } from './desk/contract.ts';
import { RATE_LIMITS, SURCHARGE_LIMITS } from './rules.ts';
import { isSampleRate, readCatalogue, setRate, setSurcharge } from './service.server.ts';

interface RouteDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

export function catalogueDeskRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, staff: authentication } = dependencies;

  registerRoute(listPrograms, async (request) => {
    await authentication.requireStaff(request, listPrograms);
    return succeed(messages.listed, await readPrograms(db));
  });

  registerRoute(setProgram, async (request) => {
    const staff = await authentication.requireStaff(request, setProgram);
    return writeOnce(dependencies, staff, request, setProgram, (tx, now) => changeProgram({ tx, staff, now }, request.body));
  });
}

async function readPrograms(db: Db): Promise<DeskProgram[]> {
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

/** Sets rate and surcharges with the functions of `npm run catalogue`. */
async function changeProgram(
  { tx, staff, now }: { tx: Tx; staff: StaffMember; now: Date },
  { programid, rate, surcharges }: ProgramChange,
) {
  if (!isWithin(rate, RATE_LIMITS)) return fail(catalogueDeskError('impossible-rate'));
  if (!AREAS.every((area) => isWithin(surcharges[area], SURCHARGE_LIMITS))) return fail(catalogueDeskError('impossible-surcharge'));
  const before = (await readPrograms(tx)).find((program) => program.programid === programid);
  await setRate(tx, programid, rate);
  for (const area of AREAS) await setSurcharge(tx, programid, area, surcharges[area]);
  const facts = { before: before ? factsOf(before) : null, after: factsOf({ rate, surcharges }) };
  await audit(tx, staff, { action: 'set-program', subject: ['program', programid], ...facts }, now);
  return succeed(messages.saved, await readPrograms(tx));
}

const factsOf = ({ rate, surcharges }: Pick<ProgramChange, 'rate' | 'surcharges'>) => ({
  rate_paise: rate,
  ...Object.fromEntries(AREAS.map((area) => [`${area}_paise`, surcharges[area]])),
});
