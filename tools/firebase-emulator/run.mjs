// `npm run test:firebase`: phone sign-in against Firebase's own Auth emulator, started and stopped here. Installs it when first needed: it is larger than
// everything else together, so `npm test` does without it and holds the same calls against a stand-in.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveUp, npm, run } from '../run.mjs';

const folder = import.meta.dirname;
const program = join(folder, 'node_modules/firebase-tools/lib/bin/firebase.js');

if (!existsSync(program)) {
  console.log("Installing Firebase's tools (needed once) …");
  const code = await npm(['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) giveUp(`Installing failed: npm ci ended with ${code}. Its own words stand above.`);
}

/** A port that was free a moment ago. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
  });

const host = '127.0.0.1';
const [auth, hub, logging] = await Promise.all([freePort(), freePort(), freePort()]);
const own = mkdtempSync(join(tmpdir(), 'firebase-emulator-'));
const config = join(own, 'firebase.json');
const emulators = { auth: { host, port: auth }, hub: { host, port: hub }, logging: { host, port: logging }, ui: { enabled: false } };
writeFileSync(config, JSON.stringify({ emulators }));

// A project id that starts with demo- never touches a real project. The emulator hands its address down as FIREBASE_AUTH_EMULATOR_HOST.
const tests = `"${process.execPath}" node_modules/vitest/vitest.mjs run --config test/firebase/vitest.config.ts`;
const args = ['emulators:exec', '--only', 'auth', '--project', 'demo-dhulai', '--config', config, tests];
const code = await run(process.execPath, [program, ...args]);
rmSync(own, { recursive: true, force: true });
process.exit(code);
