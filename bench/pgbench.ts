/** Runs pgbench with the program's statements, prepared. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

export const NO_PGBENCH = 'pgbench was not found: install it (Debian: apt-get install postgresql-contrib) to compare with it';

async function findPgbench(): Promise<string | undefined> {
  const installed: string[] = [];
  for await (const file of glob('/usr/lib/postgresql/*/bin/pgbench')) installed.push(file);
  const onPath = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'pgbench'));
  return [...onPath, ...installed.toSorted().toReversed()].find((file) => existsSync(file));
}

export interface PgbenchRun {
  script: string;
  url: string;
  clients: number;
  transactionsEach: number;
}

/** Returns transactions a second, or undefined if pgbench is not installed. */
export async function pgbench({ script, url, clients, transactionsEach }: PgbenchRun): Promise<number | undefined> {
  const program = await findPgbench();
  if (!program) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  const file = path.join(folder, 'script.sql');
  await writeFile(file, script);
  const options = ['-n', '-M', 'prepared', '-c', clients, '-j', 2, '-t', transactionsEach, '-D', 'next=0', '-f', file, url].map(String);
  const output = await outputOf(program, options);
  await rm(folder, { recursive: true });
  const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
  if (!tps || /number of failed transactions: [1-9]/.test(output)) throw new Error(`pgbench failed:\n${output}`);
  return Number(tps);
}

const outputOf = (program: string, options: string[]) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`pgbench ended with ${code}:\n${output}`))));
  });

/**
 * Converts a captured statement for pgbench. Each parameter becomes an expression of the script or
 * a literal. A literal must not contain a colon, even in quotes: pgbench would read a variable.
 */
export function asPgbench(
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
  expressions: ReadonlyMap<unknown, string>,
): string {
  const text = sql.replaceAll(/\$(\d+)/g, (_all, position: string) => {
    const value = parameters[Number(position) - 1];
    return expressions.get(Buffer.isBuffer(value) ? value.toString('hex') : value) ?? literal(value);
  });
  // On one line, so without comments: pgbench ends a statement at the end of a line.
  return `${text.replaceAll(/^\s*--.*$/gm, '').replaceAll(/\s*\n\s*/g, ' ')};`;
}

function literal(value: unknown): string {
  // In parentheses: two minus signs would begin a comment.
  if (typeof value === 'number') return `(${value})`;
  if (value === null) return 'null';
  if (Buffer.isBuffer(value)) return `decode('${value.toString('hex')}', 'hex')`;
  if (value instanceof Date) return `to_timestamp(${value.getTime() / 1000})`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new Error('the benchmark has no literal for a parameter of this type');
}
