/** The programs of Debian's packages that a rehearsal needs. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const POSTGRES_FOLDER = '/usr/lib/postgresql';
const OLDEST_POSTGRES = 15;
/** Debian puts it into the path of root only. */
const SYSTEM_FOLDER = '/usr/sbin';

/** A package is missing. The message is one line. */
export class MissingPackage extends Error {}

export interface Packages {
  /** The folder of PostgreSQL's programs. */
  postgres: string;
  nginx: string;
  pgbouncer: string;
  /** PgBouncer in transaction mode needs prepared statements, which came with 1.21. */
  poolMode: 'session' | 'transaction';
  /** The versions in one line. */
  versions: string;
}

/** Throws `MissingPackage` with the name of the package to install. */
export function findPackages(): Packages {
  const installed = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER).map(Number) : [];
  const postgres = Math.max(...installed.filter((version) => existsSync(path.join(POSTGRES_FOLDER, String(version), 'bin/postgres'))), 0);
  const nginx = findProgram('nginx');
  const pgbouncer = findProgram('pgbouncer');
  const openssl = findProgram('openssl');
  const missing = [postgres < OLDEST_POSTGRES && 'postgresql', !nginx && 'nginx', !pgbouncer && 'pgbouncer', !openssl && 'openssl'].filter(
    Boolean,
  );
  if (missing.length > 0 || !nginx || !pgbouncer)
    throw new MissingPackage(`npm run cluster needs more packages: apt-get install ${missing.join(' ')}`);
  const [, version = '0.0'] = /(\d+\.\d+)/.exec(execFileSync(pgbouncer, ['--version'], { encoding: 'utf8' })) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const poolMode = major > 1 || minor >= 21 ? 'transaction' : 'session';
  return {
    postgres: path.join(POSTGRES_FOLDER, String(postgres), 'bin'),
    nginx,
    pgbouncer,
    poolMode,
    versions: `PostgreSQL ${postgres} with a synchronous replica, PgBouncer ${version} in ${poolMode} mode, nginx with deploy/nginx/nginx.conf`,
  };
}

const findProgram = (name: string): string | undefined =>
  [...(process.env.PATH ?? '').split(':'), SYSTEM_FOLDER].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
