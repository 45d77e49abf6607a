import { startEmbeddedPostgres, StartupError } from '../../src/db/embedded.server.ts';

// The smallest program that stands on the embedded PostgreSQL: says READY, lives until it is told to stop.
const [cloneDir = '.', dataDir, uid] = process.argv.slice(2);

// An ordinary user cannot read a clone below root's home, but can keep what was loaded before.
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
