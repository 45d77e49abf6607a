/**
 * Entry of a process: starts the built program like main.ts, with the clock in CLOCK_FILE. See
 * program-process.ts.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as main from '../../src/main.ts';
import { readFileClock } from './fake-clock.ts';

const { startProgram, parseSettings, build } = (await import(pathToFileURL(path.resolve('build/server/index.js')).href)) as typeof main;
const settings = parseSettings(process.env);
const { url } = await startProgram({
  settings,
  database: settings.database ?? {},
  secret: settings.secret ?? '',
  build,
  clientDir: 'build/client',
  consoleDir: 'build/console',
  clock: readFileClock(process.env.CLOCK_FILE ?? ''),
});
console.log(`The clocked program is ready: ${url}`);
