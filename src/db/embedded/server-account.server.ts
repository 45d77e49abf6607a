import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Who PostgreSQL runs as. It refuses to run as root, so root lends it a uid of its own: one without a
 * name, because `nobody` is shared with other daemons, which could then read the data.
 */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

export const privateUid = 54_329;

/** initdb alone looks its user up by name; `nobody` is the one unprivileged name every system has. */
const namedUid = 65_534;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function ownAccount(): ServerAccount {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
}

/** Only root may hand a uid to a child; for anybody else the child simply inherits. */
export function spawnAs(account: ServerAccount): { uid?: number; gid?: number } {
  return isRoot() ? { uid: account.uid, gid: account.gid } : {};
}

export function initdbAccount(account: ServerAccount): ServerAccount {
  return isRoot() ? { uid: namedUid, gid: account.gid } : account;
}

/** PGDATA, PGOPTIONS, LANG … of whoever starts the program must not reach the server. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a short command to its end as that account, from `/`, which every account may enter. */
export async function runAs(account: ServerAccount, command: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)(command, args, {
    ...spawnAs(account),
    cwd: '/',
    env: serverEnvironment,
    timeout: 60_000,
  });
}

export async function canEnter(account: ServerAccount, folder: string): Promise<boolean> {
  return await runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder]).then(
    () => true,
    () => false,
  );
}
