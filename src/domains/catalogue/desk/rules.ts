import { AREAS } from '../contract.ts';
import type { Prices } from './contract.ts';

/** Undefined and null are a program that is not offered. */
export const hasSamePrices = (one: Prices | null | undefined, other: Prices | null | undefined): boolean =>
  one && other ? one.rate === other.rate && AREAS.every((area) => one.surcharges[area] === other.surcharges[area]) : !one && !other;
