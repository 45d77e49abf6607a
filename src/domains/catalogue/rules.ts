/** The catalogue as customers see it: services with their rate in each area. Pure functions. */
import type { Paise } from '../../lib/money.ts';
import { displayedDescription, type Area, type ByService, type Program, type Variation } from './contract.ts';

/** In paise. The database has the same limits. */
export const RATE_LIMITS = { min: 100, max: 1_000_000 };
export const SURCHARGE_LIMITS = { min: 0, max: 100_000 };

/** The surcharges of a new program, in paise. Specification section 9. */
export const SPECIFIED_SURCHARGES: ByService<Readonly<Record<Area, number>>> = {
  wash: { manesar: 0, vatika: 1000 },
  'wash-iron': { manesar: 0, vatika: 1000 },
  iron: { manesar: 0, vatika: 500 },
};

/** A wash program that a customer can choose. */
export interface Service {
  programid: string;
  name: string;
  unit: string;
  description: string;
  /** The rate of one unit, before any offer. */
  rates: Readonly<Record<Area, Paise>>;
}

/** Converts programs to services. Leaves out a program that lacks a rate in any area. */
export function toServices({ program, variations }: { program: readonly Program[]; variations: readonly Variation[] }): Service[] {
  const rateOf = (programid: string, area: Area) => variations.find((row) => row.programid === programid && row.area === area)?.rate;
  return program.flatMap((row) => {
    const manesar = rateOf(row.programid, 'manesar');
    const vatika = rateOf(row.programid, 'vatika');
    if (manesar === undefined || vatika === undefined) return [];
    const { programid, program_name: name, unit } = row;
    return [{ programid, name, unit, description: displayedDescription(row), rates: { manesar, vatika } }];
  });
}
