/** The one place where domains meet what they stand on. Reading it from top to bottom tells what the program is made of. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../db/database.server.ts';
import { loadSampleCatalogue } from '../domains/catalogue/service.server.ts';
import { catalogueRoutes } from '../domains/catalogue/routes.server.ts';
import { addressRoutes } from '../domains/addresses/routes.server.ts';
import { orderRoutes } from '../domains/orders/routes.server.ts';
import { walletRoutes } from '../domains/wallet/routes.server.ts';
import { errorReportRoutes } from '../domains/error-reports/routes.server.ts';
import { sweepReports } from '../domains/error-reports/service.server.ts';
import { createGate } from '../domains/accounts/service.server.ts';
import type { Answer } from '../web/answer.server.ts';
import { sweepLimits } from '../db/limits.server.ts';
import type { Settings } from './settings.server.ts';
import { createSweeper } from './sweeps.server.ts';

export interface Foundations {
  db: Db;
  clock: Clock;
  settings: Settings;
  /** Signs and hashes what must not be guessed; at least 32 bytes. */
  secret: string;
  /** Tells of a fault in work that no request waits for. */
  onBackgroundFailure(error: unknown, what: string): void;
}

export function wireDomains({ db, clock, settings, onBackgroundFailure }: Foundations) {
  const https = settings.publicUrl?.startsWith('https://') ?? false;
  const gate = createGate({ db, clock, https });

  const sweeper = createSweeper({
    clock,
    onFailure: onBackgroundFailure,
    sweeps: [
      { name: 'sweeping limits', run: (now) => sweepLimits(db, now) },
      { name: 'sweeping error reports', run: (now) => sweepReports(db, now) },
    ],
  });

  return {
    /** Before the first request: what a new database needs. */
    prepare: () => loadSampleCatalogue(db),
    routes(answer: Answer) {
      addressRoutes(answer, { db, clock, gate });
      catalogueRoutes(answer, { db });
      walletRoutes(answer, { db, gate });
      errorReportRoutes(answer, { db, clock, demo: settings.mode === 'demo' });
      orderRoutes(answer, { db, clock, gate });
    },
    /** Routes that are no calls. */
    extras(_app: FastifyInstance) {},
    /** Work between requests. */
    start: () => sweeper.start(),
    stop: () => sweeper.stop(),
  };
}
