/** `npm run ledger -- …`: whether the books add up, and the books themselves (docs/ledger.md). */
import { auditLedger, isSound, readLedger, type LedgerLine } from '../src/domains/wallet/service.server.ts';
import { extent } from '../src/domains/wallet/store.server.ts';
import { formatRupees } from '../src/lib/money.ts';
import { runOneOf, type Commands } from './on-database.ts';

const USAGE = `npm run ledger -- audit     rebuild every balance from the postings and say what does not fit
npm run ledger -- export    every posting as CSV, oldest first`;

const commands: Commands = {
  async audit(db) {
    const audit = await auditLedger(db);
    if (!isSound(audit)) throw new Error(`The ledger does not add up: ${JSON.stringify(audit, null, 2)}`);
    const { postings, walletsPaise } = await extent(db);
    return `The ledger adds up: ${postings} postings, ${formatRupees(walletsPaise)} in all wallets.`;
  },
  async export(db) {
    console.log(COLUMNS.join(','));
    await readLedger(db, (lines) => written(lines.map((line) => COLUMNS.map((column) => cell(column, line)).join(','))));
  },
};

const COLUMNS = ['time', 'entry', 'kind', 'reason', 'reference', 'order', 'account', 'rupees'] as const;

const cell = (column: (typeof COLUMNS)[number], line: LedgerLine): string =>
  column === 'rupees' ? rupees(line.paise) : quoted(line[column]);

/** Exact, without a detour over fractions. */
const rupees = (paise: number) =>
  `${paise < 0 ? '-' : ''}${Math.floor(Math.abs(paise) / 100)}.${String(Math.abs(paise) % 100).padStart(2, '0')}`;

/** A text that a spreadsheet would take for a formula gets an apostrophe in front. */
const quoted = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Waits for whoever reads: a slow disk or pipe must not gather the whole ledger in memory. */
const written = (rows: readonly string[]) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(`${rows.join('\n')}\n`, (error) => (error ? reject(error) : resolve()));
  });

/** Books of many years are read in one statement. */
const STATEMENT_MS = 10 * 60_000;

await runOneOf(commands, USAGE, { statementMs: STATEMENT_MS });
