/** The program's entry. `npm start` ends here; tests import startProgram from the built file and hand in a clock and a database of their own. */
import type { ServerBuild } from 'react-router';
import * as built from 'virtual:react-router/server-build';
import { devProgramOf, start } from './start.server.ts';

/** Its own types leave `undefined` open where ServerBuild does not. */
export const build = built as ServerBuild;
export { startProgram } from './program.server.ts';
export { parseSettings } from './settings.server.ts';
export const devProgram = devProgramOf(build);

if (import.meta.main) await start(build);
