/** How often one visitor, and all together, may do something. Each answers how many seconds to wait: 0 when one was taken. */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../db/database.server.ts';
import { consumeLimit, type Limit } from '../db/limits.server.ts';
import { isLoopback, networkOf } from './client-network.server.ts';

export interface VisitorLimits {
  /** Counts the neighbourhood as well. In a transaction that fails afterwards, what was taken is given back. */
  ofNetwork(db: Db, limit: Limit, request: FastifyRequest): Promise<number>;
  inAll(db: Db, limit: Limit): Promise<number>;
}

interface VisitorLimitsOptions {
  clock: Clock;
  /** A demonstration is tried out on the machine itself: its callers are not counted by their address. */
  demo: boolean;
}

export function createVisitorLimits({ clock, demo }: VisitorLimitsOptions): VisitorLimits {
  const take = async (db: Db, limit: Limit, subject: string) => {
    const answer = await consumeLimit(db, { ...limit, subject, now: clock.now() });
    return answer.allowed ? 0 : answer.retryAfterSeconds;
  };
  return {
    ofNetwork: async (db, limit, request) => {
      if (demo && isLoopback(request)) return 0;
      const network = networkOf(request);
      // In this order: a network that has used up its own takes nothing more from its neighbours.
      return (await take(db, limit, network)) || take(db, { ...limit, most: limit.most * NEIGHBOURHOOD }, neighbourhoodOf(network));
    },
    inAll: (db, limit) => take(db, limit, 'all'),
  };
}

/** So many times what one network may: more than a household or an office needs, and too little to use up what is there for all. */
const NEIGHBOURHOOD = 5;

/** What one subscriber may have networks of: a home's IPv6 /56 lies in one /48, and IPv4 addresses that are rented together in one /24. */
const neighbourhoodOf = (network: string): string =>
  network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : `${network.split('.').slice(0, 3).join('.')}.0/24`;
