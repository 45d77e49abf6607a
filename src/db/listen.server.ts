/** Notifications of PostgreSQL, on a connection that is not in the pool. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HostClient, type DatabaseConfig } from './hosts.server.ts';

interface ListenOptions {
  connection: DatabaseConfig;
  channel: string;
  onNotification(payload: string): void;
  /** Called after each connect: earlier notifications may be lost. */
  onConnected(): void;
  /** Called for each failed or lost connection. */
  onConnectionLost(error: Error): void;
  /** The time between two checks of the connection; tests use a shorter one. */
  checkEveryMs?: number;
}

const RETRY_MS = 2000;
const TIMEOUT_MS = 4000;
/** A silent connection can be broken without an error, and its server become read-only. */
const CHECK_EVERY_MS = 15_000;

/** Throws if the server accepts no writes: notifications come from the new primary. */
async function requireWritable(client: HostClient) {
  const { rows } = await client.query<{ isReadOnly: boolean }>(`select current_setting('transaction_read_only')::boolean as "isReadOnly"`);
  if (rows[0]?.isReadOnly) throw new Error(`The server at ${client.host}:${client.port} is read-only`);
}

/** Connects until `stop` is called, and again after each failure. */
export function listen(options: ListenOptions): { stop(): Promise<void> } {
  const { connection, channel, onNotification, onConnected, onConnectionLost, checkEveryMs = CHECK_EVERY_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const delay = (ms: number) => sleep(ms, undefined, { signal });

  /** Throws when the connection fails or `stop` is called. */
  const listenOnce = async () => {
    const client = new HostClient({
      ...connection,
      application_name: `dhulai pid ${process.pid} listener`,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.once('end', () => reject(new Error('The connection has ended')));
    });
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    const work = async () => {
      await client.connect();
      await requireWritable(client);
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onConnected();
      while (true) {
        await delay(checkEveryMs);
        await requireWritable(client);
      }
    };
    try {
      await Promise.race([work(), lost]);
    } finally {
      await client.end().catch(() => {});
    }
  };

  const run = async () => {
    while (!signal.aborted) {
      await listenOnce().catch((error: unknown) => {
        if (!signal.aborted) onConnectionLost(error as Error);
      });
      await delay(RETRY_MS).catch(() => {});
    }
  };
  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
