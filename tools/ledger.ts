/** `npm run ledger -- …`: audits and exports the ledger (docs/ledger.md). */
import { auditLedger, isSound, readLedger, type LedgerLine } from '../src/domains/wallet/service.server.ts';
import { readLedgerTotals } from '../src/domains/wallet/store.server.ts';
import { quoteCsv } from '../src/lib/csv.ts';
import { formatRupees } from '../src/lib/money.ts';
import { printableLine } from '../src/lib/printable-text.ts';
import { describeDatabase } from './describe-database.ts';
import { runCommand, type Commands } from './run-command.ts';

const USAGE = `npm run ledger -- audit     recompute every balance from the postings and report differences
npm run ledger -- export    every posting as CSV, oldest first`;

const commands: Commands = {
  audit: {
    parameters: [],
    async run(db) {
      const audit = await auditLedger(db);
      if (!isSound(audit)) throw new Error(`The ledger is not balanced: ${JSON.stringify(audit, null, 2)}`);
      const { postings, walletsPaise } = await readLedgerTotals(db);
      return `The ledger is balanced: ${postings} postings, ${formatRupees(walletsPaise)} in all wallets. ${await describeDatabase(db)}`;
    },
  },
  export: {
    parameters: [],
    async run(db) {
      console.log(COLUMNS.join(','));
      await readLedger(db, (lines) => writeRows(lines.map((line) => COLUMNS.map((column) => cell(column, line)).join(','))));
    },
  },
};

const COLUMNS = ['time', 'entry', 'kind', 'reason', 'reference', 'order', 'account', 'rupees'] as const;

const cell = (column: (typeof COLUMNS)[number], line: LedgerLine): string =>
  column === 'rupees' ? rupees(line.paise) : printableLine(quoteCsv(line[column]));

/** Formats paise as rupees without floating-point arithmetic. */
const rupees = (paise: number) =>
  `${paise < 0 ? '-' : ''}${Math.floor(Math.abs(paise) / 100)}.${String(Math.abs(paise) % 100).padStart(2, '0')}`;

/** Waits until the rows are written, so that a slow reader does not fill the memory. */
const writeRows = (rows: readonly string[]) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(`${rows.join('\n')}\n`, (error) => (error ? reject(error) : resolve()));
  });

/** An audit reads the whole ledger in one statement. */
const STATEMENT_MS = 10 * 60_000;

await runCommand(commands, USAGE, { statementMs: STATEMENT_MS });
