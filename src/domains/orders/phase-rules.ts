/**
 * The two phases of an order at its pickup. No other file derives them from the weight. Separate
 * from progress-rules.ts, because pages load this file. docs/decisions/0085.
 */
import type { Stage } from './contract.ts';

const isAtPickup = (stage: string): boolean => stage === ('pickup' satisfies Stage);

/** Returns true until the rider has collected the clothes, which are weighed at the door. */
export const isAwaitingPickup = (stage: string, weight: number | null): boolean => isAtPickup(stage) && weight === null;

/** Returns true if the clothes are weighed and the order is still in the stage of its pickup. */
export const isCollected = (stage: string, weight: number | null): boolean => isAtPickup(stage) && weight !== null;
