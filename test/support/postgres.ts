/**
 * The PostgreSQL of a test run (DATABASE_URL, or an embedded one in a temporary folder) and its
 * databases.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded.server.ts';
import { expectBalancedLedger } from './ledger-audit.ts';
import { temporaryRoot } from './temporary-root.ts';

interface ServerOptions {
  /**
   * Benchmarks need fsync. Tests do not simulate a power failure, and fsync would make them slow.
   */
  fsync?: boolean;
}

export async function startPostgres({ fsync = false }: ServerOptions = {}): Promise<{
  server: pg.ClientConfig;
  stop(): Promise<void>;
}> {
  const url = process.env.DATABASE_URL;
  if (url) return { server: { connectionString: url }, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(fsync ? tmpdir() : temporaryRoot, 'dhulai-test-'));
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
  /**
   * Drops the database after an audit of its ledger (docs/security.md, M7). Throws if the ledger is
   * not balanced.
   */
  drop(): Promise<void>;
}

/** Creates a database, empty or copied from `template`, which must have no connections. */
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

/** Returns the connection settings for another database of the server. */
export function inDatabase(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database };
  // The URL class cannot parse a socket URL, which has no host.
  return { ...server, connectionString: server.connectionString.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`) };
}

/** Runs work on a new connection and closes it. */
export async function onServer<Result>(server: pg.ClientConfig, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the number of tables: none in a database to which no migration was applied. */
export const countTables = (connection: pg.ClientConfig): Promise<number> =>
  onServer(connection, async (client) => {
    const { rowCount } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')");
    return rowCount ?? 0;
  });

/** Returns a URL that the URL class can parse: adds a host to a socket URL. */
export const urlOf = ({ connectionString = '' }: pg.ClientConfig) =>
  connectionString.replace(/^(postgres\w*:\/\/[^@/]*@)\//, '$1localhost/');
