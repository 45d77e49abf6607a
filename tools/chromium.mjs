import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fullBrowsers, headlessShell } from './chromium-path.mjs';
import { exitWithError, root, run } from './run.mjs';

/**
 * Returns the path of a working Chromium. Installs one if necessary; exits with 1 if that fails.
 */
export async function chromium(node) {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) return canRun(configured) ? configured : exitWithError(`CHROMIUM_PATH=${configured} is not a working Chromium.`);
  const found = findChromium(node);
  if (found) {
    if (found === '/usr/bin/chromium') console.log(`The browser tests run faster with the headless shell: ${installCommand}`);
    return found;
  }
  for (const { applies, command } of installers) {
    if (!applies()) continue;
    console.log(`Chromium not found. Installing it: ${command}`);
    await run('/bin/sh', ['-c', command], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
    const installed = findChromium(node);
    if (installed) return installed;
  }
  return exitWithError(`The browser tests need Chromium. Install it (${installCommand}) or set CHROMIUM_PATH, then run npm test again.`);
}

const isRoot = process.getuid?.() === 0;
const hasApt = existsSync('/usr/bin/apt-get');

const installers = [
  { applies: () => isRoot && hasApt, command: 'apt-get update && apt-get install -y chromium-headless-shell' },
  // Not every distribution has a package of the headless shell.
  { applies: () => isRoot && hasApt, command: 'apt-get install -y chromium' },
  {
    applies: () => isRoot && hasApt,
    command: 'node_modules/.bin/playwright install --with-deps chromium',
  },
  { applies: () => true, command: 'node_modules/.bin/playwright install chromium' },
];

const installCommand = hasApt ? `${isRoot ? '' : 'sudo '}apt-get install -y chromium-headless-shell` : 'npx playwright install chromium';

function findChromium(node) {
  return [headlessShell, ...fullBrowsers, playwrightChromium(node)].find(canRun);
}

/** Runs the file: on Ubuntu it may only ask for a snap, and a download may lack libraries. */
function canRun(path) {
  if (!path || !existsSync(path)) return false;
  return spawnSync(path, ['--version'], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

function playwrightChromium(node) {
  const script = 'import { chromium } from "@playwright/test"; process.stdout.write(chromium.executablePath());';
  return spawnSync(node, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).stdout;
}
