import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitWithError, npm, root } from './run.mjs';

/**
 * Runs `npm ci` unless the packages of this package-lock.json are installed. Exits with 1 on
 * failure.
 */
export async function install() {
  const stamp = join(root, 'node_modules/.installed');
  const wanted = fingerprint(['package-lock.json'], `${process.platform}-${process.arch}`);
  if (read(stamp) === wanted) return;
  if (!isInstalled()) {
    console.log('Installing packages …');
    // Overrides NODE_ENV=production and user settings: the build and the database need these
    // packages.
    const code = await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) exitWithError(`Installing failed: npm ci exited with ${code}. See its output above.`);
  }
  write(stamp, wanted);
}

/**
 * Returns whether `npm ci` was run by hand and has installed every package of package-lock.json,
 * and no other version. npm writes the list of what is installed last, into node_modules.
 */
function isInstalled() {
  const wanted = lockedPackages('package-lock.json');
  const installed = lockedPackages('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  const isWanted = ([path, { version, integrity }]) => wanted[path]?.version === version && wanted[path]?.integrity === integrity;
  const isPresent = ([path, entry]) =>
    path === '' || !isNeeded(entry) || (path in installed && existsSync(join(root, path, 'package.json')));
  return Object.entries(installed).every(isWanted) && Object.entries(wanted).every(isPresent);
}

/**
 * Optional packages are needed if they name this platform, like the database and Node. The others
 * belong to other platforms.
 */
function isNeeded({ optional, os, cpu, libc }) {
  const names = (platforms, own) => [platforms].flat().includes(own);
  return !optional || (!libc && names(os, process.platform) && names(cpu, process.arch));
}

function lockedPackages(path) {
  try {
    return JSON.parse(read(join(root, path)) ?? '{}').packages;
  } catch {
    // A file that npm has not finished.
    return undefined;
  }
}

const builtStamp = join(root, 'build/.built');
/**
 * The sources when the build began: they may change while it runs. Outside of `build`, which
 * React Router empties.
 */
const beginStamp = join(root, 'node_modules/.building');

/**
 * Builds unless the sources are unchanged since the last build. Prints the output of a build only
 * if it fails: hundreds of lines would bury the address of the program. Exits with 1 on failure.
 */
export async function build() {
  if (read(builtStamp) === fingerprint(buildInputs())) return;
  console.log('Building …');
  const output = [];
  const code = await npm(['run', 'build'], { onOutput: (chunk) => output.push(chunk) });
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  exitWithError(`Building failed: npm run build exited with ${code}. See its output above.`);
}

/** `npm run build` calls it before it builds. */
export function beginBuild() {
  rmSync(builtStamp, { force: true });
  write(beginStamp, fingerprint(buildInputs()));
}

/** `npm run build` calls it after it has built. */
export function endBuild() {
  write(builtStamp, read(beginStamp) ?? '');
  rmSync(beginStamp, { force: true });
}

/**
 * Returns the path of the Node from the packages (Linux), otherwise of the running Node. Exits with
 * 1 if that is too old.
 */
export function pinnedNode() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(packaged)) return packaged;
  const wanted = Number.parseInt(read(join(root, '.nvmrc')) ?? '', 10);
  if (Number.parseInt(process.versions.node, 10) >= wanted) return process.execPath;
  return exitWithError(`Node ${wanted} or newer is required, and this is ${process.version}. Install it (nvm install), then try again.`);
}

/**
 * The inputs of a build, in the order of the file system. Without tests, so that a changed test
 * needs no build.
 */
function buildInputs() {
  const configuration = readdirSync(root).filter((name) => /^(package(-lock)?|tsconfig)\.json$|\.config\.\w+$/.test(name));
  const sources = ['src', 'public', 'tools'].flatMap(filesBelow).filter((path) => !/\.test\.\w+$/.test(path));
  return [...configuration, ...sources];
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function fingerprint(paths, ...extra) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.update(extra.join()).digest('hex');
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
