/** Pure decisions about accounts: the look-up texts and the wait after wrong passwords. */

export type LookUp = 'mobile' | 'mobile, userid' | 'name';

const QUERY =
  /^\s*select\s+(mobile|name|mobile\s*,\s*userid)\s+from\s+[a-z_][a-z0-9_]*\s+where\s+mobile\s*=\s*(?:'([0-9]{10})'|"([0-9]{10})")\s*;?\s*$/i;

/** Reads a text of getsingle.php: one of three shapes, or nothing (design section 6, "getsingle.php"). */
export function readQuery(text: string): { select: LookUp; mobile: string } | undefined {
  const [, columns, single, double] = QUERY.exec(text) ?? [];
  const mobile = single ?? double;
  if (!columns || !mobile) return undefined;
  return { select: columns.toLowerCase().replace(/\s*,\s*/, ', ') as LookUp, mobile };
}

export const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? '';

const FREE_TRIES = 5;
const LONGEST_WAIT_SECONDS = 15 * 60;

/** After `wrong` wrong passwords in a row: none for the first five, then 2 s, 4 s, 8 s … up to a quarter of an hour. */
export const waitAfterWrongSeconds = (wrong: number) =>
  wrong < FREE_TRIES ? 0 : Math.min(2 ** (wrong - FREE_TRIES + 1), LONGEST_WAIT_SECONDS);
