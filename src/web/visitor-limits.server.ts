/** How often one visitor, and all together, may do something. Each answers how many seconds to wait: 0 when one was taken. */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../db/database.server.ts';
import { takeFromLimit, type Limit } from '../db/limits.server.ts';
import { isLoopback, networkOf } from './visitor.server.ts';

export interface VisitorLimits {
  /** In a transaction that fails afterwards, what was taken is given back. */
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
    const answer = await takeFromLimit(db, { ...limit, subject, now: clock.now() });
    return answer.allowed ? 0 : answer.retryAfterSeconds;
  };
  return {
    ofNetwork: async (db, limit, request) => (demo && isLoopback(request) ? 0 : take(db, limit, networkOf(request))),
    inAll: (db, limit) => take(db, limit, 'all'),
  };
}
