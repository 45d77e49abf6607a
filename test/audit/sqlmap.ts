/**
 * sqlmap: SQL injection through every parameter of the calls, and through headers, cookies and
 * paths.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inParallel, runProcess, type AuditTool, type Finding, type Request } from './tool.ts';

const SECONDS_PER_REQUEST = 120;

const OPTIONS = [
  '--batch',
  '--ignore-stdin',
  '--dbms=postgresql',
  '--level=2',
  '--risk=1',
  '--flush-session',
  '--disable-coloring',
  // Without it, sqlmap stops at a 401 or a 404.
  '--ignore-code=*',
  '--timeout=10',
  '--retries=1',
];

export const sqlmap: AuditTool = {
  name: 'sqlmap',
  command: 'sqlmap',
  modes: ['demo'],
  run: async ({ url, injectable }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'audit-sqlmap-'));
    try {
      const runs = await inParallel([...injectable.entries()], 2, async ([index, request]) =>
        runOnce(request, { host: new URL(url).host, folder: path.join(folder, String(index)) }),
      );
      const requests = runs.reduce((sum, run) => sum + run.requests, 0);
      return { extent: `${injectable.length} targets, ${requests} requests`, findings: runs.flatMap((run) => run.findings) };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function runOnce(request: Request, { host, folder }: { host: string; folder: string }) {
  const file = `${folder}.http`;
  const traffic = `${folder}.traffic`;
  await writeFile(file, rawRequest(request, host));
  const args = ['-r', file, '-t', traffic, `--output-dir=${folder}`, ...OPTIONS];
  const output = await runProcess('sqlmap', args, { seconds: SECONDS_PER_REQUEST });
  const requests = (await readFile(traffic, 'utf8').catch(() => '')).match(/^HTTP request \[#\d+\]/gm)?.length ?? 0;
  return { requests, findings: findingsOf(output, request.title) };
}

const rawRequest = ({ method, path: target, headers = {}, body = '' }: Request, host: string) =>
  [`${method} ${target} HTTP/1.1`, `host: ${host}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\r\n',
  );

function findingsOf(output: string, place: string): Finding[] {
  const parameters = [...output.matchAll(/^Parameter: (.+)$/gm)].map(([, parameter]) => ({ text: `injectable: ${parameter}`, place }));
  if (parameters.length === 0 && !output.includes('do not appear to be injectable'))
    throw new Error(`sqlmap did not test ${place}: ${/^.*\[(?:CRITICAL|ERROR)\].*$/m.exec(output)?.[0] ?? output.slice(-500)}`);
  return parameters;
}
