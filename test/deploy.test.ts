/**
 * The files of deploy/ agree with the program. `npm run check-deploy` checks their formats with the
 * tools that read them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DESK_EVENTS_PATH } from '../src/domains/staff/desk/contract.ts';
import { addOrder, ORDER_EVENTS_PATH } from '../src/domains/orders/contract.ts';
import { payWithWallet, walletPayment } from '../src/domains/payments/contract.ts';

const FOLDER = path.resolve(import.meta.dirname, '../deploy');
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(path.join(FOLDER, file)).isFile());

test('every setting of a file is a setting of the program', () => {
  const sources = ['src/settings.server.ts', 'src/server/tracing/tracing-settings.server.ts'];
  const source = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  const known = new Set([...source.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name]) => name));
  for (const name of ['NODE_ENV', 'POSTGRES_PASSWORD', 'POSTGRES_USER', 'POSTGRES_DB', 'AF_INET', 'AF_UNIX']) known.add(name);
  const unknown = files.flatMap((file) => {
    const names = read(file).match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z]\b/g) ?? [];
    return names.filter((name) => !known.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

test('starts the program with the flags of the launcher, and stops it without a kill', () => {
  const flags =
    readFileSync('tools/launch.mjs', 'utf8')
      .match(/'--[\w-]+=\d+'/g)
      ?.map((flag) => flag.slice(1, -1)) ?? [];
  expect(flags).toHaveLength(2);
  for (const flag of flags) {
    expect(read('Dockerfile')).toContain(`"${flag}"`);
    expect(read('systemd/dhulai@.service')).toContain(flag);
  }
  // Eight seconds for open requests (src/main.ts) after the drain.
  const graces = [
    ['compose.yaml', /DRAIN_SECONDS: '(\d+)'/, /stop_grace_period: (\d+)s/],
    ['systemd/dhulai@.service', /DRAIN_SECONDS=(\d+)/, /TimeoutStopSec=(\d+)/],
    ['kubernetes/site.yaml', /DRAIN_SECONDS\s+value: '(\d+)'/, /terminationGracePeriodSeconds: (\d+)/],
  ] as const;
  for (const [file, drain, grace] of graces) {
    const [drainSeconds, graceSeconds] = [drain, grace].map((pattern) => Number(pattern.exec(read(file))?.[1]));
    expect(graceSeconds, file).toBeGreaterThan((drainSeconds ?? Number.NaN) + 8);
  }
});

test('the settings file does not override port, host and data folder of a deployment', () => {
  const own = { PORT: '3000', HOST: '0.0.0.0', DATA_DIR: '/of/npm-start' };
  /** The environment of the program: the command runs `env` in place of node and what follows. */
  const environmentOf = (unit: string) => {
    const text = read(unit).replaceAll('\\\n', '').replaceAll('%i', '3001').replaceAll('%%', '%');
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(text) ?? [];
    const { stdout } = spawnSync('/bin/sh', ['-c', command.replace(/\/usr\/bin\/node [^']*/, '/usr/bin/env')], {
      env: own,
      encoding: 'utf8',
    });
    return stdout.split('\n');
  };
  const dataDir = 'DATA_DIR=/var/lib/dhulai-site';
  expect(environmentOf('systemd/dhulai@.service')).toEqual(expect.arrayContaining(['PORT=3001', 'HOST=127.0.0.1', dataDir]));
  expect(environmentOf('systemd/dhulai-backup.service')).toContain(dataDir);
  const [environment = ''] = /environment: &environment\n(?: {4}.*\n)+/.exec(read('compose.yaml')) ?? [];
  for (const line of ['DATA_DIR: /data', 'HOST: 0.0.0.0', "PORT: '3000'"]) expect(environment).toContain(`    ${line}\n`);
});

test('secrets of a deployment are neither committed nor copied into an image', () => {
  const secrets = ['deploy/.env', 'deploy/settings.env', 'deploy/nginx/certificates/privkey.pem'];
  // One file for all, which an upgrade does not replace.
  for (const file of ['compose.yaml', 'systemd/dhulai@.service', 'systemd/dhulai-backup.service'])
    expect(read(file)).toMatch(/^\s*(?:env_file: |EnvironmentFile=)\/etc\/dhulai\/settings\.env$/m);
  for (const document of ['README.md', 'docs/operations.md']) expect(readFileSync(document, 'utf8')).not.toContain('deploy/settings.env;');
  const ignored = spawnSync('git', ['check-ignore', '--no-index', ...secrets], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
  expect(ignored).toEqual(secrets);
  expect(readFileSync('.dockerignore', 'utf8').split('\n')).toContain('deploy');
});

test('streams are neither collected by the proxy nor counted as slow calls', () => {
  for (const stream of [ORDER_EVENTS_PATH, DESK_EVENTS_PATH]) {
    expect(`/${stream}`).toMatch(/^\/(orders|staff)\/events$/);
  }
  expect(read('nginx/nginx.conf')).toContain('location ~ ^/(orders|staff)/events$');
  expect(read('prometheus/alerts.yaml')).toContain('route!~".*/events"');
});

test('the proxy repeats only calls that take effect once, and what the page of a payment reads', () => {
  const blocks = read('nginx/nginx.conf').match(/location [^{]*\{[^}]*\}/g) ?? [];
  const patterns = blocks.filter((block) => block.includes('non_idempotent')).map((block) => /location ~ (\S+)/.exec(block)?.[1] ?? '');
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: object };
  const repeated = Object.keys(paths).filter((called) => patterns.some((pattern) => new RegExp(pattern).test(called)));
  expect(repeated.toSorted()).toEqual([addOrder, payWithWallet, walletPayment].map((call) => `/${call.path}`).toSorted());
});

test('the backup of Kubernetes deletes backups before they are thirty days old, but only after a new one', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'dhulai-deploy-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const backups = path.join(root, 'backups');
  for (const days of [29.5, 28]) {
    const folder = path.join(backups, `${days}-days`);
    mkdirSync(path.join(folder, 'tables'), { recursive: true });
    const age = new Date(Date.now() - days * 86_400_000);
    utimesSync(folder, age, age);
  }
  const command = /- (node tools\/backup\.ts .*)/.exec(read('kubernetes/backup.yaml'))?.[1] ?? '';
  /** Runs the command with a program in place of node. */
  const runWith = (program: string) => {
    writeFileSync(path.join(root, 'node'), `#!/bin/sh\n${program}\n`, { mode: 0o700 });
    spawnSync('/bin/sh', ['-c', command.replaceAll('/backups', backups)], { env: { PATH: `${root}:${process.env.PATH}` } });
    return readdirSync(backups).filter((name) => name.endsWith('-days'));
  };
  expect(runWith('exit 1')).toEqual(['28-days', '29.5-days']);
  expect(runWith('mkdir "$2"')).toEqual(['28-days']);
  expect(readdirSync(backups)).toHaveLength(2);
});

test('systemd confines the backup as it confines the program', () => {
  const confinement = (unit: string) =>
    read(`systemd/${unit}.service`)
      .split('\n')
      .filter((line) => /^(?:NoNew|Private|Protect|Restrict|Remove|Lock|Capability|SystemCall|UMask)/.test(line))
      .toSorted();
  expect(confinement('dhulai@').length).toBeGreaterThan(15);
  expect(confinement('dhulai-backup')).toEqual(confinement('dhulai@'));
});

test('no proxy logs addresses, and all limit networks in the same way', () => {
  expect(read('nginx/nginx.conf')).toContain('access_log off;');
  expect(read('kubernetes/site.yaml')).toContain("enable-access-log: 'false'");
  // Without it, Docker forwards the visitors with IPv6 from one address.
  expect(read('compose.yaml')).toContain('enable_ipv6: true');
  const linesOf = (file: string) =>
    read(file)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(?:map \$binary|default \$binary|"~|limit_)/.test(line));
  expect(linesOf('nginx/nginx.conf')).toHaveLength(9);
  expect(linesOf('kubernetes/ingress-nginx.yaml')).toEqual(linesOf('nginx/nginx.conf'));
});
