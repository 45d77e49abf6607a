import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { giveUp, root, run } from './run.mjs';

/** The path of a Chromium that runs. Installs one if there is none; ends the process if none can be had. */
export async function chromium(node) {
  const given = process.env.CHROMIUM_PATH;
  if (given) return works(given) ? given : giveUp(`CHROMIUM_PATH=${given} is not a Chromium that runs.`);
  const found = firstThatWorks(node);
  if (found) return found;
  for (const { applies, command } of waysToInstall) {
    if (!applies()) continue;
    console.log(`No Chromium found; installing one: ${command}`);
    await run('/bin/sh', ['-c', command], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
    const installed = firstThatWorks(node);
    if (installed) return installed;
  }
  return giveUp(`No Chromium for the browser tests. Install one (${advice}) or set CHROMIUM_PATH, then run npm test again.`);
}

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const isRoot = process.getuid?.() === 0;
const hasApt = existsSync('/usr/bin/apt-get');

const waysToInstall = [
  { applies: () => isRoot && hasApt, command: 'apt-get update && apt-get install -y chromium' },
  {
    applies: () => isRoot && hasApt,
    command: 'node_modules/.bin/playwright install --with-deps chromium',
  },
  { applies: () => true, command: 'node_modules/.bin/playwright install chromium' },
];

const advice = hasApt ? `${isRoot ? '' : 'sudo '}apt-get install -y chromium` : 'npx playwright install chromium';

function firstThatWorks(node) {
  return [...usualPlaces, playwrightsOwn(node)].find(works);
}

/** Ubuntu's /usr/bin/chromium-browser may only ask for a snap, and a bare download may lack libraries: so try it. */
function works(path) {
  if (!path || !existsSync(path)) return false;
  return spawnSync(path, ['--version'], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

function playwrightsOwn(node) {
  const script = 'import { chromium } from "@playwright/test"; process.stdout.write(chromium.executablePath());';
  return spawnSync(node, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).stdout;
}
