/** What the catalogue comes to for a customer: a service with its rate in every area. Pure. */
import type { Paise } from '../../lib/money.ts';
import { shownDescription, type Area, type Program, type Variation } from './contract.ts';

/** A wash program as it is shown and chosen. */
export interface Service {
  programid: string;
  name: string;
  unit: string;
  description: string;
  /** What one unit costs there, before any offer. */
  rates: Readonly<Record<Area, Paise>>;
}

/** Programs that are sold in every area; one without a rate somewhere is not ready to be shown. */
export function servicesOf({ program, variations }: { program: readonly Program[]; variations: readonly Variation[] }): Service[] {
  const rateOf = (programid: string, area: Area) => variations.find((row) => row.programid === programid && row.area === area)?.rate;
  return program.flatMap((row) => {
    const manesar = rateOf(row.programid, 'manesar');
    const vatika = rateOf(row.programid, 'vatika');
    if (manesar === undefined || vatika === undefined) return [];
    const { programid, program_name: name, unit } = row;
    return [{ programid, name, unit, description: shownDescription(row), rates: { manesar, vatika } }];
  });
}
