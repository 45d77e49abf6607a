/** Three processes of the built program behind nginx, and a newer version of it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ChildProgram, statusOf } from '../../test/support/program-process.ts';
import { readMigrations } from '../migration-files.ts';
import { SERVER_NAME, writeNginxConfiguration } from '../nginx-configuration.ts';
import type { Database } from './database.ts';
import type { Packages } from './packages.ts';
import type { Scratch } from './scratch.ts';

const PROCESSES = 3;
const READY_TIMEOUT_MS = 60_000;

/** The requirements of deploy/nginx/nginx.conf for the program. */
const BEHIND_NGINX = { PUBLIC_URL: `https://${SERVER_NAME}`, TRUST_PROXY: '1', DRAIN_SECONDS: '3' };

export interface Site {
  /** The self-signed certificate of nginx. */
  readonly certificate: Buffer;
  /** Stops a process with SIGTERM and starts it again, also as another version. */
  replace(index: number, version?: Version): Promise<void>;
  /** Kills a process and starts the same version again. */
  kill(index: number): Promise<void>;
  /** Waits until every process can serve requests. */
  ready(): Promise<void>;
  /** The output of the processes since they started. */
  output(): string;
}

export interface Version {
  /** The folder of its build. */
  folder: string;
  /** Its newest migration. */
  migration: string;
}

interface SitePorts {
  https: number;
  http: number;
  /** The port of the first process. The others have the next ones. */
  first: number;
}

export async function startSite(scratch: Scratch, { nginx }: Packages, database: Database, ports: SitePorts): Promise<Site> {
  const programs: { program: ChildProgram; folder: string }[] = [];
  const outputs: string[] = [];
  /** The last process connects without PgBouncer. */
  const databaseOf = (index: number) => ({
    DATABASE_URL: index < PROCESSES - 1 ? database.pooledUrl : database.directUrl,
    DATABASE_DIRECT_URL: database.directUrl,
    DATABASE_READ_URL: database.replicaUrl,
  });
  const environment = {
    ...BEHIND_NGINX,
    SECRET: 'a secret for the rehearsal of a cluster',
    PHOTO_DIR: path.join(scratch.folder, 'photos'),
  };
  const start = async (index: number, folder: string) => {
    const program = new ChildProgram(ports.first + index, { ...environment, ...databaseOf(index) }, folder);
    scratch.endLater(program, 'SIGKILL');
    programs[index] = { program, folder };
    await program.ready();
  };
  const running = (index: number) => {
    const found = programs[index];
    if (!found) throw new Error(`there is no process ${index}`);
    return found;
  };
  await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(index, '.')));

  const { file, certificate } = await writeNginxConfiguration(
    scratch.folder,
    {
      'listen 80 default_server;': `listen 127.0.0.1:${ports.http};`,
      'listen [::]:80 default_server;': '',
      'listen [::]:443 ssl http2;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${ports.https} ssl;`,
      ...Object.fromEntries(
        Array.from({ length: PROCESSES }, (_, index) => [`server site${index + 1}:3000`, `server 127.0.0.1:${ports.first + index}`]),
      ),
      // Folders that only root can write.
      'server_tokens off;': ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi']
        .map((name) => `${name}_temp_path ${scratch.folder}/${name};`)
        .join('\n  '),
    },
    promisify(execFile),
  );
  const proxy = scratch.start('nginx', nginx, ['-c', file, '-g', 'daemon off;'], { asRoot: true });
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isListening(ports.https))) {
    if (proxy.exitCode !== null || performance.now() > deadline) throw new Error(`nginx does not start: ${scratch.logOf('nginx')}`);
    await sleep(50);
  }

  return {
    certificate: readFileSync(certificate),
    async replace(index, version) {
      const { program, folder } = running(index);
      program.signal('SIGTERM');
      const code = await program.ended;
      outputs.push(program.output);
      if (code !== 0) throw new Error(`A process ended with ${code} after SIGTERM: ${program.output}`);
      await start(index, version?.folder ?? folder);
    },
    async kill(index) {
      const { program, folder } = running(index);
      await program.kill();
      outputs.push(program.output);
      await start(index, folder);
    },
    async ready() {
      const deadline = performance.now() + READY_TIMEOUT_MS;
      for (const { program } of programs) {
        while ((await statusOf(`${program.url}/readyz`)) !== 200) {
          if (performance.now() > deadline) throw new Error(`A process is not ready: ${program.output}`);
          await sleep(50);
        }
      }
    },
    output: () => [...outputs, ...programs.map(({ program }) => program.output)].join(''),
  };
}

/**
 * Copies the build to the folder, with one more migration that the present version works with, as
 * a release that adds columns has.
 */
export async function createNewerVersion(scratch: Scratch): Promise<Version> {
  const newest = (await readMigrations()).at(-1)?.name ?? '';
  const number = newest.slice(0, 4);
  const migration = `${String(Number(number) + 1).padStart(4, '0')}_rehearsal.sql`;
  const sql = `-- compatible-since: ${number}
alter table orders add column rehearsed_at timestamptz;
alter table sessions add column rehearsed_at timestamptz;
alter table payments add column rehearsed_at timestamptz;
`;
  const folder = path.join(scratch.folder, 'newer');
  mkdirSync(folder);
  cpSync('build', path.join(folder, 'build'), { recursive: true });
  for (const name of ['node_modules', 'package.json']) symlinkSync(path.resolve(name), path.join(folder, name));
  const program = path.join(folder, 'build/server/index.js');
  const text = readFileSync(program, 'utf8');
  const entry = `"./migrations/${newest}": `;
  if (!text.includes(entry)) throw new Error(`${newest} is not in the build`);
  writeFileSync(
    program,
    text.replace(entry, () => `"./migrations/${migration}": ${JSON.stringify(sql)},\n${entry}`),
  );
  return { folder, migration };
}

export const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });
