/** PostgreSQL with a synchronous replica, and PgBouncer in front of the primary. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { onServer } from '../../test/support/postgres.ts';
import { childrenOf } from '../../test/support/process-tree.ts';
import type { Packages } from './packages.ts';
import type { Scratch } from './scratch.ts';

const START_TIMEOUT_MS = 30_000;
/** The simulated time until the loss of the primary is detected. */
const DETECTION_MS = 1000;
const REPLICA = 'replica';

export interface Database {
  /** Both servers, for connections without a pooler. */
  readonly directUrl: string;
  readonly pooledUrl: string;
  /** The replica, also after its promotion. */
  readonly replicaUrl: string;
  /** Kills PgBouncer and starts it again. */
  restartPooler(): Promise<void>;
  /** Kills every process of the primary, promotes the replica and points PgBouncer to it. */
  failOver(): Promise<void>;
}

interface DatabasePorts {
  primary: number;
  replica: number;
  pooler: number;
}

const urlOf = (port: number) => `postgres://laundry@127.0.0.1:${port}/laundry`;

export async function startDatabase(
  scratch: Scratch,
  { postgres, pgbouncer, poolMode }: Packages,
  ports: DatabasePorts,
): Promise<Database> {
  const program = (name: string) => path.join(postgres, name);
  const startServer = async (name: string, folder: string, port: number, settings: string[] = []) => {
    // In the folder, because a killed server does not remove it.
    const memory = 'dynamic_shared_memory_type=mmap';
    const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, memory, ...settings];
    const server = scratch.start(
      name,
      program('postgres'),
      ['-D', folder, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
      {
        stopSignal: 'SIGQUIT',
      },
    );
    await connectable(`postgres://postgres@127.0.0.1:${port}/postgres`, server);
    return server;
  };

  const primaryFolder = scratch.serverFolder('primary');
  await scratch.run(program('initdb'), ['-D', primaryFolder, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync']);
  // A commit is acknowledged only once the replica has it.
  const primary = await startServer('primary', primaryFolder, ports.primary, [`synchronous_standby_names=${REPLICA}`]);
  const replicaFolder = scratch.serverFolder('replica');
  const source = `host=127.0.0.1 port=${ports.primary} user=postgres application_name=${REPLICA}`;
  await scratch.run(program('pg_basebackup'), [
    '-D',
    replicaFolder,
    '-d',
    source,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ]);
  await startServer('replica', replicaFolder, ports.replica);
  await onServer({ connectionString: `postgres://postgres@127.0.0.1:${ports.primary}/postgres` }, createDatabase);

  const poolerFolder = scratch.serverFolder('pgbouncer');
  const settings = path.join(poolerFolder, 'pgbouncer.ini');
  const pointPoolerTo = (port: number) =>
    writeFileSync(
      settings,
      `[databases]
laundry = host=127.0.0.1 port=${port} user=laundry
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.pooler}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 40
max_client_conn = 200
server_login_retry = 1
${poolMode === 'transaction' ? 'max_prepared_statements = 200\n' : ''}`,
      { mode: 0o644 },
    );
  pointPoolerTo(ports.primary);
  const startPooler = async () => {
    const started = scratch.start('pgbouncer', pgbouncer, [settings], { stopSignal: 'SIGKILL' });
    await connectable(urlOf(ports.pooler), started);
    return started;
  };
  let pooler = await startPooler();

  return {
    directUrl: `postgres://laundry@127.0.0.1:${ports.primary},127.0.0.1:${ports.replica}/laundry?target_session_attrs=read-write`,
    pooledUrl: urlOf(ports.pooler),
    replicaUrl: urlOf(ports.replica),
    async restartPooler() {
      await kill(pooler);
      pooler = await startPooler();
    },
    async failOver() {
      await kill(primary);
      await sleep(DETECTION_MS);
      await scratch.run(program('pg_ctl'), ['promote', '-D', replicaFolder, '--wait', '--silent']);
      pointPoolerTo(ports.replica);
      pooler.kill('SIGHUP');
    },
  };
}

/** The role gets the timeouts that docs/operations.md names for a database behind PgBouncer. */
async function createDatabase(client: pg.Client) {
  await client.query('create role laundry login');
  await client.query("alter role laundry set statement_timeout = '4s'");
  await client.query("alter role laundry set idle_in_transaction_session_timeout = '9s'");
  await client.query('create database laundry owner laundry');
}

/** Waits until the server accepts connections. Throws if it ends or takes too long. */
async function connectable(connectionString: string, server: ChildProcess) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const problem = await onServer({ connectionString }, (client) => client.query('select 1')).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!problem) return;
    if (server.exitCode !== null || performance.now() > deadline)
      throw new Error(`${path.basename(server.spawnfile)} does not start: ${problem.message}`);
    await sleep(50);
  }
}

/** Kills the process and its children, as if its machine was lost. */
async function kill(server: ChildProcess) {
  const { pid } = server;
  if (pid === undefined) return;
  const ended = once(server, 'exit');
  const children = childrenOf(pid);
  server.kill('SIGKILL');
  for (const child of children) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
  }
  await ended;
}
