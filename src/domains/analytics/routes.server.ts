import type { Db } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { concurrencyLimit } from '../../security/concurrency-limit.server.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import { analyticsError, analyticsSettings, collectEvents } from './contract.ts';
import type { EventSink } from './provider.server.ts';

const PER_NETWORK: Limit = { name: 'analytics of a network', max: 600, windowSeconds: 10 * 60 };
/** Ten requests a second: many networks must not fill the log. */
const IN_TOTAL: Limit = { name: 'analytics', max: 6000, windowSeconds: 10 * 60 };

interface AnalyticsDependencies {
  db: Db;
  limits: ClientRateLimits;
  /** Undefined if analytics is off. */
  sink: EventSink | undefined;
  onFailure(error: unknown, operation: string): void;
}

/** A destination that does not respond must not hold a connection for each request. */
const SENDING = { concurrent: 8, queued: 100 } as const;
const LOSS_REPORT_MS = 60 * 1000;

export function analyticsRoutes(registerRoute: RegisterRoute, { db, limits, sink, onFailure }: AnalyticsDependencies) {
  const runLimited = concurrencyLimit(SENDING);
  let lossReportedAt = -Infinity;
  /** Reports lost events once in a minute. */
  const reportLoss = (error: unknown) => {
    if (performance.now() - lossReportedAt < LOSS_REPORT_MS) return;
    lossReportedAt = performance.now();
    onFailure(error, 'sending analytics');
  };

  registerRoute(analyticsSettings, async () => succeed('Analytics settings', { counting: sink !== undefined }));

  registerRoute(collectEvents, async (request) => {
    const wait = (await limits.consumeForNetwork(db, PER_NETWORK, request)) || (await limits.consumeGlobally(db, IN_TOTAL));
    if (wait > 0) throw new ApiError('rate-limited', analyticsError('too-many-events'), wait);
    const { visit, events } = request.body;
    // Not awaited: no response depends on it.
    if (sink) void runLimited(() => sink.send(visit, events)).catch(reportLoss);
    return succeed('Counted', null);
  });
}
