/** The PostgreSQL of a test run: DATABASE_URL's where it is set, else an embedded one in a temporary folder; and copies of its databases. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded.server.ts';
import { expectBalancedLedger } from './ledger-audit.ts';

interface ServerOptions {
  /** Whether a commit waits for the disk. A bench must; no test cuts the power, and waiting would only make the tests slow where others use the disk. */
  fsync?: boolean;
}

export async function startPostgres({ fsync = false }: ServerOptions = {}): Promise<{
  server: pg.ClientConfig;
  stop(): Promise<void>;
}> {
  const url = process.env.DATABASE_URL;
  if (url) return { server: { connectionString: url }, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dhulai-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, cloneDir: process.cwd(), log: () => {} });
  const server = { connectionString: embedded.connectionString };
  if (!fsync) {
    await onServer(server, (client) => client.query('alter system set fsync = off'));
    await onServer(server, (client) => client.query('select pg_reload_conf()'));
  }
  return {
    server,
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface NewDatabase {
  name: string;
  connection: pg.ClientConfig;
  /** Audits its ledger first (reliability bar, M7): a test that leaves money that does not add up has failed, whatever it looked at itself. */
  drop(): Promise<void>;
}

/** A new database, empty or copied from `template`, which nobody may be connected to. */
export async function newDatabase(server: pg.ClientConfig, template = 'template0'): Promise<NewDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer(server, (client) => client.query(`create database ${name} template ${template}`));
  const connection = inDatabase(server, name);
  const drop = async () => {
    try {
      await expectBalancedLedger(connection);
    } finally {
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    }
  };
  return { name, connection, drop };
}

export function inDatabase(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database };
  // A socket's URL has no host, so it is no URL that the platform could parse.
  return { ...server, connectionString: server.connectionString.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`) };
}

export async function onServer<Result>(server: pg.ClientConfig, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A URL that the platform can parse, too: the socket's has no host. */
export const urlOf = ({ connectionString = '' }: pg.ClientConfig) =>
  connectionString.replace(/^(postgres\w*:\/\/[^@/]*@)\//, '$1localhost/');
