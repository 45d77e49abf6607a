/**
 * Rate limits of one visitor and of all. Each returns the seconds to wait: 0 if the use was
 * counted.
 */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../db/database.server.ts';
import { consumeLimit, type Limit } from '../db/limits.server.ts';
import { isLoopback, clientNetwork } from './client-network.server.ts';

export interface ClientRateLimits {
  /** Counts the neighbourhood as well. A rollback of the transaction also undoes the count. */
  consumeForNetwork(db: Db, limit: Limit, request: FastifyRequest): Promise<number>;
  consumeGlobally(db: Db, limit: Limit): Promise<number>;
}

interface VisitorLimitsOptions {
  clock: Clock;
  /** A demonstration does not limit callers on the same machine. */
  demo: boolean;
}

export function createClientRateLimits({ clock, demo }: VisitorLimitsOptions): ClientRateLimits {
  const consume = async (db: Db, limit: Limit, subject: string) => {
    const result = await consumeLimit(db, { ...limit, subject, now: clock.now() });
    return result.allowed ? 0 : result.retryAfterSeconds;
  };
  return {
    consumeForNetwork: async (db, limit, request) => {
      if (demo && isLoopback(request)) return 0;
      const network = clientNetwork(request);
      // In this order: a network over its own limit uses up nothing of its neighbourhood's.
      return (await consume(db, limit, network)) || consume(db, { ...limit, max: limit.max * NEIGHBOURHOOD }, neighbourhoodOf(network));
    },
    consumeGlobally: (db, limit) => consume(db, limit, 'all'),
  };
}

/**
 * The limit of a neighbourhood as a multiple of a network's: too small to use up the limit of all.
 */
const NEIGHBOURHOOD = 5;

/** Networks that one subscriber may have: IPv6 in one /48, IPv4 in one /24. */
const neighbourhoodOf = (network: string): string =>
  network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : `${network.split('.').slice(0, 3).join('.')}.0/24`;
