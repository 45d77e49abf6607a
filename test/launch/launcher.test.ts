import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneDir, gone, isAlive, patience, Running, temporaryFolder } from './processes.ts';

/** Says where it lives, stops slowly on a signal, and notices when its launcher is gone. */
const program = `
  let stopping = false;
  const stop = (why) => {
    console.log('received ' + why);
    if (!stopping) setTimeout(() => process.exit(0), 100);
    stopping = true;
  };
  for (const why of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(why, stop.bind(null, why));
  setInterval(() => {}, 1000);
  console.log('READY ' + JSON.stringify({ pid: process.pid, parent: process.ppid, folder: process.cwd(), flags: process.execArgv }));
`;

interface ProgramState {
  pid: number;
  parent: number;
  folder: string;
  flags: string[];
}

/** A bare clone of a tiny project with our launcher. Its path has a space, because people's folders do. */
async function bareClone(build = 'mkdir -p build/server && cp src/program.js build/server/index.js && echo BUILT'): Promise<string> {
  const clone = join(await temporaryFolder(), 'a clone');
  // What a tool has installed for itself is no part of a clone.
  await cp(join(cloneDir, 'tools'), join(clone, 'tools'), { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  await mkdir(join(clone, 'src'));
  await writeFile(join(clone, 'src/program.js'), program);
  await writeFile(join(clone, '.nvmrc'), '24\n');
  const scripts = { start: 'exec node tools/launch.mjs', build };
  await writeFile(join(clone, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0', type: 'module', scripts }));
  const packages = { '': { name: 'tiny', version: '1.0.0' } };
  await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ name: 'tiny', version: '1.0.0', lockfileVersion: 3, packages }));
  return clone;
}

/** `npm start`, on the Node that runs the tests. */
function npmStart(clone: string, nodeOptions = ''): Running {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return new Running('npm', ['start'], { cwd: clone, env: { ...process.env, PATH: path, NODE_OPTIONS: nodeOptions } });
}

async function ready(running: Running): Promise<ProgramState> {
  return JSON.parse(await running.says('READY ')) as ProgramState;
}

/** What Node before 22.15 looks like to the launcher. */
const withoutExecve = '--import=data:text/javascript,delete(process.execve)';

test('a bare clone is installed, built and started; a second start does neither again', { timeout: patience }, async () => {
  const clone = await bareClone();
  const first = npmStart(clone);
  const { folder, flags } = await ready(first);
  expect(folder).toBe(clone);
  expect(flags).toEqual(['--max-semi-space-size=4', '--heap-growing-percent=30']);
  expect(first.output).toContain('Installing');
  expect(first.output).toContain('BUILT');
  first.signal('SIGTERM');
  expect((await first.ended).code).toBe(0);

  const second = npmStart(clone);
  await ready(second);
  expect(second.output).not.toMatch(/Installing|BUILT/);
  second.signal('SIGTERM');
  await second.ended;

  await writeFile(join(clone, 'src/program.js'), `${program}// changed`);
  const third = npmStart(clone);
  await ready(third);
  expect(third.output).toContain('BUILT');
});

test.for([
  { how: 'that became the program', options: '' },
  { how: 'that waits beside the program', options: withoutExecve },
])('SIGTERM to npm reaches the program through a launcher $how', { timeout: patience }, async ({ options }) => {
  const start = npmStart(await bareClone(), options);
  const { pid } = await ready(start);

  start.signal('SIGTERM');

  const { code, output } = await start.ended;
  expect(code).toBe(0);
  expect(output).toContain('received SIGTERM');
  expect(isAlive(pid)).toBe(false);
});

test.for([
  { how: 'that became the program', options: '' },
  { how: 'that waits beside the program', options: withoutExecve },
])(
  'Ctrl-C, which reaches the whole group and comes again through npm, is one clean stop $how',
  { timeout: patience },
  async ({ options }) => {
    const start = npmStart(await bareClone(), options);
    const { pid } = await ready(start);

    process.kill(-start.pid, 'SIGINT');

    expect((await start.ended).code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  },
);

test('the program stops cleanly when a launcher that waits beside it is killed', { timeout: patience }, async () => {
  const start = npmStart(await bareClone(), withoutExecve);
  const { pid, parent } = await ready(start);

  process.kill(parent, 'SIGKILL');

  await start.says('received disconnect');
  await gone(pid);
});

test('a build that fails ends the start, and the next start builds again', { timeout: patience }, async () => {
  const clone = await bareClone('echo no such luck && exit 3');

  const { code, output } = await npmStart(clone).ended;

  expect(code).toBe(1);
  expect(output).toContain('Building failed: npm run build exited with 3.');
  expect(existsSync(join(clone, 'build/.built'))).toBe(false);
});

test('SIGTERM during the build stops everything that builds', { timeout: patience }, async () => {
  const clone = await bareClone('sh -c "echo BUILDER $$ && sleep 60"');
  const start = npmStart(clone);
  const builder = Number(await start.says('BUILDER '));

  start.signal('SIGTERM');

  expect((await start.ended).code).toBe(143);
  await gone(builder);
});
