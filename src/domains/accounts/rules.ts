/** Pure decisions about accounts: the look-up queries and the wait after wrong passwords. */

export type LookUp = 'mobile' | 'mobile, userid' | 'name';

const QUERY =
  /^\s*select\s+(mobile|name|mobile\s*,\s*userid)\s+from\s+[a-z_][a-z0-9_]*\s+where\s+mobile\s*=\s*(?:'([0-9]{10})'|"([0-9]{10})")\s*;?\s*$/i;

/**
 * Parses a query of getsingle.php. Returns undefined if it has none of the three accepted shapes
 * (design section 6, "getsingle.php").
 */
export function parseQuery(text: string): { select: LookUp; mobile: string } | undefined {
  const [, columns, single, double] = QUERY.exec(text) ?? [];
  const mobile = single ?? double;
  if (!columns || !mobile) return undefined;
  return { select: columns.toLowerCase().replace(/\s*,\s*/, ', ') as LookUp, mobile };
}

const FREE_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 15 * 60;

/**
 * Returns the wait after `wrong` consecutive wrong passwords: none for fewer than five, then 2 s,
 * 4 s, 8 s and so on, at most 15 minutes.
 */
export const loginWaitSeconds = (wrong: number) =>
  wrong < FREE_ATTEMPTS ? 0 : Math.min(2 ** (wrong - FREE_ATTEMPTS + 1), MAX_WAIT_SECONDS);
