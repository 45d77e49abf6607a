import { listDeskEvenings, setEvenings, type EveningChange } from '../../src/domains/evenings/desk/contract.ts';
import type { Caller } from './caller.ts';

type WithoutBefore<Change> = Change extends unknown ? Omit<Change, 'before'> : never;
export type PlannedChange = WithoutBefore<EveningChange>;

/** Returns the change as a person sends it who has just read the evenings. */
export async function basedOnCurrent({ send }: Caller, change: PlannedChange): Promise<EveningChange> {
  const { data } = await send(listDeskEvenings, change.action === 'plan' ? {} : { from: change.day });
  if (change.action === 'plan') return { ...change, before: data!.plans.find(({ area }) => area === change.area)! };
  return { ...change, before: data!.evenings.filter(({ day }) => day === change.day) };
}

/** Reads the evenings and sends the change. */
export const sendEveningChange = async (caller: Caller, change: PlannedChange) =>
  caller.send(setEvenings, await basedOnCurrent(caller, change));
