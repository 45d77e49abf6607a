/** The one place where domains meet what they stand on. Reading it from top to bottom tells what the program is made of. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../db/database.server.ts';
import { loadSampleCatalogue } from '../domains/catalogue/service.server.ts';
import { catalogueRoutes } from '../domains/catalogue/routes.server.ts';
import { addressRoutes } from '../domains/addresses/routes.server.ts';
import { orderRoutes } from '../domains/orders/routes.server.ts';
import { walletRoutes } from '../domains/wallet/routes.server.ts';
import { createGate } from '../domains/accounts/service.server.ts';
import type { Answer } from '../web/answer.server.ts';
import type { Settings } from './settings.server.ts';

export interface Foundations {
  db: Db;
  clock: Clock;
  settings: Settings;
  /** Signs and hashes what must not be guessed; at least 32 bytes. */
  secret: string;
}

export function wireDomains({ db, clock, settings }: Foundations) {
  const https = settings.publicUrl?.startsWith('https://') ?? false;
  const gate = createGate({ db, clock, https });

  return {
    /** Before the first request: what a new database needs. */
    prepare: () => loadSampleCatalogue(db),
    routes(answer: Answer) {
      addressRoutes(answer, { db, clock, gate });
      catalogueRoutes(answer, { db });
      walletRoutes(answer, { db, gate });
      orderRoutes(answer, { db, clock, gate });
    },
    /** Routes that are no calls. */
    extras(_app: FastifyInstance) {},
    /** Work between requests. */
    start() {},
    async stop() {},
  };
}
