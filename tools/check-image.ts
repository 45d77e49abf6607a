/**
 * Runs the instructions of deploy/Dockerfile without a container engine, each stage in a folder of
 * its own: with chroot, the programs of this machine in place of the base image, and mounts that
 * end with each process. Then starts the result as compose.yaml does, without root and with a
 * read-only tree, migrates an empty database, and places an order. Needs root.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/database.server.ts';
import { addAddress } from '../src/domains/addresses/contract.ts';
import { addOrder } from '../src/domains/orders/contract.ts';
import { systemClock } from '../src/lib/clock.ts';
import { newId } from '../src/lib/ids.ts';
import { httpCaller } from '../test/support/http-caller.ts';
import { home, washInManesar } from '../test/support/ordering.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { freePort } from '../test/support/program-process.ts';
import { insertSession, randomMobile } from '../test/support/seed-customers.ts';
import { parseDockerfile, type Stage } from './dockerfile.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const MEGABYTE = 1_000_000;
/** The packages of the image. A growth beyond it is a decision. */
const MAX_PACKAGE_BYTES = 64 * MEGABYTE;
const START_LIMIT_MS = 60_000;
const NODE_FILE = '/opt/node/bin/node';
const SEARCH_PATH = `${path.dirname(NODE_FILE)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
/** In the official images of Node.js, too. */
const USERS = ['root:x:0:0::/root:/bin/sh', 'node:x:1000:1000::/home/node:/bin/sh'];

/** Mounts the programs of this machine, and replaces itself with the command. */
const ENTER = `
mount --bind "$ROOT" "$ROOT"
for name in usr proc dev; do mount --rbind "/$name" "$ROOT/$name"; done
mount -o remount,bind,ro "$ROOT/usr"
mount --bind "$NODE" "$ROOT${NODE_FILE}"
if [ -n "$CACHE" ]; then mount --bind "$CACHE" "$ROOT/root/.npm"; fi
if [ -n "$VOLUMES" ]; then
  for volume in $VOLUMES; do mount --bind "$ROOT$volume" "$ROOT$volume"; done
  mount -o remount,bind,ro "$ROOT"
  mount -t tmpfs tmpfs "$ROOT/tmp"
fi
exec chroot "$ROOT" "$@"`;

interface Built {
  root: string;
  directory: string;
  env: Record<string, string>;
  user: string;
  volumes: string[];
  command: string[];
  healthCheck: string[];
}

/** Builds and tries the image in the folder. Returns its size in words. */
export async function checkImage(folder: string): Promise<string> {
  const stages = parseDockerfile(readFileSync(path.join(REPOSITORY, 'deploy/Dockerfile'), 'utf8'));
  const built = new Map<string, Built>();
  for (const stage of stages) built.set(stage.name, await build(stage, path.join(folder, stage.name || 'image'), built));
  const image = built.get('');
  if (!image) throw new Error('the last stage has a name');
  const [all, packages] = ['', 'node_modules'].map((name) => sizeOf(path.join(image.root, image.directory, name))) as [number, number];
  if (packages > MAX_PACKAGE_BYTES) throw new Error(`the packages of the image have ${inMegabytes(packages)}`);
  await tryImage(image);
  return `${inMegabytes(all)} beside Node.js, ${inMegabytes(packages)} of them packages`;
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;
const sizeOf = (folder: string) =>
  Number(execFileSync('du', ['--summarize', '--apparent-size', '--bytes', folder]).toString().split('\t')[0]);

async function build({ base, instructions }: Stage, root: string, stages: ReadonlyMap<string, Built>): Promise<Built> {
  if (!base.startsWith(`node:${process.versions.node}-`)) throw new Error(`${base} has another Node.js than ${process.version}`);
  createRoot(root);
  const stage: Built = { root, directory: '/', env: {}, user: 'root', volumes: [], command: [], healthCheck: [] };
  for (const { name, rest } of instructions) {
    switch (name) {
      case 'WORKDIR':
        mkdirSync(path.join(root, rest), { recursive: true });
        stage.directory = rest;
        break;
      case 'ENV':
        for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[key] = value;
        break;
      case 'COPY':
        copy(rest, stage, stages);
        break;
      case 'RUN':
        await runToEnd(stage, ['sh', '-c', rest], npmSettings());
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'VOLUME':
        stage.volumes.push(rest);
        break;
      case 'HEALTHCHECK':
        stage.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) as string[];
        break;
      case 'CMD':
        stage.command = JSON.parse(rest) as string[];
        break;
      case 'EXPOSE':
        break;
      default:
        throw new Error(`this check cannot run the instruction ${name}`);
    }
  }
  return stage;
}

/** The base image: programs and libraries are mounted later. */
function createRoot(root: string) {
  for (const name of ['usr', 'proc', 'dev', 'tmp', 'root/.npm', 'home/node', 'etc', path.dirname(NODE_FILE)])
    mkdirSync(path.join(root, name), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(readlinkSync(`/${name}`), path.join(root, name));
  writeFileSync(path.join(root, NODE_FILE), '');
  for (const name of ['hosts', 'resolv.conf', 'nsswitch.conf', 'ssl', 'alternatives'])
    if (existsSync(`/etc/${name}`)) cpSync(`/etc/${name}`, path.join(root, 'etc', name), { recursive: true, verbatimSymlinks: true });
  writeFileSync(path.join(root, 'etc/passwd'), `${USERS.join('\n')}\n`);
  writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}

/** As Docker, copies what a folder contains, and nothing that .dockerignore names. */
function copy(rest: string, { root, directory }: Built, stages: ReadonlyMap<string, Built>) {
  const [, from, files = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  const source = from === undefined ? REPOSITORY : stages.get(from)?.root;
  if (source === undefined) throw new Error(`there is no stage ${from}`);
  const names = files.split(' ');
  const target = path.join(root, directory, names.pop() ?? '');
  const ignored = new Set(from === undefined ? ignoredNames() : []);
  const filter = (file: string) => !ignored.has(path.relative(source, file));
  for (const name of names) {
    const file = path.join(source, name);
    // `COPY src src` copies what the folder contains, `COPY package.json ./` into a folder.
    const copied = statSync(file).isDirectory() ? target : path.join(target, path.basename(name));
    cpSync(file, copied, { recursive: true, verbatimSymlinks: true, filter });
  }
}

function ignoredNames(): string[] {
  const patterns = readFileSync(path.join(REPOSITORY, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: REPOSITORY }));
}

/** The registry, the cache and the network settings of this machine. */
function npmSettings() {
  const config = (key: string) => execFileSync('npm', ['config', 'get', key], { encoding: 'utf8', cwd: '/' }).trim();
  const network = Object.entries(process.env).filter(([name]) => /^(?:https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name));
  return { ...Object.fromEntries(network), npm_config_registry: config('registry'), CACHE: config('cache'), HOME: '/root' };
}

/** Starts a command in the root of a stage. */
function start({ root, directory, env, user, volumes }: Built, command: string[], more: Record<string, string | undefined> = {}) {
  const { CACHE = '', ...settings } = more;
  const variables = Object.entries({ PATH: SEARCH_PATH, ...env, ...settings }).map(([name, value]) => `${name}=${value ?? ''}`);
  const withoutRoot = ['--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
  const asUser = user === 'root' ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, ...withoutRoot];
  const entered = [...asUser, 'env', '--ignore-environment', `--chdir=${directory}`, ...variables, ...command];
  return spawn('unshare', ['--mount', 'sh', '-euc', ENTER, 'sh', ...entered], {
    // Volumes are writable, and the rest is not, once the image is complete.
    env: { PATH: SEARCH_PATH, ROOT: root, NODE: process.execPath, CACHE, VOLUMES: user === 'root' ? '' : volumes.join(' ') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ReturnType<typeof start>) {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output.text += chunk.toString()));
  return output;
}

async function runToEnd(stage: Built, command: string[], env: Record<string, string | undefined>): Promise<string> {
  const child = start(stage, command, env);
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output.text.trim().split('\n').slice(-20).join('\n')}`);
  return output.text;
}

/** Migrates a database, starts the program and orders, as a user other than root. */
async function tryImage(image: Built) {
  const { server, stop } = await startPostgres();
  const { url, close } = await overTcp(server.connectionString ?? '');
  const port = await freePort();
  const settings = {
    ...exampleSettings(),
    DATABASE_URL: url,
    PORT: String(port),
    TRUST_PROXY: '1',
  };
  try {
    await expectReadOnly(image, settings);
    await runToEnd(image, ['node', 'tools/migrate.ts'], settings);
    await runToEnd(image, ['node', 'tools/catalogue.ts', 'samples'], settings);
    const program = start(image, image.command, settings);
    const output = collect(program);
    const ended = once(program, 'close') as Promise<[number | null]>;
    try {
      await waitUntilHealthy(image, settings, () => program.exitCode === null, output);
      const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
      if (!/^Uid:\t1000\t1000/m.test(status) || !/^CapEff:\t0+$/m.test(status)) throw new Error('the program runs as root');
      await order(url, port);
    } finally {
      program.kill('SIGTERM');
    }
    const [code] = await ended;
    if (code !== 0) throw new Error(`the program ended with ${code} after SIGTERM: ${output.text}`);
  } finally {
    close();
    await stop();
  }
}

/** The example, with a value for each setting that the owner has to fill in. */
function exampleSettings(): Record<string, string> {
  const lines = readFileSync(path.join(REPOSITORY, 'deploy/settings.env.example'), 'utf8').matchAll(/^([A-Z0-9_]+)=(.*)$/gm);
  const example = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value] as const).filter(([, value]) => value));
  return {
    ...example,
    PUBLIC_URL: 'https://laundry.example',
    SECRET: 'a secret for the check of the image, of some length',
    MSG91_AUTH_KEY: 'none',
    MSG91_TEMPLATE_ID: 'none',
    BRAND_EMAIL: 'help@laundry.example',
    BRAND_MOBILE: '9876543210',
    BRAND_ADDRESS: 'Shop 4, Sector 82, Gurugram',
  };
}

async function expectReadOnly(image: Built, settings: Record<string, string>) {
  const script = `for (const folder of ${JSON.stringify(['/app', '/app/build', '/etc', ...image.volumes])})
    try { fs.writeFileSync(folder + '/written', ''); console.log(folder) } catch {}`;
  const writable = (await runToEnd(image, ['node', '--eval', script], settings)).trim().split('\n');
  if (String(writable) !== String(image.volumes)) throw new Error(`the program can write ${writable.join(', ')}`);
}

async function waitUntilHealthy(image: Built, settings: Record<string, string>, isRunning: () => boolean, output: { text: string }) {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const isHealthy = await runToEnd(image, image.healthCheck, settings).then(
      () => true,
      () => false,
    );
    if (isHealthy) return;
    if (!isRunning() || performance.now() > deadline) throw new Error(`the program does not start: ${output.text}`);
    await sleep(500);
  }
}

async function order(url: string, port: number) {
  const { db, close } = openDatabase({ connection: { connectionString: url }, poolSize: 1, onConnectionLost: () => {} });
  try {
    const userid = newId();
    const customer = { id: userid, mobile: randomMobile(), name: 'Check', password_hash: 'no password fits this' };
    await db
      .insertInto('customers')
      .values({ ...customer, created_at: systemClock.now() })
      .execute();
    const caller = httpCaller(() => `http://127.0.0.1:${port}`);
    caller.cookies.set('__Host-session', await insertSession({ db, clock: systemClock }, userid, 'customer'));
    const { data } = await caller.send(addAddress, { ...home, userid });
    const placed = await caller.send(addOrder, { ...washInManesar, userid, addressid: data?.addressid });
    if (placed.response !== 'success') throw new Error(`an order was refused: ${placed.message}`);
  } finally {
    await close();
  }
}

/** The embedded server listens on a socket outside the image. */
async function overTcp(socketUrl: string): Promise<{ url: string; close(): void }> {
  const { username, password, pathname, searchParams } = new URL(socketUrl.replace('@/', '@localhost/'));
  const file = path.join(searchParams.get('host') ?? '', `.s.PGSQL.${searchParams.get('port') ?? 5432}`);
  const server = createServer((client) => {
    const socket = connect(file);
    for (const end of [client, socket]) end.on('error', () => void (client.destroy(), socket.destroy()));
    client.pipe(socket).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`, close: () => void server.close() };
}
