/**
 * The process: environment, embedded database, signals. `npm start` runs this file; tests import
 * `startProgram` from the built file and pass another clock and database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { ServerBuild } from 'react-router';
import * as serverBuild from 'virtual:react-router/server-build';
import { composeProgram, type ComposeOptions } from './compose.server.ts';
import { listIncompleteSetup } from './compose/incomplete-setup.server.ts';
import { WrongClock } from './db/clock-check.server.ts';
import { startEmbeddedPostgres, StartupError } from './db/embedded.server.ts';
import type { DatabaseConfig } from './db/hosts.server.ts';
import { IncompatibleDatabase } from './db/migrate.server.ts';
import { explainDatabaseError, UnusableDatabase } from './db/unusable-database.server.ts';
import { runProcessParts } from './lib/process-lifetime.server.ts';
import { storedSecret } from './security/stored-secret.server.ts';
import { loadSamples, SAMPLE_CUSTOMER, SAMPLE_STAFF } from './server/demo/demo.server.ts';
import { parseSettings, InvalidSettings, type Settings } from './settings.server.ts';

export { parseSettings } from './settings.server.ts';

/**
 * The virtual module's type allows `undefined` in optional properties, which
 * `exactOptionalPropertyTypes` rejects.
 */
export const build = serverBuild as ServerBuild;

/**
 * The time that open requests have to finish when the program stops. Container runtimes wait ten
 * seconds before they kill a process.
 */
const OPEN_REQUESTS_MS = 8000;

interface StartOptions extends ComposeOptions {
  /** Creates the demonstration's customer if it does not exist. */
  samples?: boolean;
}

/**
 * Composes the program, starts its jobs and listens. `url` is the address it listens on. Throws the
 * errors of `composeProgram`, and the error of the server if it cannot listen.
 */
export async function startProgram(options: StartOptions) {
  const { settings } = options;
  const program = await composeProgram(options);
  const listen = async () => {
    // Before the first request, so that no visitor sees a demonstration without its customer.
    const hasSamples = options.samples === true && (await loadSamples({ db: program.database.db, clock: program.clock }));
    return { hasSamples, url: await program.app.listen({ port: settings.port, host: settings.host }) };
  };
  const { hasSamples, url } = await listen().catch(async (error: unknown) => {
    await program.app.close();
    throw error;
  });
  program.startJobs();
  const stop = async () => {
    // A load balancer sees the failing readiness probe and stops sending requests while they are
    // still served.
    program.announceStop();
    await sleep(settings.drainSeconds * 1000);
    const closeConnections = setTimeout(() => program.app.server.closeAllConnections(), OPEN_REQUESTS_MS);
    await program.app.close().finally(() => clearTimeout(closeConnections));
  };
  return { ...program, hasSamples, url: url.replace('0.0.0.0', 'localhost'), stop };
}

interface Environment {
  settings: Settings;
  database: DatabaseConfig;
  directDatabase?: DatabaseConfig | undefined;
  secret: string;
  dataDir: string;
  stopDatabase(): Promise<void>;
}

/**
 * Reads the settings and starts the embedded database if they name no other. Creates the secret of
 * the data folder if the settings have none. Throws `InvalidSettings` or `StartupError`.
 */
async function openEnvironment(stopping?: AbortSignal): Promise<Environment> {
  const settings = parseSettings(process.env);
  const { database, directDatabase } = settings;
  if (database) {
    const dataDir = settings.dataDir ?? '.data';
    const secret = settings.secret ?? (await storedSecret(dataDir));
    return { settings, database, directDatabase, secret, dataDir, stopDatabase: async () => {} };
  }
  const log = (line: string) => console.log(line);
  const server = await startEmbeddedPostgres({ dataDir: settings.dataDir, cloneDir: process.cwd(), log, stopping });
  const secret = settings.secret ?? (await storedSecret(server.dataDir));
  const { connectionString, dataDir } = server;
  return { settings, database: { connectionString }, secret, dataDir, stopDatabase: () => server.stop() };
}

/**
 * Starts the program and stops it on a signal. Prints the error and exits with code 1 if the start
 * fails.
 */
async function runProcess() {
  const { ready, stopping, stop } = runProcessParts(startAll);
  stopOnSignals(stop);
  try {
    await ready;
  } catch (error) {
    // The listener of the signal ends the process.
    if (stopping.aborted) return;
    process.exitCode = 1;
    console.error(startupMessage(error));
    await stop().catch((stopError: unknown) => console.error(stopError));
    process.exit();
  }
}

/**
 * The log on standard output. Without a reader, holds up to 8 MiB of lines in memory and drops
 * further ones.
 */
const openLog = () => pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: 8 * 1024 * 1024 });

/** The time to write the last lines of the log. */
const LOG_TIMEOUT_MS = 1000;

/**
 * Resolves to false if the lines are not written in time, for example because nothing reads them.
 */
const writeLog = (log: ReturnType<typeof openLog>): Promise<boolean> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), LOG_TIMEOUT_MS);
    log.flush(() => resolve(true));
  });

/**
 * Starts the database and the program. Passes the function that stops each part to `onStop` as
 * soon as the part runs. Throws if `stopping` is aborted.
 */
async function startAll(onStop: (stop: () => Promise<void>) => void, stopping: AbortSignal) {
  const log = openLog();
  // Stops last. `process.exit` waits for a write to a full pipe: a process whose log has no reader
  // is killed.
  onStop(async () => {
    if (!(await writeLog(log))) process.kill(process.pid, 'SIGKILL');
  });
  const { stopDatabase, ...environment } = await openEnvironment(stopping);
  onStop(stopDatabase);
  stopping.throwIfAborted();
  const { settings } = environment;
  const program = await startProgram({
    ...environment,
    build,
    stopping,
    logStart: (line) => console.log(line),
    logStream: log,
    clientDir: 'build/client',
    consoleDir: 'build/console',
    samples: settings.mode === 'demo',
  });
  onStop(program.stop);
  const incomplete =
    settings.mode === 'live' ? await listIncompleteSetup(program.database.db, program.storage, settings, program.clock.now()) : [];
  console.log(readyMessage({ ...program, incomplete }, settings));
}

/** Returns the text for the terminal once the program serves requests. */
function readyMessage(
  { url, site, hasSamples, incomplete }: Awaited<ReturnType<typeof startProgram>> & { incomplete: readonly string[] },
  settings: Settings,
): string {
  const lines = [`${site.brand.name} is ready: ${url}`];
  if (settings.sms.provider === 'outbox') lines.push(`Messages (codes) are shown at ${url}/outbox`);
  if (settings.mode === 'demo' && !hasSamples) lines.push('The database has customers of its own: no sample accounts were created.');
  if (hasSamples) {
    lines.push(`Sample customer: mobile ${SAMPLE_CUSTOMER.mobile}, password '${SAMPLE_CUSTOMER.password}'`);
    const staff = SAMPLE_STAFF.map(({ role, mobile }) => `${role} ${mobile}`).join(', ');
    lines.push(`Sample staff, at ${url}/staff with the same password: ${staff}`);
  }
  return [...lines, ...incomplete].join('\n');
}

/**
 * Returns one line for an error that the operator can correct. Returns any other error unchanged,
 * so that its stack is printed.
 */
function startupMessage(thrown: unknown): unknown {
  const error = explainDatabaseError(thrown);
  if ([InvalidSettings, StartupError, UnusableDatabase, IncompatibleDatabase, WrongClock].some((kind) => error instanceof kind))
    return (error as Error).message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is taken by another program. Stop it, or set PORT to another.` : error;
}

/**
 * Survives reloads of this module in development: the process keeps one database and one set of
 * signal listeners.
 */
const processState = globalThis as {
  developmentEnvironment?: Promise<Environment>;
  stopNow?: () => Promise<void>;
  stopping?: Promise<void> | undefined;
};

/**
 * Runs `stop` on the first signal and exits. A further call replaces `stop`. Under npm, Ctrl-C
 * sends two signals: the second must not interrupt the stop. A closed terminal sends SIGHUP.
 */
function stopOnSignals(stop: () => Promise<void>) {
  const isInstalled = processState.stopNow !== undefined;
  processState.stopNow = stop;
  if (isInstalled) return;
  const stopOnce = () => {
    processState.stopping ??= processState.stopNow?.().then(
      // The code that requested the stop may have set a failing exit code.
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.on(signal, stopOnce);
}

/**
 * Composes the program without a listener and starts its jobs, for `npm run dev` (tools/dev.ts).
 * All calls in one process share the environment, with the embedded database.
 */
export async function devProgram(): Promise<FastifyInstance> {
  processState.developmentEnvironment ??= openEnvironment();
  const { stopDatabase, ...environment } = await processState.developmentEnvironment;
  stopOnSignals(stopDatabase);
  const program = await composeProgram({ ...environment, build, mode: 'development', consoleDir: 'build/console' });
  if (environment.settings.mode === 'demo') await loadSamples({ db: program.database.db, clock: program.clock });
  program.startJobs();
  return program.app;
}

if (import.meta.main) await runProcess();
