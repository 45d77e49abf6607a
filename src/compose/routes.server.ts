import type { FastifyInstance, RouteOptions } from 'fastify';
import type { RegisterRoute } from '../contract/route.server.ts';
import { accountRoutes } from '../domains/accounts/routes.server.ts';
import { addressRoutes } from '../domains/addresses/routes.server.ts';
import { analyticsRoutes } from '../domains/analytics/routes.server.ts';
import { botCheckRoutes } from '../domains/bot-check/routes.server.ts';
import { cashRoutes } from '../domains/cash/routes.server.ts';
import { readHeldCash } from '../domains/cash/service.server.ts';
import { catalogueDeskRoutes } from '../domains/catalogue/desk-routes.server.ts';
import { catalogueRoutes } from '../domains/catalogue/routes.server.ts';
import { claimDeskRoutes, deskPhotoRoutes } from '../domains/claims/desk-routes.server.ts';
import { claimRoutes, photoRoutes } from '../domains/claims/routes.server.ts';
import { customerRoutes } from '../domains/customers/routes.server.ts';
import { errorReportRoutes } from '../domains/error-reports/routes.server.ts';
import { eveningDeskRoutes } from '../domains/evenings/desk-routes.server.ts';
import { eveningRoutes } from '../domains/evenings/routes.server.ts';
import { figureRoutes } from '../domains/figures/routes.server.ts';
import { outboxRoutes } from '../domains/messages/routes.server.ts';
import { offerRoutes } from '../domains/offers/routes.server.ts';
import { deskEventRoutes } from '../domains/order-desk/events-routes.server.ts';
import { orderPhotoFiles, orderPhotoRoutes } from '../domains/order-desk/photos-routes.server.ts';
import { readOpenOrders, unassignOrdersOf } from '../domains/order-desk/riders-service.server.ts';
import { orderDeskRoutes } from '../domains/order-desk/routes.server.ts';
import { calendarRoutes } from '../domains/orders/calendar-routes.server.ts';
import { orderEventRoutes } from '../domains/orders/events-routes.server.ts';
import { orderRoutes } from '../domains/orders/routes.server.ts';
import { createGuestSessionWithOrders } from '../domains/orders/service.server.ts';
import { listOrderCountsOfEvenings, listReturnCountsOfEvenings, lockAllOrders } from '../domains/orders/evenings-store.server.ts';
import { isDelivered } from '../domains/orders/store.server.ts';
import { gatewayRoutes, paymentRoutes } from '../domains/payments/routes.server.ts';
import { dataCopyRoutes, privacyRoutes } from '../domains/privacy/routes.server.ts';
import { profileRoutes } from '../domains/profile/routes.server.ts';
import { referralRoutes } from '../domains/referrals/routes.server.ts';
import { reviewDeskRoutes } from '../domains/reviews/desk-routes.server.ts';
import { reviewRoutes } from '../domains/reviews/routes.server.ts';
import { createReviewReader } from '../domains/reviews/service.server.ts';
import { createSharedRead } from '../domains/sessions/authentication.server.ts';
import type { Role } from '../domains/staff/desk/contract.ts';
import { laundryOf } from '../domains/staff/authentication.server.ts';
import { passkeyRoutes } from '../domains/staff/passkeys-routes.server.ts';
import { startSecondFactor } from '../domains/staff/passkeys-service.server.ts';
import { staffRoutes } from '../domains/staff/routes.server.ts';
import { systemRoutes } from '../domains/system/routes.server.ts';
import { verificationRoutes } from '../domains/verification/routes.server.ts';
import { currentDifficulty } from '../domains/verification/service.server.ts';
import { walletRoutes } from '../domains/wallet/routes.server.ts';
import type { Clock } from '../lib/clock.ts';
import { concurrencyLimitByKey } from '../security/concurrency-limit.server.ts';
import { keyedHash } from '../security/tokens.server.ts';
import type { Metrics } from '../server/http/metrics.server.ts';
import type { BackgroundWork } from '../server/jobs/background-work.server.ts';
import type { Settings } from '../settings.server.ts';
import type { SiteConfig } from '../shared/site-config.ts';
import type { Databases } from './databases.server.ts';
import type { Domains } from './domains.server.ts';
import type { Jobs } from './jobs.server.ts';
import type { Services, ServiceTimeouts } from './services.server.ts';

/** The dependencies of the routes of the domains. */
export interface ProgramParts {
  settings: Settings;
  secret: string;
  site: SiteConfig;
  publicUrl: URL | undefined;
  siteUrl: string;
  https: boolean;
  clock: Clock;
  timeouts: ServiceTimeouts;
  databases: Databases;
  services: Services;
  domains: Domains;
  metrics: Metrics;
  background: BackgroundWork;
  jobs: Jobs;
  onFailure(error: unknown, operation: string): void;
}

/** Registers the calls of every domain, in dependency order. */
export function registerCalls(registerRoute: RegisterRoute, parts: ProgramParts) {
  registerCustomerCalls(registerRoute, parts);
  registerStaffCalls(registerRoute, parts);
}

function registerCustomerCalls(
  registerRoute: RegisterRoute,
  { settings, clock, databases, services, domains, onFailure, ...parts }: ProgramParts,
) {
  const { db, readStale } = databases;
  const { accounts, authentication, browsers, limits } = domains;
  const { botCheck } = services;
  const read = createSharedRead(db, authentication, readStale);
  const reviewReader = createReviewReader(read, clock);

  analyticsRoutes(registerRoute, { db, limits, sink: services.sink, onFailure });
  botCheckRoutes(registerRoute, { botCheck, proofOfWorkDifficulty: () => currentDifficulty({ db, clock }) });
  verificationRoutes(registerRoute, {
    db,
    clock,
    limits,
    devices: accounts.devices,
    hash: keyedHash(parts.secret, 'network'),
    hashMobile: accounts.hashMobile,
    countRequest: parts.metrics.countCodeRequest,
    limitPerMobile: concurrencyLimitByKey({ concurrent: 1, queued: 50 }),
    botCheck,
    messages: services.messages,
    brand: parts.site.brand,
    browsers,
    codes: services.codes,
    host: parts.publicUrl?.hostname,
    canReceive: services.canReceive,
    sendTimeoutMs: parts.timeouts.sendMs,
    createGuestSession: (tx, request, verified) => createGuestSessionWithOrders(tx, accounts, request, verified),
  });
  accountRoutes(registerRoute, { ...accounts, browsers });
  profileRoutes(registerRoute, { ...accounts, browsers });
  addressRoutes(registerRoute, { db, clock, authentication });
  reviewRoutes(registerRoute, { db, clock, authentication, reviewReader, isDelivered });
  catalogueRoutes(registerRoute, { read, reviewReader });
  walletRoutes(registerRoute, { db, authentication });
  offerRoutes(registerRoute, { db, authentication });
  const limitPerReferrer = concurrencyLimitByKey({ concurrent: 1, queued: 100 });
  referralRoutes(registerRoute, { db, clock, authentication, browsers, limitPerReferrer, bonusTime: settings.referralBonusTime });
  errorReportRoutes(registerRoute, { db, clock, limits });
  eveningRoutes(registerRoute, { read, clock });
  orderRoutes(registerRoute, domains.orders);
  paymentRoutes(registerRoute, domains.payments);
  claimRoutes(registerRoute, domains.claims);
  const { devices, hashMobile } = accounts;
  const { storage } = services;
  privacyRoutes(registerRoute, {
    db,
    clock,
    authentication,
    browsers,
    devices,
    hashMobile,
    storage,
    runInBackground: parts.background.run,
  });
}

function registerStaffCalls(registerRoute: RegisterRoute, { settings, clock, databases, services, domains, jobs, ...parts }: ProgramParts) {
  const { db, readStale } = databases;
  const { staff, desk } = domains;
  const { https, publicUrl, site } = parts;
  const { notificationGateway } = services;
  const hasTemplate = (kind: string) => notificationGateway?.hasTemplate(kind) ?? false;
  const { maxCashChangePaise, referralBonusTime } = settings;

  const requiresPasskey = (role: Role) => !site.demo && role !== 'rider';
  staffRoutes(registerRoute, {
    ...staff,
    operatorCreditsPerDayPaise: desk.operatorCreditsPerDayPaise,
    readWork: async (on) => ({ orders: await readOpenOrders(on), heldPaise: await readHeldCash(on) }),
    unassignOrders: (tx, author, personid, now) => unassignOrdersOf(tx, { laundry: laundryOf(author), author }, personid, now),
    startSecondFactor: (request, reply, person) => startSecondFactor({ ...staff, https, requiresPasskey }, request, reply, person),
  });
  passkeyRoutes(registerRoute, { ...staff, https, siteName: site.brand.name, publicUrl });
  cashRoutes(registerRoute, { db, clock, staff: staff.staff });
  orderPhotoRoutes(registerRoute, domains.orderPhotos);
  orderDeskRoutes(registerRoute, {
    ...desk,
    maxCashChangePaise,
    referralBonusTime,
    handOverCode: domains.orders.handOverCode,
    hasTemplate,
  });
  claimDeskRoutes(registerRoute, desk);
  customerRoutes(registerRoute, desk);
  figureRoutes(registerRoute, { ...desk, read: readStale });
  systemRoutes(registerRoute, {
    ...desk,
    jobs: jobs.names,
    hasTemplate,
    storage: services.storage,
    startLedgerAudit: jobs.startLedgerAudit,
    expectsBackups: !site.demo,
  });
  reviewDeskRoutes(registerRoute, desk);
  catalogueDeskRoutes(registerRoute, desk);
  eveningDeskRoutes(registerRoute, {
    ...desk,
    ordersOfEvenings: { count: listOrderCountsOfEvenings, countReturns: listReturnCountsOfEvenings, block: lockAllOrders },
  });
}

/** Registers what the domains serve outside of calls: files, streams, pages of stand-ins. */
export function registerOtherRoutes(app: FastifyInstance, parts: ProgramParts) {
  void app.register(async (scope) => {
    scope.addHook('onRoute', refuseHead);
    registerFiles(scope, parts);
  });
}

/**
 * Responds with 405 to HEAD. Fastify adds HEAD to every route of GET, runs its handler and reads
 * the stream that it sends to the end: a photo, a copy of the data, events.
 */
function refuseHead(route: RouteOptions) {
  if (route.method === 'HEAD') route.handler = async (_request, reply) => reply.code(405).header('allow', 'GET').send();
}

function registerFiles(
  app: FastifyInstance,
  { settings, clock, site, databases, services, domains, jobs, onFailure, ...parts }: ProgramParts,
) {
  const { db, direct, onConnectionLost } = databases;
  const { authentication, browsers, staff } = domains;

  if (settings.sms.provider === 'outbox')
    outboxRoutes(app, {
      db,
      brand: site.brand,
      browserHashOf: (request) => browsers.find(request)?.hash,
      otherMessages: jobs.notifications.listSent,
    });
  calendarRoutes(app, { ...domains.orders, siteUrl: parts.siteUrl });
  gatewayRoutes(app, domains.payments);
  photoRoutes(app, domains.claims);
  deskPhotoRoutes(app, { ...domains.claims, staff: staff.staff });
  orderPhotoFiles(app, domains.orderPhotos);
  dataCopyRoutes(app, { db, clock, authentication, browsers, storage: services.storage, onFailure });
  const streams = { db, clock, authentication, connection: direct, onConnectionLost, runInBackground: parts.background.run };
  orderEventRoutes(app, streams);
  deskEventRoutes(app, { ...streams, staff: staff.staff });
}
