/**
 * slowhttptest: clients that send headers, send a body or read a response byte by byte. The server
 * must close them, and the home page must stay available.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { login } from '../../src/domains/accounts/contract.ts';
import { runProcess, type AuditTarget, type AuditTool, type Finding } from './tool.ts';

const CONNECTIONS = 200;
/**
 * A client that reads nothing is reset within 85 s (docs/security.md, S6). slowhttptest notices
 * that only when it has read what its kernel holds.
 */
const SECONDS = 100;
const HOME_P95_MS = 2_000;
const PROBE_INTERVAL_MS = 250;

const MODES = {
  'slow headers': ({ url }: AuditTarget) => ['-H', '-i', '1', '-u', `${url}/`],
  'slow body': ({ url }: AuditTarget) => [
    '-B',
    '-i',
    '1',
    '-s',
    '60000',
    '-t',
    'POST',
    '-f',
    'application/json',
    '-u',
    `${url}/${login.path}`,
  ],
  // Three requests in one connection.
  'slow read': ({ url, largeFile }: AuditTarget) => [
    '-X',
    '-k',
    '3',
    '-w',
    '1',
    '-y',
    '1',
    '-z',
    '256',
    '-n',
    '1',
    '-u',
    `${url}${largeFile}`,
  ],
} as const;

export const slowhttptest: AuditTool = {
  name: 'slowhttptest',
  command: 'slowhttptest',
  modes: ['demo'],
  run: async (target) => {
    const probes = probeHome(target.url);
    const runs = Object.entries(MODES).map(([name, optionsOf]) => attack(name, optionsOf(target)));
    const findings = (await Promise.all(runs)).flat();
    const homeMs = Math.round(await probes.stop());
    if (homeMs > HOME_P95_MS) findings.push({ text: 'the home page is slow', place: `p95 ${homeMs} ms` });
    return { extent: `3 x ${CONNECTIONS} connections, home p95 ${homeMs} ms`, findings };
  },
};

async function attack(place: string, options: readonly string[]): Promise<Finding[]> {
  const limits = ['-c', String(CONNECTIONS), '-r', '100', '-l', String(SECONDS), '-p', '5'];
  const output = stripVTControlCharacters(await runProcess('slowhttptest', [...options, ...limits], { seconds: SECONDS + 30 }));
  const end = /Exit status:\s*(.+)/.exec(output)?.[1]?.trim();
  if (!end) throw new Error(`slowhttptest did not finish: ${output.slice(-500)}`);
  const open = Number([...output.matchAll(/connected:\s*(\d+)/g)].at(-1)?.[1]);
  return [
    ...(end === 'No open connections left'
      ? []
      : [{ text: `${place}: connections stay open`, place: `${open} after ${SECONDS} s (${end})` }]),
    ...(/service available:\s*NO/.test(output) ? [{ text: `${place}: no service`, place: '' }] : []),
  ];
}

/** Requests the home page again and again. `stop` returns the 95th percentile of the durations. */
function probeHome(url: string) {
  const durationsMs: number[] = [];
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      const response = await fetch(`${url}/`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      await response?.arrayBuffer();
      durationsMs.push(response?.ok ? performance.now() - started : Infinity);
      await sleep(PROBE_INTERVAL_MS);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      return durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length * 0.95)] ?? Infinity;
    },
  };
}
