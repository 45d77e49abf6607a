import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, installedBinaries } from './embedded/binaries.server.ts';
import { type DataFolder, openDataFolder } from './embedded/data-folder.server.ts';
import { join, leave, type Membership } from './embedded/membership.server.ts';
import { FolderTaken, StartRefused } from './embedded/start-refused.server.ts';

export { StartRefused };

export interface EmbeddedOptions {
  /** DATA_DIR as the operator gave it; without it the default place of this clone. */
  readonly dataDir?: string | undefined;
  /** The folder that holds package.json and node_modules. */
  readonly cloneDir: string;
  readonly log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Also in `<dataDir>/url`, for commands, further processes and psql. */
  readonly connectionString: string;
  readonly dataDir: string;
  /** True when the server was already running: left over by a killed program, or in use by a command. */
  readonly adopted: boolean;
  /** Stops the server, unless a command still uses it: then that command does. Two calls are one stop. */
  stop(): Promise<void>;
}

/** For the program: takes the folder for itself, and has the server back should it ever go away. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = await preparePlace(options);
  const first = await join(place.folder, place.binaries, 'program');
  let current = Promise.resolve(first);
  let stopping: Promise<void> | undefined;

  const watch = ({ session }: Membership): void => {
    void session.ended.then(() => {
      if (stopping !== undefined) return;
      options.log('PostgreSQL went away; starting it again.');
      current = rejoin(place, options.log, () => stopping !== undefined);
      void current.then(watch, giveUp);
    });
  };
  // Another program took the folder meanwhile. Going on beside it would break every promise of the lock.
  const giveUp = (error: Error): void => {
    if (stopping !== undefined) return;
    options.log(error.message);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  };
  const stop = async (): Promise<void> => {
    const member = await current.catch(() => undefined);
    if (member !== undefined) await leave(place.folder, member.session);
  };

  watch(first);
  return {
    connectionString: first.connectionString,
    dataDir: place.folder.path,
    adopted: first.adopted,
    stop: () => (stopping ??= stop()),
  };
}

/** For commands: joins the server that runs, or starts one and stops it afterwards. */
export async function withEmbeddedPostgres<Result>(
  options: EmbeddedOptions,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> {
  const { folder, binaries } = await preparePlace(options);
  const { session, connectionString } = await join(folder, binaries, 'command');
  let leaving: Promise<void> | undefined;
  const leaveOnce = (): Promise<void> => (leaving ??= leave(folder, session));
  const onSignal = (): void => void leaveOnce().finally(() => process.exit(exitCodeWhenInterrupted));
  for (const signal of endingSignals) process.on(signal, onSignal);
  try {
    return await work(connectionString);
  } finally {
    await leaveOnce();
    for (const signal of endingSignals) process.off(signal, onSignal);
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const exitCodeWhenInterrupted = 130;
const rejoinEveryMs = 1_000;

interface Place {
  readonly folder: DataFolder;
  readonly binaries: Binaries;
}

async function preparePlace({ cloneDir, dataDir }: EmbeddedOptions): Promise<Place> {
  return {
    binaries: await installedBinaries(cloneDir),
    folder: await openDataFolder(cloneDir, dataDir),
  };
}

/** Tries until it works: a full disk gets room again, and a program without its database is still worth keeping. */
async function rejoin(place: Place, log: (line: string) => void, isStopping: () => boolean): Promise<Membership> {
  for (;;) {
    try {
      const member = await join(place.folder, place.binaries, 'program');
      log('PostgreSQL is back.');
      return member;
    } catch (error) {
      if (error instanceof FolderTaken || isStopping()) throw error;
      log((error as Error).message);
      await sleep(rejoinEveryMs);
    }
  }
}
