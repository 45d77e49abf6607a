import { startEmbeddedPostgres, StartupError } from '../../src/db/embedded.server.ts';

// A minimal program with the embedded PostgreSQL: prints READY and runs until SIGINT or SIGTERM.
const [cloneDir = '.', dataDir, uid] = process.argv.slice(2);

// After the imports: an unprivileged user cannot read a clone in root's home directory.
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const log = (line: string): void => console.log(line);
try {
  const postgres = await startEmbeddedPostgres({ cloneDir, dataDir, log });
  const stop = (): void => void postgres.stop().then(() => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  log(`READY ${JSON.stringify(postgres)}`);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exit(1);
}
