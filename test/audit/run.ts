/**
 * `npm run audit [-- name ...]`: attacks the built program on this machine with the tools of
 * docs/security.md and prints one table. Exits with 1 for a finding that accepted-findings.ts does
 * not list, an entry of it that was not found, a missing tool, and a tool that misses the fault of
 * the faulty site.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { startPostgres } from '../support/postgres.ts';
import { acceptedFindings } from './accepted-findings.ts';
import { cspEvaluator } from './csp-evaluator.ts';
import { startFaultySite } from './faulty-site.ts';
import { ffuf } from './ffuf.ts';
import { htmlValidate } from './html-validate.ts';
import { linkinator } from './linkinator.ts';
import { installNpmTools } from './npm-tools.ts';
import { startProgramUnderAudit, type ProgramUnderAudit } from './program-under-audit.ts';
import { slowhttptest } from './slowhttptest.ts';
import { sqlmap } from './sqlmap.ts';
import type { AuditTarget, AuditTool, Finding, Mode, ToolRun } from './tool.ts';
import { wapiti } from './wapiti.ts';

const TOOLS = [htmlValidate, linkinator, cspEvaluator, ffuf, wapiti, slowhttptest, sqlmap];

const FAILED = 'the tool failed: ';
const SHOWN_PLACES = 5;

interface Row {
  tool: string;
  mode: Mode;
  ran: string;
  seconds: number;
  accepted: number;
  open: number;
  /** Whether the tool found the fault of the faulty site. */
  control?: 'found' | 'missed';
}

/** The details below the table: open findings with their places, and other failures. */
const failures: string[] = [];

const names = process.argv.slice(2);
const chosen = names.length > 0 ? TOOLS.filter(({ name }) => names.includes(name)) : TOOLS;
const unknown = names.filter((name) => !TOOLS.some((tool) => tool.name === name));
if (unknown.length > 0) throw new Error(`The tools are: ${TOOLS.map(({ name }) => name).join(', ')}`);

const missing = chosen.filter(({ command }) => command && !isInstalled(command));
for (const { command } of missing) failures.push(`${command} is missing: apt-get install -y ${command}`);

await installNpmTools();
const startedAt = performance.now();
const rows = await runAll(chosen.filter((tool) => !missing.includes(tool)));
console.table([...rows, ...missing.map(({ name, command }) => ({ tool: name, ran: `missing: apt-get install -y ${command}` }))]);
for (const failure of failures) console.log(failure);
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`${failures.length === 0 ? 'Nothing is open' : `${failures.length} open`}, ${seconds} s`);
if (failures.length > 0) process.exitCode = 1;

async function runAll(tools: readonly AuditTool[]): Promise<Row[]> {
  const { server, stop } = await startPostgres();
  const rows: Row[] = [];
  try {
    const faulty = await startFaultySite(server);
    try {
      const program = await startProgramUnderAudit(server);
      try {
        for (const tool of tools) rows.push(...(await runTool(tool, program, faulty.target)));
      } finally {
        await program.stop();
      }
    } finally {
      await faulty.stop();
    }
  } finally {
    await stop();
  }
  return rows;
}

/**
 * Runs the tool on the program in each of its modes, and then on the faulty site: beside each other
 * they would take processor time from the home page, which slowhttptest measures.
 */
async function runTool(tool: AuditTool, program: ProgramUnderAudit, faulty: AuditTarget): Promise<Row[]> {
  const rows: Row[] = [];
  for (const mode of tool.modes) {
    console.log(`${tool.name}, ${mode} …`);
    const started = performance.now();
    const { extent, findings } = await run(tool, program.targets[mode]);
    const seconds = Math.round((performance.now() - started) / 1000);
    const logged = program.takeErrors().map((line) => ({ text: `logged: ${line}`, place: tool.name }));
    const { accepted, open } = judge([...findings, ...logged], { tool: tool.name, mode });
    rows.push({ tool: tool.name, mode, ran: extent, seconds, accepted, open });
  }
  const { findings } = await run(tool, faulty);
  const control = findings.some(({ text }) => !text.startsWith(FAILED)) ? 'found' : 'missed';
  if (control === 'missed') failures.push(`${tool.name} misses the fault of the faulty site: ${findings[0]?.text ?? 'no finding'}`);
  for (const row of rows) row.control = control;
  return rows;
}

/** A tool that fails is a finding: the others still run. */
async function run(tool: AuditTool, target: AuditTarget): Promise<ToolRun> {
  try {
    return await tool.run(target);
  } catch (error) {
    return { extent: 'failed', findings: [{ text: `${FAILED}${String(error)}`, place: tool.name }] };
  }
}

/** Counts the different findings, and adds the open ones to `failures`. */
function judge(findings: readonly Finding[], { tool, mode }: { tool: string; mode: Mode }) {
  const found = Map.groupBy(findings, ({ text }) => text);
  const allowed = acceptedFindings.filter((entry) => entry.tool === tool && entry.modes.includes(mode));
  for (const { text } of allowed.filter((entry) => !found.has(entry.text)))
    failures.push(`${tool}, ${mode}: accepted, but not found: ${text}`);
  const open = [...found].filter(([text]) => !allowed.some((entry) => entry.text === text));
  for (const [text, at] of open) failures.push(`${tool}, ${mode}: ${text} (${placesOf(at)})`);
  return { accepted: found.size - open.length, open: open.length };
}

function placesOf(findings: readonly Finding[]): string {
  const places = [...new Set(findings.map(({ place }) => place).filter(Boolean))];
  return places.length > SHOWN_PLACES
    ? `${places.slice(0, SHOWN_PLACES).join(', ')} and ${places.length - SHOWN_PLACES} more`
    : places.join(', ');
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, command)));
}
