import type { Db } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import { analyticsError, analyticsSettings, collectEvents } from './contract.ts';
import type { EventSink } from './provider.server.ts';

const PER_NETWORK: Limit = { name: 'analytics of a network', max: 600, windowSeconds: 10 * 60 };

interface AnalyticsDependencies {
  db: Db;
  limits: ClientRateLimits;
  /** Undefined if analytics is off. */
  sink: EventSink | undefined;
  onFailure(error: unknown, operation: string): void;
}

export function analyticsRoutes(registerRoute: RegisterRoute, { db, limits, sink, onFailure }: AnalyticsDependencies) {
  registerRoute(analyticsSettings, async () => succeed('Analytics settings', { counting: sink !== undefined }));

  registerRoute(collectEvents, async (request) => {
    const wait = await limits.consumeForNetwork(db, PER_NETWORK, request);
    if (wait > 0) throw new ApiError('rate-limited', analyticsError('too-many-events'), wait);
    const { visit, events } = request.body;
    // Not awaited: no response depends on it.
    sink?.send(visit, events).catch((error: unknown) => onFailure(error, 'sending analytics'));
    return succeed('Counted', null);
  });
}
