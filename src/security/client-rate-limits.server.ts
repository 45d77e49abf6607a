import type { Clock } from '../lib/clock.ts';
import type { Db } from '../db/database.server.ts';
import { consumeLimit, readLimit, type Limit } from '../db/limits.server.ts';
import type { Client } from './client.ts';
import { networkBlock } from './client-network.server.ts';

/**
 * Rate limits of requests. Each function returns 0 if it counted the use or exempts the client,
 * otherwise the seconds until the next window. A rollback of the transaction undoes the count.
 */
export interface ClientRateLimits {
  /** Counts the use for the client's network and for the block of networks around it. */
  consumeForNetwork(db: Db, limit: Limit, client: Pick<Client, 'network' | 'isLoopback'>): Promise<number>;
  /** Counts the use for all clients together. */
  consumeGlobally(db: Db, limit: Limit): Promise<number>;
}

interface ClientRateLimitsOptions {
  clock: Clock;
  /** A demonstration without PUBLIC_URL does not limit callers on the same machine. */
  exemptsLoopback: boolean;
}

export function createClientRateLimits({ clock, exemptsLoopback }: ClientRateLimitsOptions): ClientRateLimits {
  const consume = async (db: Db, limit: Limit, subject: string) => {
    const result = await consumeLimit(db, { ...limit, subject, now: clock.now() });
    return result.allowed ? 0 : result.retryAfterSeconds;
  };
  return {
    consumeForNetwork: async (db, limit, { network, isLoopback }) => {
      if (exemptsLoopback && isLoopback) return 0;
      const block = { ...limit, max: limit.max * BLOCK_FACTOR };
      const subject = networkBlock(network);
      // A block has up to 65,536 networks. Those that it refuses write no row.
      const result = await readLimit(db, { ...block, subject, now: clock.now() });
      if (!result.allowed) return result.retryAfterSeconds;
      // The network comes first: if it is over its limit, it does not use up the limit of its
      // block.
      return (await consume(db, limit, network)) || consume(db, block, subject);
    },
    consumeGlobally: (db, limit) => consume(db, limit, 'all'),
  };
}

/**
 * The limit of a block is this multiple of a network's limit. One block cannot use up the global
 * limit.
 */
const BLOCK_FACTOR = 5;
