/** The staff reads and sets rates and surcharges, with the functions of `npm run catalogue`. */
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { audit, type AuditAuthor, type AuditRow } from '../staff/audit-store.server.ts';
import { staleConflict, type StaffOutcome, type StaffTransaction } from '../staff/service.server.ts';
import { AREAS, type Area, type ServiceId } from './contract.ts';
import { catalogueDeskError, setProgram, type DeskProgram, type Prices } from './desk/contract.ts';
import { hasSamePrices } from './desk/rules.ts';
import { RATE_LIMITS, SURCHARGE_LIMITS } from './rules.ts';
import { isSampleRate, readCatalogue, setRate, setSurcharge, type CatalogueChange } from './service.server.ts';
import { lockCatalogue } from './store.server.ts';

/** Returns all programs. An area without a surcharge in the database has the surcharge 0. */
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

interface ProgramChange extends Prices {
  programid: ServiceId;
  /** The prices that the caller has read. Null: the program was not offered. */
  before: Prices | null;
}

const isWithin = (amount: Paise, { min, max }: { min: number; max: number }) => amount >= min && amount <= max;

/**
 * Sets the rate and the surcharges of a program. Placed orders keep theirs. Returns an error for an
 * amount outside the limits. Throws `ConflictError` if `before` is not current.
 */
export async function setProgramAtDesk(
  { tx }: StaffTransaction,
  { programid, rate, surcharges, before }: ProgramChange,
): Promise<StaffOutcome<DeskProgram[], 'impossible-rate' | 'impossible-surcharge'>> {
  if (!isWithin(rate, RATE_LIMITS)) return { error: catalogueDeskError('impossible-rate') };
  if (!AREAS.every((area) => isWithin(surcharges[area], SURCHARGE_LIMITS))) return { error: catalogueDeskError('impossible-surcharge') };
  await lockCatalogue(tx);
  const programs = await readDeskPrograms(tx);
  const current = programs.find((row) => row.programid === programid);
  if (!hasSamePrices(before, current)) throw staleConflict(setProgram, programs);
  const { audit: rows } = await runProgramChange(tx, programid, async () => {
    await setRate(tx, programid, rate);
    for (const area of AREAS) await setSurcharge(tx, programid, area, surcharges[area]);
    return 'done';
  });
  return { data: await readDeskPrograms(tx), audit: rows };
}

/**
 * Changes a program by a command of the terminal, and records its amounts before and after. Records
 * nothing for an unknown program.
 */
export async function changeProgram(
  tx: Tx,
  author: AuditAuthor,
  programid: string,
  now: Date,
  change: () => Promise<CatalogueChange>,
): Promise<CatalogueChange> {
  const { result, audit: rows } = await runProgramChange(tx, programid, change);
  for (const row of rows) await audit(tx, author, row, now);
  return result;
}

/**
 * Locks the catalogue, runs `change`, and returns its result. `audit` has the row with the amounts
 * before and after, which the caller writes. It is empty if the result is not 'done'.
 */
async function runProgramChange(
  tx: Tx,
  programid: string,
  change: () => Promise<CatalogueChange>,
): Promise<{ result: CatalogueChange; audit: readonly AuditRow[] }> {
  await lockCatalogue(tx);
  const before = await findAuditValues(tx, programid);
  const result = await change();
  if (result !== 'done') return { result, audit: [] };
  const after = await findAuditValues(tx, programid);
  return { result, audit: [{ action: 'set-program', subject: ['program', programid], before, after }] };
}

/** Returns null for an unknown program. */
async function findAuditValues(tx: Tx, programid: string) {
  const program = (await readDeskPrograms(tx)).find((row) => row.programid === programid);
  if (!program) return null;
  return { rate_paise: program.rate, ...Object.fromEntries(AREAS.map((area) => [`${area}_paise`, program.surcharges[area]])) };
}
