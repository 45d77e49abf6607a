/** From the environment to a running program, and its one way to stop. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import type pg from 'pg';
import { startEmbeddedPostgres, StartRefused } from './db/embedded.server.ts';
import { DatabaseRefused, ForeignDatabase } from './db/migrate.server.ts';
import { buildProgram, startProgram } from './program.server.ts';
import { parseSettings, WrongSettings, type Settings } from './settings.server.ts';
import { welcome } from './server/demo/welcome.server.ts';

interface Base {
  settings: Settings;
  database: pg.ClientConfig;
  secret: string;
  stopDatabase(): Promise<void>;
}

export async function start(build: ServerBuild) {
  // What runs already, newest first: a signal during the start, or a start that fails, must leave nothing behind.
  const running: (() => Promise<void>)[] = [];
  const starting = startEverything(build, running);
  const stopAll = async () => {
    await starting.catch(() => {});
    for (const stop of running) await stop();
  };
  stopOnSignals(stopAll);
  try {
    await starting;
  } catch (error) {
    await stopAll();
    console.error(reasonOf(error));
    process.exit(1);
  }
}

async function startEverything(build: ServerBuild, running: (() => Promise<void>)[]) {
  const base = await openBase();
  running.unshift(() => base.stopDatabase());
  const program = await startProgram({ ...base, build, clientDir: 'build/client', samples: base.settings.mode === 'demo' });
  running.unshift(() => program.stop());
  console.log(welcome(program.url, base.settings, program.site.brand));
}

/** What the operator can put right is one line; everything else is a fault of ours and keeps its stack. */
function reasonOf(error: unknown): unknown {
  if ([WrongSettings, StartRefused, DatabaseRefused, ForeignDatabase].some((kind) => error instanceof kind))
    return (error as Error).message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is taken by another program. Stop it, or set PORT to another.` : error;
}

export type DevProgram = () => Promise<FastifyInstance>;

/** For `npm run dev`: the program without a listener. The database outlives reloads of the server's code. */
export const devProgramOf =
  (build: ServerBuild): DevProgram =>
  async () => {
    const memory = globalThis as { developmentBase?: Promise<Base> };
    memory.developmentBase ??= openBase();
    const base = await memory.developmentBase;
    stopOnSignals(base.stopDatabase);
    const { app, startWork, loadSamples } = await buildProgram({ ...base, build, mode: 'development' });
    if (base.settings.mode === 'demo') await loadSamples();
    startWork();
    return app;
  };

async function openBase(): Promise<Base> {
  const settings = parseSettings(process.env);
  if (settings.databaseUrl) {
    const secret = settings.secret ?? (await keptSecret(settings.dataDir ?? '.data'));
    return { settings, database: { connectionString: settings.databaseUrl }, secret, stopDatabase: async () => {} };
  }
  const server = await startEmbeddedPostgres({ dataDir: settings.dataDir, cloneDir: process.cwd(), log: (line) => console.log(line) });
  const secret = settings.secret ?? (await keptSecret(server.dataDir));
  return { settings, database: { connectionString: server.connectionString }, secret, stopDatabase: () => server.stop() };
}

/**
 * A demonstration makes its own secret once and keeps it in its data folder, for all its processes. Put in place in one step: of many that start at once
 * one makes it, and nobody reads half of it.
 */
export async function keptSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret');
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(unfinished);
  return readFile(file, 'utf8');
}

/** Outlives reloads of this module in development: the process has one set of listeners, and they stop what runs now. */
const memory = globalThis as { stopNow?: () => Promise<void>; stopping?: Promise<void> | undefined };

/** Ctrl-C under npm sends two signals: the second must not cut the first one's work short. A closed terminal sends SIGHUP. */
function stopOnSignals(stop: () => Promise<void>) {
  const isInstalled = memory.stopNow !== undefined;
  memory.stopNow = stop;
  if (isInstalled) return;
  const once = () => {
    memory.stopping ??= memory.stopNow?.().then(
      // Whoever asked for the stop may have said that it is a failure.
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const sign of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.on(sign, once);
}
