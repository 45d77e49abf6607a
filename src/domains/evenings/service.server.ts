/**
 * The places of orders on evenings. docs/decisions/0060. A statement of `orders` takes the place of
 * a new order.
 */
import { kolkataDay } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { AREAS, type Area } from '../catalogue/contract.ts';
import type { AreaEvenings, Evenings } from './contract.ts';
import { WITHOUT_LIMITS, capacityOn, toAreaEvenings, type EveningPlan } from './rules.ts';
import { addPlace, lockPlan, readChangedPlans, releasePlace, takePlace, type EveningPlace } from './store.server.ts';

const planOf = (plans: readonly EveningPlan[], area: Area) => plans.find((plan) => plan.area === area);

/** Returns what customers see of the plans that were changed. */
export function toEvenings(plans: readonly EveningPlan[], now: Date): Evenings {
  const evenings = (area: Area): AreaEvenings => {
    const plan = planOf(plans, area);
    return plan ? toAreaEvenings(plan, now) : WITHOUT_LIMITS;
  };
  return Object.fromEntries(AREAS.map((area) => [area, evenings(area)])) as Evenings;
}

export const readEvenings = async (db: Db, now: Date): Promise<Evenings> => toEvenings(await readChangedPlans(db, kolkataDay(now)), now);

/** Returns the place that an order takes on an evening. */
export function placeOn(plans: readonly EveningPlan[], area: Area, day: string): EveningPlace {
  const plan = planOf(plans, area);
  return { area, day, version: plan?.version ?? 0, capacity: plan ? capacityOn(plan, day) : null };
}

interface Evening {
  area: Area;
  day: string;
}

/** Gives the place of an order back. */
export async function leaveEvening(tx: Tx, evening: Evening) {
  await lockPlan(tx, evening.area);
  await releasePlace(tx, evening);
}

/**
 * Takes a place on an evening for an order that exists. `check` returns the error of an evening
 * that accepts no order: then nothing is taken, and the error is returned. `checkTaken` is called
 * with the place taken, while no other order of the evening can be committed. Its error gives the
 * place back.
 */
export async function enterEvening<Error>(
  tx: Tx,
  { area, day }: Evening,
  now: Date,
  check: (evenings: AreaEvenings) => Error | null,
  checkTaken: (evenings: AreaEvenings) => Promise<Error | null>,
): Promise<Error | null> {
  const today = kolkataDay(now);
  await lockPlan(tx, area);
  const plans = await readChangedPlans(tx, today);
  const evenings = toEvenings(plans, now)[area];
  const error = check(evenings);
  const place = placeOn(plans, area, day);
  if (error || day < today || place.capacity === null) return error;
  if (await takePlace(tx, place)) {
    const refusal = await checkTaken(evenings);
    if (refusal) await releasePlace(tx, place);
    return refusal;
  }
  // New orders have taken the last places meanwhile. Until the lock ends, none is given back.
  const taken = check(toEvenings(await readChangedPlans(tx, today), now)[area]);
  invariant(taken, 'an evening without a place is full');
  return taken;
}

/** Takes a place on an evening that can be full or closed. */
export async function enterAnyEvening(tx: Tx, { area, day }: Evening, now: Date) {
  const today = kolkataDay(now);
  await lockPlan(tx, area);
  const place = placeOn(await readChangedPlans(tx, today), area, day);
  if (day >= today && place.capacity !== null) await addPlace(tx, place);
}
