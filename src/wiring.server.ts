/** The one place where domains meet what they stand on. Reading it from top to bottom tells what the program is made of. */
import type { FastifyInstance } from 'fastify';
import { sweepLimits } from './db/limits.server.ts';
import { analyticsRoutes } from './domains/analytics/routes.server.ts';
import { errorReportRoutes } from './domains/error-reports/routes.server.ts';
import { sweepReports } from './domains/error-reports/service.server.ts';
import { botCheckRoutes } from './domains/bot-check/routes.server.ts';
import { deleteExpiredProofs } from './domains/bot-check/store.server.ts';
import { outboxRoutes } from './domains/messages/routes.server.ts';
import { createMessages, sweepMessages } from './domains/messages/service.server.ts';
import { createBrowsers } from './domains/verification/authentication.server.ts';
import { verificationRoutes } from './domains/verification/routes.server.ts';
import { sweepVerifications } from './domains/verification/service.server.ts';
import { createGate } from './domains/sessions/authentication.server.ts';
import { deleteExpiredSessions } from './domains/sessions/store.server.ts';
import { accountRoutes } from './domains/accounts/routes.server.ts';
import { sweepAccounts } from './domains/accounts/service.server.ts';
import { addressRoutes } from './domains/addresses/routes.server.ts';
import { reviewRoutes } from './domains/reviews/routes.server.ts';
import { loadSampleCatalogue } from './domains/catalogue/service.server.ts';
import { catalogueRoutes } from './domains/catalogue/routes.server.ts';
import { walletRoutes } from './domains/wallet/routes.server.ts';
import { profileRoutes } from './domains/profile/routes.server.ts';
import { offerRoutes } from './domains/offers/routes.server.ts';
import { referralRoutes } from './domains/referrals/routes.server.ts';
import { orderRoutes } from './domains/orders/routes.server.ts';
import { admitOrderingGuest } from './domains/orders/service.server.ts';
import { gatewayRoutes, paymentRoutes } from './domains/payments/routes.server.ts';
import { reconcile } from './domains/payments/service.server.ts';
import { lastAddressName } from './domains/orders/store.server.ts';
import { keyedHash } from './security/tokens.server.ts';
import type { Answer } from './contract/route.server.ts';
import { createPasswords } from './security/passwords.server.ts';
import { createVisitorLimits } from './security/client-rate-limits.server.ts';
import type { Foundations } from './foundations.server.ts';
import { botCheckOf, codesOf, reachedBy, eventSinkOf, gatewayOf, textGatewayOf } from './external-services.server.ts';
import { createSweeper } from './server/jobs/cleanup-jobs.server.ts';

export function wireDomains(foundations: Foundations) {
  const { db, clock, settings, secret, waits, onBackgroundFailure } = foundations;
  const publicUrl = settings.publicUrl ? new URL(settings.publicUrl) : undefined;
  const https = publicUrl?.protocol === 'https:';
  const demo = settings.mode === 'demo';
  const limits = createVisitorLimits({ clock, demo });
  const botCheck = botCheckOf(foundations);
  const messages = createMessages({ db, clock, gateway: textGatewayOf(foundations), waits, onFailure: onBackgroundFailure });
  const browsers = createBrowsers({ https });
  const gate = createGate({ db, clock, https, secret });
  const accounts = {
    db,
    clock,
    gate,
    limits,
    passwords: createPasswords(),
    hash: keyedHash(secret, 'log-in'),
    nameOfGuest: lastAddressName,
  };

  const payments = { db, clock, gate, payee: settings.upi, gateway: gatewayOf(foundations), onFailure: onBackgroundFailure };

  const sweeper = createSweeper({
    clock,
    onFailure: onBackgroundFailure,
    sweeps: [
      { name: 'sweeping limits', run: (now) => sweepLimits(db, now) },
      { name: 'sweeping bot proofs', run: (now) => deleteExpiredProofs(db, now) },
      { name: 'sweeping verifications', run: (now) => sweepVerifications(db, now) },
      { name: 'sweeping messages', run: (now) => sweepMessages(db, now) },
      { name: 'sweeping sessions', run: (now) => deleteExpiredSessions(db, now) },
      { name: 'sweeping accounts', run: (now) => sweepAccounts(db, now) },
      { name: 'sweeping error reports', run: (now) => sweepReports(db, now) },
      { name: 'reconciling payments', run: (now) => reconcile(payments, now) },
    ],
  });

  return {
    /** Before the first request: a demonstration has something to sell, a real laundry what its owner sets (`npm run catalogue`). */
    prepare: async () => {
      if (demo) await loadSampleCatalogue(db);
    },
    routes(answer: Answer) {
      analyticsRoutes(answer, { db, limits, sink: eventSinkOf(foundations), onFailure: onBackgroundFailure });
      botCheckRoutes(answer, { botCheck });
      verificationRoutes(answer, {
        db,
        clock,
        limits,
        botCheck,
        messages,
        browsers,
        codes: codesOf(foundations),
        host: publicUrl?.hostname,
        reaches: reachedBy(settings),
        sendWithinMs: waits.sendMs,
        admitGuest: (tx, request, proved) => admitOrderingGuest(tx, accounts, request, proved),
      });
      accountRoutes(answer, { ...accounts, browsers });
      profileRoutes(answer, { ...accounts, browsers });
      addressRoutes(answer, { db, clock, gate });
      reviewRoutes(answer, { db, clock, gate });
      catalogueRoutes(answer, { db });
      walletRoutes(answer, { db, gate });
      offerRoutes(answer, { db, gate });
      referralRoutes(answer, { db, clock, gate, browsers });
      errorReportRoutes(answer, { db, clock, limits });
      orderRoutes(answer, { db, clock, gate, mostOrdersADay: settings.mostOrdersADay });
      paymentRoutes(answer, payments);
    },
    /** Routes that are no calls. */
    extras(app: FastifyInstance) {
      if (settings.sms.provider === 'outbox') outboxRoutes(app, { db, browserHashOf: (request) => browsers.of(request)?.hash });
      gatewayRoutes(app, payments);
    },
    /** Work between requests. */
    start: sweeper.start,
    stop: sweeper.stop,
  };
}
