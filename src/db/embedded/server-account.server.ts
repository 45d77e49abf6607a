import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * The account that PostgreSQL runs as. PostgreSQL refuses to run as root, so root starts it with a
 * private uid. The uid `nobody` would let other daemons read the data.
 */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

export const PRIVATE_UID = 54_329;

/** The uid of `nobody`. initdb looks up the name of its uid, and every system has this name. */
const NOBODY_UID = 65_534;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns the account of this process. */
export function ownAccount(): ServerAccount {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
}

/**
 * Returns the options of a child process that runs as `account`. Only root can set them; otherwise
 * the child inherits the uid of this process.
 */
export function spawnAs(account: ServerAccount): { uid?: number; gid?: number } {
  return isRoot() ? { uid: account.uid, gid: account.gid } : {};
}

/**
 * Returns the account that runs initdb: `nobody` if this process is root, else the server's
 * account.
 */
export function initdbAccount(account: ServerAccount): ServerAccount {
  return isRoot() ? { uid: NOBODY_UID, gid: account.gid } : account;
}

/** Keeps PGDATA, PGOPTIONS, LANG and other variables of the caller away from the server. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a command as that account, in `/`, which every account can enter. Ends the command and
 * rejects after 60 s or if `stopping` is aborted.
 */
export async function runAs(
  account: ServerAccount,
  command: string,
  args: readonly string[],
  stopping?: AbortSignal,
): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)(command, args, {
    ...spawnAs(account),
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    timeout: 60_000,
    signal: stopping,
  });
}

/** Returns true if the account can change into the folder. */
export async function canEnter(account: ServerAccount, folder: string): Promise<boolean> {
  return await runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder]).then(
    () => true,
    () => false,
  );
}
