/** `npm run ledger -- …`: whether the books add up, and the books themselves (docs/ledger.md). */
import type { Db } from '../src/db/database.server.ts';
import { auditLedger, isSound, ledgerLines, type LedgerLine } from '../src/domains/wallet/service.server.ts';
import { formatRupees } from '../src/kit/money.ts';
import { Misused, runCommand } from './on-database.ts';

const USAGE = `npm run ledger -- audit     rebuild every balance from the postings and say what does not fit
npm run ledger -- export    every posting as CSV, oldest first`;

const commands: Record<string, (db: Db) => Promise<string>> = {
  async audit(db) {
    const audit = await auditLedger(db);
    if (!isSound(audit)) throw new Error(`The ledger does not add up: ${JSON.stringify(audit, null, 2)}`);
    const lines = await ledgerLines(db);
    const owed = sumOf(lines.filter(({ account }) => account.startsWith('wallet:')));
    return `The ledger adds up: ${lines.length} postings, ${formatRupees(owed)} in all wallets.`;
  },
  async export(db) {
    const rows = (await ledgerLines(db)).map((line) => COLUMNS.map((column) => cell(column, line)).join(','));
    return [COLUMNS.join(','), ...rows].join('\n');
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

const sumOf = (lines: readonly LedgerLine[]) => lines.reduce((sum, { paise }) => sum + paise, 0);

const [name = ''] = process.argv.slice(2);
await runCommand(async (db) => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Misused(USAGE);
  return command(db);
});
