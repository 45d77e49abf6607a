/** wapiti: injection, cross-site scripting, redirects and headers in every page and form. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProcess, type AuditTool } from './tool.ts';

const SCAN_SECONDS = 60;
const ATTACK_SECONDS = 30;

/**
 * Without the modules that ask hosts outside this machine (ssrf, xxe, wapp, nikto), those about
 * other products (brute_login_form, drupal_enum, wp_enum, htaccess), and cookieflags, which reads
 * the cookie file of this run. ffuf covers buster and backup.
 */
const MODULES = [
  'blindsql',
  'crlf',
  'csp',
  'exec',
  'file',
  'http_headers',
  'methods',
  'permanentxss',
  'redirect',
  'shellshock',
  'sql',
  'xss',
];

/** wapiti downloads a database at its start. The proxy is a closed port of this machine. */
const OFFLINE = { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' };

interface Fault {
  method: string;
  path: string;
  info: string;
  parameter: string | null;
}

interface Report {
  vulnerabilities: Record<string, Fault[]>;
  anomalies: Record<string, Fault[]>;
}

export const wapiti: AuditTool = {
  name: 'wapiti',
  command: 'wapiti',
  modes: ['demo', 'live'],
  run: async ({ url, cookie, pages }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'audit-wapiti-'));
    const file = path.join(folder, 'report.json');
    const cookies = path.join(folder, 'cookies.json');
    await writeFile(cookies, JSON.stringify(cookieJar(cookie)));
    const starts = pages.flatMap((page) => ['-s', `${url}${page.path}`]);
    const scope = ['-u', `${url}/`, '--scope', 'domain', '-l', '2', '-c', cookies, '-m', MODULES.join(',')];
    const limits = ['--max-scan-time', String(SCAN_SECONDS), '--max-attack-time', String(ATTACK_SECONDS), '-t', '10'];
    const files = [
      '--store-session',
      folder,
      '--store-config',
      folder,
      '--flush-session',
      '-f',
      'json',
      '-o',
      file,
      '--no-bugreport',
      '-v',
      '1',
    ];
    try {
      const seconds = SCAN_SECONDS + MODULES.length * ATTACK_SECONDS;
      const output = await runProcess('wapiti', [...scope, ...starts, ...limits, ...files], { seconds, env: OFFLINE });
      const report = JSON.parse(await readFile(file, 'utf8').catch(() => Promise.reject(new Error(output.slice(-1000))))) as Report;
      const findings = Object.entries({ ...report.vulnerabilities, ...report.anomalies }).flatMap(([kind, faults]) =>
        faults.map(({ info, method, path: target, parameter }) => ({
          text: `${kind}: ${info}`,
          place: `${method} ${target}${parameter ? ` ${parameter}` : ''}`,
        })),
      );
      const urls = /found (\d+) URLs/.exec(output)?.[1];
      return { extent: `${urls} pages and forms, ${MODULES.length} modules`, findings };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** The format of wapiti's cookie file. */
function cookieJar(cookie: string) {
  const pairs = cookie
    .split('; ')
    .filter(Boolean)
    .map((pair) => pair.split('=', 2) as [string, string]);
  const values = pairs.map(([name, value]) => [name, { version: 0, expires: null, secure: false, value, port: null }]);
  return { '127.0.0.1': { '/': Object.fromEntries(values) as unknown } };
}
