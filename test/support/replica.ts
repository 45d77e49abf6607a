/** A PostgreSQL and a streaming replica of it, made from the embedded PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/db/embedded.server.ts';
import { temporaryRoot } from './temporary-root.ts';

interface ReplicatedPostgres {
  readonly primary: EmbeddedPostgres;
  readonly replica: EmbeddedPostgres;
  stop(): Promise<void>;
}

const newFolder = () => mkdtempSync(path.join(temporaryRoot, 'dhulai-replica-'));

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const [primaryFolder, replicaFolder] = [newFolder(), newFolder()];
  const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, cloneDir: process.cwd(), log: () => {} });
  // The replica is a copy of a stopped primary: the package has no pg_basebackup.
  await (await start(primaryFolder)).stop();
  execFileSync('cp', ['-a', path.join(primaryFolder, 'postgres'), replicaFolder]);
  const cluster = path.join(replicaFolder, 'postgres');
  const primary = await start(primaryFolder);
  const { username, searchParams } = new URL(primary.connectionString.replace('@/', '@localhost/'));
  const conninfo = `host=${searchParams.get('host')} port=${searchParams.get('port')} user=${username}`;
  appendFileSync(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\nhot_standby_feedback = on\n`);
  const standby = path.join(cluster, 'standby.signal');
  writeFileSync(standby, '');
  const { uid, gid } = statSync(cluster);
  chownSync(standby, uid, gid);
  const replica = await start(replicaFolder);
  return {
    primary,
    replica,
    stop: async () => {
      await Promise.all([replica.stop(), primary.stop()]);
      for (const folder of [primaryFolder, replicaFolder]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
