import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, installedBinaries } from './embedded/binaries.server.ts';
import { type DataFolder, prepareDataFolder, requireCluster } from './embedded/data-folder.server.ts';
import { join, leave, type Membership } from './embedded/membership.server.ts';
import { DataFolderInUse, StartupError } from './embedded/startup-error.server.ts';

export { StartupError };

export interface EmbeddedOptions {
  /** The setting DATA_DIR. If undefined, the default folder of this clone. */
  readonly dataDir?: string | undefined;
  /** The folder of package.json and node_modules. */
  readonly cloneDir: string;
  readonly log: (line: string) => void;
  /** Aborts the start, which then rejects. */
  readonly stopping?: AbortSignal | undefined;
}

export interface EmbeddedPostgres {
  /** Also in `<dataDir>/url`, for commands, other processes and psql. */
  readonly connectionString: string;
  readonly dataDir: string;
  /** True if the server was already running: left by a killed program, or used by a command. */
  readonly adopted: boolean;
  /** Stops the server, or leaves that to a command that still uses it. Idempotent. */
  stop(): Promise<void>;
}

/**
 * For the program. Acquires the data folder exclusively, and restarts the server if it stops
 * unexpectedly. Ends the process if another program has acquired the folder. Throws
 * `StartupError` if the folder or the server cannot be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const installation = await prepareInstallation(options);
  const first = await join(installation.folder, installation.binaries, 'program', options.stopping);
  let current = Promise.resolve(first);
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;

  const watch = ({ session }: Membership): void => {
    void session.ended.then(() => {
      if (stopping.signal.aborted) return;
      options.log('PostgreSQL stopped unexpectedly; starting it again.');
      current = rejoin(installation, options.log, stopping.signal);
      void current.then(watch, terminate);
    });
  };
  // Another program has acquired the folder. Two programs on one folder would break the lock.
  const terminate = (error: Error): void => {
    if (stopping.signal.aborted) return;
    options.log(error.message);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    const member = await current.catch(() => undefined);
    if (member !== undefined) await leave(installation.folder, member.session);
  };

  watch(first);
  return {
    connectionString: first.connectionString,
    dataDir: installation.folder.path,
    adopted: first.adopted,
    stop: () => (stopped ??= stop()),
  };
}

/**
 * For commands. Runs `work` on the running server, or starts one and stops it afterwards. The last
 * argument of `work` is true if it was started. Throws
 * `StartupError` if the folder or the server cannot be used, or if `needsDatabase` is true and the
 * folder has no database: then it creates nothing. Ends the process on a signal.
 */
export async function withEmbeddedPostgres<Result>(
  { needsDatabase = false, ...options }: EmbeddedOptions & { needsDatabase?: boolean | undefined },
  work: (connectionString: string, dataDir: string, isStarted: boolean) => Promise<Result>,
): Promise<Result> {
  if (needsDatabase) await requireCluster(options.cloneDir, options.dataDir);
  const { folder, binaries } = await prepareInstallation(options);
  const { session, connectionString, adopted } = await join(folder, binaries, 'command');
  let leaving: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => (leaving ??= leave(folder, session));
  const onSignal = (): void => void stopOnce().finally(() => process.exit(exitCodeWhenInterrupted));
  for (const signal of endingSignals) process.on(signal, onSignal);
  try {
    return await work(connectionString, folder.path, !adopted);
  } finally {
    await stopOnce();
    for (const signal of endingSignals) process.off(signal, onSignal);
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const exitCodeWhenInterrupted = 130;
const rejoinEveryMs = 1_000;

interface Installation {
  readonly folder: DataFolder;
  readonly binaries: Binaries;
}

async function prepareInstallation({ cloneDir, dataDir }: EmbeddedOptions): Promise<Installation> {
  return {
    binaries: await installedBinaries(cloneDir),
    folder: await prepareDataFolder(cloneDir, dataDir),
  };
}

/**
 * Retries every second until the server starts, because causes such as a full disk can pass. Throws
 * `DataFolderInUse` if another program has the folder, and rejects once `stopping` is aborted.
 */
async function rejoin(installation: Installation, log: (line: string) => void, stopping: AbortSignal): Promise<Membership> {
  for (;;) {
    try {
      const member = await join(installation.folder, installation.binaries, 'program', stopping);
      log('PostgreSQL is running again.');
      return member;
    } catch (error) {
      if (error instanceof DataFolderInUse || stopping.aborted) throw error;
      log((error as Error).message);
      await sleep(rejoinEveryMs, undefined, { signal: stopping });
    }
  }
}
