/** The one place where domains meet what they stand on. Reading it from top to bottom tells what the program is made of. */
import type { FastifyInstance } from 'fastify';
import { deleteExpiredLimits } from './db/limits.server.ts';
import { analyticsRoutes } from './domains/analytics/routes.server.ts';
import { errorReportRoutes } from './domains/error-reports/routes.server.ts';
import { deleteExpiredReports } from './domains/error-reports/service.server.ts';
import { botCheckRoutes } from './domains/bot-check/routes.server.ts';
import { deleteExpiredProofs } from './domains/bot-check/store.server.ts';
import { outboxRoutes } from './domains/messages/routes.server.ts';
import { createMessages, deleteExpiredMessages } from './domains/messages/service.server.ts';
import { createBrowsers } from './domains/verification/authentication.server.ts';
import { verificationRoutes } from './domains/verification/routes.server.ts';
import { deleteExpiredVerifications } from './domains/verification/service.server.ts';
import { createAuthentication } from './domains/sessions/authentication.server.ts';
import { deleteExpiredSessions } from './domains/sessions/store.server.ts';
import { accountRoutes } from './domains/accounts/routes.server.ts';
import { deleteExpiredAccountData } from './domains/accounts/service.server.ts';
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
import type { RegisterRoute } from './contract/route.server.ts';
import { createPasswords } from './security/passwords.server.ts';
import { createVisitorLimits } from './security/client-rate-limits.server.ts';
import type { Foundations } from './foundations.server.ts';
import { botCheckOf, codesOf, reachedBy, eventSinkOf, gatewayOf, textGatewayOf } from './external-services.server.ts';
import { createCleanupJobs } from './server/jobs/cleanup-jobs.server.ts';

export function wireDomains(foundations: Foundations) {
  const { db, clock, settings, site, secret, timeouts, onBackgroundFailure } = foundations;
  const publicUrl = settings.publicUrl ? new URL(settings.publicUrl) : undefined;
  const https = publicUrl?.protocol === 'https:';
  const demo = settings.mode === 'demo';
  const limits = createVisitorLimits({ clock, demo });
  const botCheck = botCheckOf(foundations);
  const messages = createMessages({ db, clock, gateway: textGatewayOf(foundations), timeouts, onFailure: onBackgroundFailure });
  const browsers = createBrowsers({ https });
  const authentication = createAuthentication({ db, clock, https, secret });
  const accounts = {
    db,
    clock,
    authentication,
    limits,
    passwords: createPasswords(),
    hash: keyedHash(secret, 'log-in'),
    nameOfGuest: lastAddressName,
  };

  const payments = {
    db,
    clock,
    authentication,
    brand: site.brand,
    payee: settings.upi,
    gateway: gatewayOf(foundations),
    onFailure: onBackgroundFailure,
  };

  const cleanupJobs = createCleanupJobs({
    clock,
    onFailure: onBackgroundFailure,
    jobs: [
      { name: 'delete expired limits', run: (now) => deleteExpiredLimits(db, now) },
      { name: 'delete expired bot proofs', run: (now) => deleteExpiredProofs(db, now) },
      { name: 'delete expired verifications', run: (now) => deleteExpiredVerifications(db, now) },
      { name: 'delete expired messages', run: (now) => deleteExpiredMessages(db, now) },
      { name: 'delete expired sessions', run: (now) => deleteExpiredSessions(db, now) },
      { name: 'delete expired accounts', run: (now) => deleteExpiredAccountData(db, now) },
      { name: 'delete expired error reports', run: (now) => deleteExpiredReports(db, now) },
      { name: 'reconciling payments', run: (now) => reconcile(payments, now) },
    ],
  });

  return {
    /** Before the first request: a demonstration has something to sell, a real laundry what its owner sets (`npm run catalogue`). */
    prepare: async () => {
      if (demo) await loadSampleCatalogue(db);
    },
    routes(registerRoute: RegisterRoute) {
      analyticsRoutes(registerRoute, { db, limits, sink: eventSinkOf(foundations), onFailure: onBackgroundFailure });
      botCheckRoutes(registerRoute, { botCheck });
      verificationRoutes(registerRoute, {
        db,
        clock,
        limits,
        botCheck,
        messages,
        brand: site.brand,
        browsers,
        codes: codesOf(foundations),
        host: publicUrl?.hostname,
        reaches: reachedBy(settings),
        sendWithinMs: timeouts.sendMs,
        admitGuest: (tx, request, proved) => admitOrderingGuest(tx, accounts, request, proved),
      });
      accountRoutes(registerRoute, { ...accounts, browsers });
      profileRoutes(registerRoute, { ...accounts, browsers });
      addressRoutes(registerRoute, { db, clock, authentication });
      reviewRoutes(registerRoute, { db, clock, authentication });
      catalogueRoutes(registerRoute, { db });
      walletRoutes(registerRoute, { db, authentication });
      offerRoutes(registerRoute, { db, authentication });
      referralRoutes(registerRoute, { db, clock, authentication, browsers });
      errorReportRoutes(registerRoute, { db, clock, limits });
      orderRoutes(registerRoute, { db, clock, authentication, mostOrdersADay: settings.mostOrdersADay });
      paymentRoutes(registerRoute, payments);
    },
    /** Routes that are no calls. */
    extras(app: FastifyInstance) {
      if (settings.sms.provider === 'outbox')
        outboxRoutes(app, { db, brand: site.brand, browserHashOf: (request) => browsers.of(request)?.hash });
      gatewayRoutes(app, payments);
    },
    /** Work between requests. */
    start: cleanupJobs.start,
    stop: cleanupJobs.stop,
  };
}
