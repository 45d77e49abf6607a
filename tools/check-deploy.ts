/**
 * `npm run check-deploy`: checks the files of deploy/ with the tools that read them. A tool that is
 * missing is named, and is a failure with `--strict`. With `--image` it also runs the Dockerfile,
 * which takes some minutes. Packages from npm are installed into a temporary folder, because
 * nothing else needs them.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { checkDashboard } from './check-dashboard.ts';
import { checkImage } from './check-image.ts';
import { checkIngress, checkProxy } from './check-proxy.ts';
import { writeNginxConfiguration } from './nginx-configuration.ts';

const run = promisify(execFile);
const DEPLOY = path.resolve(import.meta.dirname, '../deploy');
const PACKAGES = ['@grafana/schema@13.2.3', 'dockerfile-utils@0.16.3', 'kubernetes-models@5.1.0', 'yaml@2.8.1'];

/** The program that a check needs is not installed. */
class MissingTool extends Error {}

const folder = await mkdtemp(path.join(tmpdir(), 'dhulai-deploy-'));
const text = (file: string) => readFile(path.join(DEPLOY, file), 'utf8');

/** Runs a tool. Throws with its output if it fails. */
async function tool(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  // The search path of an ordinary user lacks the folder of nginx.
  const searchPath = `${process.env.PATH}:/usr/sbin`;
  return run(command, args, { env: { ...process.env, PATH: searchPath, ...env } }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: NodeJS.ErrnoException & { stdout?: string; stderr?: string }) => {
      if (error.code === 'ENOENT') throw new MissingTool(`${command} is not installed`);
      throw new Error(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message);
    },
  );
}

const writeNginx = async (replaced: Readonly<Record<string, string>>) => (await writeNginxConfiguration(folder, replaced, tool)).file;

async function checkNginx() {
  // The names of the processes are known only inside the network of the containers.
  const processes = Object.fromEntries([1, 2, 3].map((number) => [`server site${number}:3000`, `server 127.0.0.1:300${number}`]));
  await tool('nginx', ['-t', '-q', '-c', await writeNginx(processes)]);
  await checkProxy(writeNginx);
}

async function writeIngress(configuration: string): Promise<string> {
  const file = path.join(folder, 'ingress.conf');
  await writeFile(file, `pid ${folder}/ingress.pid;\n${configuration}`);
  return file;
}

/** Needs root, because nft asks the kernel. */
const checkConnections = () => tool('nft', ['--check', '--file', path.join(DEPLOY, 'nginx/connections.nft')]).then(() => undefined);

async function checkSystemd() {
  const units = path.join(folder, 'systemd');
  await mkdir(units);
  for (const name of await readdir(path.join(DEPLOY, 'systemd'))) {
    const unit = (await text(`systemd/${name}`))
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/opt/dhulai', path.dirname(DEPLOY));
    await writeFile(path.join(units, name.replace('@.', '@3001.')), unit);
  }
  const files = (await readdir(units)).map((name) => path.join(units, name));
  const output = await tool('systemd-analyze', ['verify', '--man=no', ...files]);
  // It exits with 0 for a directive that it does not know.
  const faults = output.split('\n').filter((line) => line.includes(units));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const checkCompose = async () => {
  const copy = path.join(folder, 'compose.yaml');
  const example = path.join(folder, 'settings.env');
  await writeFile(example, await text('settings.env.example'));
  await writeFile(copy, (await text('compose.yaml')).replaceAll('/etc/dhulai/settings.env', example).replaceAll('./nginx', DEPLOY));
  const args = ['--file', copy, 'config', '--quiet'];
  await tool('docker', ['compose', ...args], { POSTGRES_PASSWORD: 'x' }).catch(async () =>
    tool('docker-compose', args, { POSTGRES_PASSWORD: 'x' }),
  );
};

/** Installs the packages once. Returns `require` of that folder. */
let packages: Promise<NodeJS.Require> | undefined;
const installed = () =>
  (packages ??= (async () => {
    await writeFile(path.join(folder, 'package.json'), '{}');
    await tool('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES]).catch(
      (error: unknown) => {
        throw new MissingTool(`the packages cannot be installed: ${(error as Error).message.split('\n')[0]}`);
      },
    );
    return createRequire(path.join(folder, 'package.json'));
  })());

interface Diagnostic {
  message: string;
  range: { start: { line: number } };
}

async function checkDockerfile() {
  const { validate } = (await installed())('dockerfile-utils') as { validate(content: string): Diagnostic[] };
  const faults = validate(await text('Dockerfile'));
  if (faults.length > 0) throw new Error(faults.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`).join('\n'));
}

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  data?: Readonly<Record<string, string>>;
}

async function checkKubernetes() {
  const require = await installed();
  const { parseAllDocuments } = require('yaml') as {
    parseAllDocuments(content: string, options: object): { errors: Error[]; toJS(): KubernetesObject }[];
  };
  for (const name of await readdir(path.join(DEPLOY, 'kubernetes'))) {
    for (const document of parseAllDocuments(await text(`kubernetes/${name}`), { merge: true })) {
      for (const error of document.errors) throw error;
      const object = document.toJS();
      const file = path.join(folder, 'node_modules/kubernetes-models', object.apiVersion, 'index.js');
      const models = (await import(pathToFileURL(file).href)) as Record<string, new (data: object) => { validate(): void }>;
      const Model = models[object.kind];
      if (!Model) throw new Error(`${name}: there is no ${object.kind} in ${object.apiVersion}`);
      try {
        new Model(object).validate();
      } catch (error) {
        throw new Error(`${name}: ${object.kind}: ${(error as Error).message}`, { cause: error });
      }
      if (object.data?.['http-snippet']) await checkIngress(object.data, writeIngress);
    }
  }
}

const checkAlerts = () => tool('promtool', ['check', 'rules', path.join(DEPLOY, 'prometheus/alerts.yaml')]).then(() => undefined);

async function checkGrafana() {
  await installed();
  await checkDashboard(await text('grafana/dashboard.json'), folder, tool);
}

async function runDockerfile() {
  if (process.getuid?.() !== 0) throw new MissingTool('only root can change the root folder of a process');
  return checkImage(folder);
}

/** They may return what they measured. */
const CHECKS: Record<string, () => Promise<string | void>> = {
  'nginx/nginx.conf': checkNginx,
  'nginx/connections.nft': checkConnections,
  'systemd/*': checkSystemd,
  'compose.yaml': checkCompose,
  Dockerfile: checkDockerfile,
  'kubernetes/*': checkKubernetes,
  'prometheus/alerts.yaml': checkAlerts,
  'grafana/dashboard.json': checkGrafana,
  ...(process.argv.includes('--image') && { 'the image of Dockerfile': runDockerfile }),
};

const isStrict = process.argv.includes('--strict');
const unchecked: string[] = [];
try {
  for (const [file, check] of Object.entries(CHECKS)) {
    const result = await check().catch((error: Error) => error);
    const isMissing = result instanceof MissingTool;
    const isProblem = result instanceof Error;
    if (isMissing) unchecked.push(file);
    if (isProblem && (!isMissing || isStrict)) process.exitCode = 1;
    const measured = result ? `ok, ${String(result)}` : 'ok';
    console.log(`${file}: ${isProblem ? `${isMissing ? 'not checked: ' : ''}${result.message}` : measured}`);
  }
  if (unchecked.length > 0) console.log(`Not checked, because a tool is missing: ${unchecked.join(', ')}. --strict makes that a failure.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
