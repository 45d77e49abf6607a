// `npm run test:firebase`: tests phone sign-in with the Auth emulator of Firebase. Installs the
// emulator on first use. It is larger than all other packages together, so `npm test` uses a
// stand-in instead.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWithError, npm, run } from '../run.mjs';

const folder = import.meta.dirname;
const program = join(folder, 'node_modules/firebase-tools/lib/bin/firebase.js');

if (!existsSync(program)) {
  console.log('Installing the Firebase tools …');
  const code = await npm(['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) exitWithError(`Installing failed: npm ci exited with ${code}. See its output above.`);
}

/** Returns a free port. Another process may take it before its use. */
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
const temporaryFolder = mkdtempSync(join(tmpdir(), 'firebase-emulator-'));
const config = join(temporaryFolder, 'firebase.json');
const emulators = { auth: { host, port: auth }, hub: { host, port: hub }, logging: { host, port: logging }, ui: { enabled: false } };
writeFileSync(config, JSON.stringify({ emulators }));

// Firebase treats project ids with the prefix demo- as local. The emulator sets
// FIREBASE_AUTH_EMULATOR_HOST.
const tests = `"${process.execPath}" node_modules/vitest/vitest.mjs run --config test/firebase/vitest.config.ts`;
const args = ['emulators:exec', '--only', 'auth', '--project', 'demo-dhulai', '--config', config, tests];
const code = await run(process.execPath, [program, ...args]);
rmSync(temporaryFolder, { recursive: true, force: true });
process.exit(code);
