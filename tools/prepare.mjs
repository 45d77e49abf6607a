import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { giveUp, npm, root } from './run.mjs';

/** Installs the packages unless exactly these are installed. */
export async function install() {
  const stamp = join(root, 'node_modules/.installed');
  const wanted = fingerprint(['package-lock.json'], `${process.platform}-${process.arch}`);
  if (read(stamp) === wanted) return;
  console.log('Installing packages (needed once) …');
  // NODE_ENV=production or a user's npm settings must not leave out what building and the database need.
  const code = await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) giveUp(`Installing failed: npm ci ended with ${code}. Its own words stand above.`);
  write(stamp, wanted);
}

/** Builds unless the build was made from exactly these sources. */
export async function build() {
  const stamp = join(root, 'build/.built');
  const wanted = fingerprint(buildInputs());
  if (read(stamp) === wanted) return;
  console.log('Building …');
  rmSync(stamp, { force: true });
  const code = await npm(['run', 'build']);
  if (code !== 0) giveUp(`Building failed: npm run build ended with ${code}. Its own words stand above.`);
  write(stamp, wanted);
}

/** The Node that the packages bring along on Linux, else the running one if it is new enough. */
export function pinnedNode() {
  const brought = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(brought)) return brought;
  const wanted = Number.parseInt(read(join(root, '.nvmrc')) ?? '', 10);
  if (Number.parseInt(process.versions.node, 10) >= wanted) return process.execPath;
  return giveUp(`Node ${wanted} or newer is needed, and this is ${process.version}. Install it (nvm install), then try again.`);
}

/** What a build is made from, in the order the file system gives, which stays. Tests are left out: changing one need not cost a build. */
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
