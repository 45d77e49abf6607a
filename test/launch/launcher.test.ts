import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneDir, waitForExit, isAlive, TIMEOUT_MS, RunningProcess, temporaryFolder } from './processes.ts';

/** Prints its state, exits 100 ms after a signal, and prints when its launcher has ended. */
const program = `
  let stopping = false;
  const stop = (event) => {
    console.log('received ' + event);
    if (!stopping) setTimeout(() => process.exit(0), 100);
    stopping = true;
  };
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, stop.bind(null, event));
  setInterval(() => {}, 1000);
  console.log('READY ' + JSON.stringify({ pid: process.pid, parent: process.ppid, folder: process.cwd(), flags: process.execArgv }));
`;

interface ProgramState {
  pid: number;
  parent: number;
  folder: string;
  flags: string[];
}

/**
 * Creates a clone of a tiny project with the launcher, without build and node_modules. Its path
 * contains a space.
 */
async function bareClone(build = 'mkdir -p build/server && cp src/program.js build/server/index.js && echo BUILT'): Promise<string> {
  const clone = join(await temporaryFolder(), 'a clone');
  // node_modules of a tool is not part of a clone.
  await cp(join(cloneDir, 'tools'), join(clone, 'tools'), { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  await mkdir(join(clone, 'src'));
  await writeFile(join(clone, 'src/program.js'), program);
  await writeFile(join(clone, '.nvmrc'), '24\n');
  const { scripts: real } = JSON.parse(await readFile(join(cloneDir, 'package.json'), 'utf8')) as { scripts: { build: string } };
  const scripts = {
    start: 'exec node tools/launch.mjs',
    build: real.build.replace(/react-router build.* node tools\/precompress\.ts/, () => build),
  };
  await writeFile(join(clone, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0', type: 'module', scripts }));
  const packages = { '': { name: 'tiny', version: '1.0.0' } };
  await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ name: 'tiny', version: '1.0.0', lockfileVersion: 3, packages }));
  return clone;
}

/** Runs `npm start` with the version of Node that runs the tests. */
function npmStart(clone: string, nodeOptions = ''): RunningProcess {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return new RunningProcess('npm', ['start'], { cwd: clone, env: { ...process.env, PATH: path, NODE_OPTIONS: nodeOptions } });
}

async function ready(running: RunningProcess): Promise<ProgramState> {
  return JSON.parse(await running.waitForLine('READY ')) as ProgramState;
}

/** Node option that simulates Node before 22.15, which has no process.execve. */
const withoutExecve = '--import=data:text/javascript,delete(process.execve)';

test('npm start installs, builds and starts a clone; a second start only starts it', { timeout: TIMEOUT_MS }, async () => {
  const clone = await bareClone();
  const first = npmStart(clone);
  const { folder, flags } = await ready(first);
  expect(folder).toBe(clone);
  expect(flags).toEqual(['--max-semi-space-size=4', '--heap-growing-percent=30']);
  expect(first.output).toContain('Installing');
  expect(first.output).toContain('Building …');
  // The last lines of a start are those of the program.
  expect(first.output).not.toContain('BUILT');
  first.signal('SIGTERM');
  expect((await first.ended).code).toBe(0);

  const second = npmStart(clone);
  await ready(second);
  expect(second.output).not.toMatch(/Installing|Building/);
  second.signal('SIGTERM');
  await second.ended;

  await writeFile(join(clone, 'src/program.js'), `${program}// changed`);
  const third = npmStart(clone);
  await ready(third);
  expect(third.output).toContain('Building …');
  third.signal('SIGTERM');
  await third.ended;

  await writeFile(join(clone, 'src/program.js'), `${program}// changed again`);
  const build = new RunningProcess('npm', ['run', 'build'], { cwd: clone });
  expect((await build.ended).output).toContain('BUILT');
  const fourth = npmStart(clone);
  await ready(fourth);
  expect(fourth.output).not.toContain('Building');
});

test('npm start installs nothing after a manual npm ci, unless that left out a package', { timeout: TIMEOUT_MS }, async () => {
  const clone = await bareClone();
  const npm = async (...args: string[]) => {
    const ended = await new RunningProcess('npm', [...args, '--no-audit', '--no-fund'], { cwd: clone }).ended;
    expect(ended.code, ended.output).toBe(0);
  };
  /** A package for this platform, like the database. */
  const database = { name: 'database', version: '1.0.0', os: [process.platform], cpu: [process.arch] };
  await mkdir(join(clone, 'database'));
  await writeFile(join(clone, 'database/package.json'), JSON.stringify(database));
  await npm('pack', './database');
  await npm('install', '--save-optional', './database-1.0.0.tgz');
  const outputOfStart = async () => {
    const start = npmStart(clone);
    await ready(start);
    start.signal('SIGTERM');
    return (await start.ended).output;
  };

  await npm('ci');
  expect(await outputOfStart()).not.toContain('Installing');

  await npm('ci', '--omit=optional');
  expect(existsSync(join(clone, 'node_modules/database'))).toBe(false);
  expect(await outputOfStart()).toContain('Installing');
  expect(existsSync(join(clone, 'node_modules/database'))).toBe(true);

  await npm('ci');
  const lock = await readFile(join(clone, 'package-lock.json'), 'utf8');
  await writeFile(join(clone, 'package-lock.json'), lock.replaceAll('"version": "1.0.0"', '"version": "1.0.1"'));
  await npmStart(clone).waitForLine('Installing');
});

test.for([
  { how: 'that execs the program', options: '' },
  { how: 'that spawns the program', options: withoutExecve },
])('SIGTERM to npm reaches the program through a launcher $how', { timeout: TIMEOUT_MS }, async ({ options }) => {
  const start = npmStart(await bareClone(), options);
  const { pid } = await ready(start);

  start.signal('SIGTERM');

  const { code, output } = await start.ended;
  expect(code).toBe(0);
  expect(output).toContain('received SIGTERM');
  expect(isAlive(pid)).toBe(false);
});

test.for([
  { how: 'that execs the program', options: '' },
  { how: 'that spawns the program', options: withoutExecve },
])(
  'Ctrl-C, which the process group and npm both deliver, stops the program once with a launcher $how',
  { timeout: TIMEOUT_MS },
  async ({ options }) => {
    const start = npmStart(await bareClone(), options);
    const { pid } = await ready(start);

    process.kill(-start.pid, 'SIGINT');

    expect((await start.ended).code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  },
);

test('the program stops cleanly if a launcher that spawned it is killed', { timeout: TIMEOUT_MS }, async () => {
  const start = npmStart(await bareClone(), withoutExecve);
  const { pid, parent } = await ready(start);

  process.kill(parent, 'SIGKILL');

  await start.waitForLine('received disconnect');
  await waitForExit(pid);
});

test('npm start exits if the build fails, and the next start builds again', { timeout: TIMEOUT_MS }, async () => {
  const clone = await bareClone('echo on stdout && echo on stderr >&2 && exit 3');

  const { code, output } = await npmStart(clone).ended;

  expect(code).toBe(1);
  expect(output).toMatch(/on stdout\n[^]*on stderr\n[^]*Building failed: npm run build exited with 3\. See its output above\.\n$/);
  expect(existsSync(join(clone, 'build/.built'))).toBe(false);
});

test('SIGTERM during the build stops every build process', { timeout: TIMEOUT_MS }, async () => {
  const clone = await bareClone('sh -c "echo $$ > builder && sleep 60"');
  const start = npmStart(clone);
  const readBuilder = async () => Number(await readFile(join(clone, 'builder'), 'utf8').catch(() => ''));
  await expect.poll(readBuilder, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
  const builder = await readBuilder();

  start.signal('SIGTERM');

  expect((await start.ended).code).toBe(143);
  await waitForExit(builder);
});
