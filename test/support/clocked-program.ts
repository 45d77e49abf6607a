/** A process's entry: the built program as main.ts starts it, but with the clock that CLOCK_FILE names. Started by program-process.ts. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as main from '../../src/main.ts';
import { readFileClock } from './fake-clock.ts';

const { startProgram, parseSettings, build } = (await import(pathToFileURL(path.resolve('build/server/index.js')).href)) as typeof main;
const settings = parseSettings(process.env);
const { url } = await startProgram({
  settings,
  database: { connectionString: settings.databaseUrl ?? '' },
  secret: settings.secret ?? '',
  build,
  clientDir: 'build/client',
  clock: readFileClock(process.env.CLOCK_FILE ?? ''),
});
console.log(`The clocked program is ready: ${url}`);
