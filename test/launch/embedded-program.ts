import { startEmbeddedPostgres, StartupError } from '../../src/db/embedded.server.ts';

// A minimal program with the embedded PostgreSQL: prints READY, and runs until SIGINT or SIGTERM.
// With --print-start it also prints STARTING as soon as it handles these signals.
const args = process.argv.slice(2);
const [cloneDir = '.', dataDir, uid] = args.filter((arg) => arg !== '--print-start');

// After the imports: an unprivileged user cannot read a clone in root's home directory.
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const log = (line: string): void => console.log(line);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
if (args.includes('--print-start')) log('STARTING');
try {
  const postgres = await startEmbeddedPostgres({ cloneDir, dataDir, log, stopping: stopping.signal });
  const stop = (): void => void postgres.stop().then(() => process.exit());
  if (stopping.signal.aborted) stop();
  else stopping.signal.addEventListener('abort', stop);
  log(`READY ${JSON.stringify(postgres)}`);
} catch (error) {
  if (stopping.signal.aborted) process.exit();
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exit(1);
}
