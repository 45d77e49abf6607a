import { kolkataDateTime } from '../src/lib/dates.ts';

/**
 * Returns '2026-11-22 10:05 in India, 04:35 UTC'. `npm run order -- since` reads the first two
 * words.
 */
export const describeTime = (time: Date): string =>
  `${kolkataDateTime(time).slice(0, 16)} in India, ${time.toISOString().slice(11, 16)} UTC`;
