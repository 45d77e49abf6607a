/** Comma-separated values (RFC 4180). */

type Cell = string | number | null;

export const csvText = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const cell = (value: Cell) => (typeof value === 'string' ? quoteCsv(value) : String(value ?? ''));

/** Also their full-width forms, which spreadsheets accept. */
const FORMULA = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

/**
 * Quotes a text. Prefixes an apostrophe to one that a spreadsheet would evaluate as a formula
 * (OWASP, "CSV Injection").
 */
export const quoteCsv = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
