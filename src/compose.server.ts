/**
 * The composition root: one function that builds the whole program in dependency order. main.ts
 * calls it, and so do the development server and every test that needs a real program.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerBuild } from 'react-router';
import { brandOf } from './shared/brand.ts';
import type { SiteConfig } from './shared/site-config.ts';
import type { RegisterRoute } from './contract/route.server.ts';
import { checkClock } from './db/clock-check.server.ts';
import type { DatabaseConfig } from './db/hosts.server.ts';
import { openDatabase } from './db/database.server.ts';
import { migrate } from './db/migrate.server.ts';
import { migrations } from './db/migrations.server.ts';
import { createReadReplica, type StaleRead } from './db/read-replica.server.ts';
import { detectPooler } from './db/pooler.server.ts';
import { accountRoutes } from './domains/accounts/routes.server.ts';
import { loginLimit, type AccountDependencies } from './domains/accounts/service.server.ts';
import { addressRoutes } from './domains/addresses/routes.server.ts';
import { analyticsRoutes } from './domains/analytics/routes.server.ts';
import { botCheckRoutes } from './domains/bot-check/routes.server.ts';
import { cashRoutes } from './domains/cash/routes.server.ts';
import { catalogueDeskRoutes } from './domains/catalogue/desk-routes.server.ts';
import { catalogueRoutes } from './domains/catalogue/routes.server.ts';
import { loadSampleCatalogue } from './domains/catalogue/service.server.ts';
import { claimDeskRoutes, deskPhotoRoutes } from './domains/claims/desk-routes.server.ts';
import { claimRoutes, photoRoutes } from './domains/claims/routes.server.ts';
import { createPhotoUploads } from './domains/claims/uploads-service.server.ts';
import { customerRoutes } from './domains/customers/routes.server.ts';
import { eveningDeskRoutes } from './domains/evenings/desk-routes.server.ts';
import { eveningRoutes } from './domains/evenings/routes.server.ts';
import { errorReportRoutes } from './domains/error-reports/routes.server.ts';
import { figureRoutes } from './domains/figures/routes.server.ts';
import { outboxRoutes } from './domains/messages/routes.server.ts';
import { createMessages } from './domains/messages/service.server.ts';
import { createNotifications } from './domains/notifications/service.server.ts';
import { offerRoutes } from './domains/offers/routes.server.ts';
import { orderEventRoutes } from './domains/orders/events-routes.server.ts';
import { calendarRoutes } from './domains/orders/calendar-routes.server.ts';
import { createHandOverCode } from './domains/orders/history-service.server.ts';
import { orderRoutes } from './domains/orders/routes.server.ts';
import { admitOrderingGuest, assignGuestOrders, findGuestName } from './domains/orders/service.server.ts';
import { blockOrders, countOrdersOfEvenings, hasGuestOrders, isDelivered } from './domains/orders/store.server.ts';
import { deskEventRoutes } from './domains/order-desk/events-routes.server.ts';
import { orderPhotoFiles, orderPhotoRoutes } from './domains/order-desk/photos-routes.server.ts';
import { orderDeskRoutes } from './domains/order-desk/routes.server.ts';
import { gatewayRoutes, paymentRoutes } from './domains/payments/routes.server.ts';
import { creditHeldChange } from './domains/payments/change-service.server.ts';
import { receivedOfOrderSql, totalReceivedPaise } from './domains/payments/store.server.ts';
import { privacyRoutes } from './domains/privacy/routes.server.ts';
import { profileRoutes } from './domains/profile/routes.server.ts';
import { referralRoutes } from './domains/referrals/routes.server.ts';
import { reviewDeskRoutes } from './domains/reviews/desk-routes.server.ts';
import { reviewRoutes } from './domains/reviews/routes.server.ts';
import { createReviewReader } from './domains/reviews/service.server.ts';
import { createAuthentication, createSharedRead } from './domains/sessions/authentication.server.ts';
import { createStaffAuthentication } from './domains/staff/authentication.server.ts';
import type { Role } from './domains/staff/desk/contract.ts';
import { passkeyRoutes } from './domains/staff/passkeys-routes.server.ts';
import { startSecondFactor } from './domains/staff/passkeys-service.server.ts';
import { staffRoutes } from './domains/staff/routes.server.ts';
import type { StaffDependencies } from './domains/staff/service.server.ts';
import { createBrowsers, createKnownDevices } from './domains/verification/authentication.server.ts';
import { verificationRoutes } from './domains/verification/routes.server.ts';
import { systemRoutes } from './domains/system/routes.server.ts';
import { recordJob } from './domains/system/service.server.ts';
import { currentProofPrice } from './domains/verification/service.server.ts';
import { walletRoutes } from './domains/wallet/routes.server.ts';
import { offeredLanguages } from './i18n/catalogues.server.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { isIndianMobile } from './lib/mobile.ts';
import { createClientRateLimits } from './security/client-rate-limits.server.ts';
import { concurrencyLimitByKey } from './security/concurrency-limit.server.ts';
import { createPasswords } from './security/passwords.server.ts';
import { keyedHash } from './security/tokens.server.ts';
import { apiDocs } from './server/api-docs/api-docs.server.ts';
import { collectCalls } from './server/api-docs/openapi.server.ts';
import { siteFiles } from './server/documents/site-files.server.ts';
import { checkMode } from './server/demo/live-use.server.ts';
import { createApp } from './server/http/app.server.ts';
import { createMetrics } from './server/http/metrics.server.ts';
import { readQueues } from './server/http/queue-metrics.server.ts';
import { probes } from './server/http/probes.server.ts';
import { startTracing } from './server/tracing/tracing.server.ts';
import { createBackgroundWork } from './server/jobs/background-work.server.ts';
import { createHourlyJobs } from './server/jobs/hourly-jobs.server.ts';
import { createLedgerAudit } from './server/jobs/ledger-audit.server.ts';
import { listJobs } from './server/jobs/list-jobs.server.ts';
import * as external from './external-services.server.ts';
import type { Settings } from './settings.server.ts';

export interface ComposeOptions {
  settings: Settings;
  /** The settings' DATABASE_URL, or the socket of the embedded server. */
  database: DatabaseConfig;
  /** For LISTEN and migrations, if `database` is a pooler. */
  directDatabase?: DatabaseConfig | undefined;
  /** Signs and hashes what must not be guessed; at least 32 bytes. */
  secret: string;
  /** The time between two checks of the replica; tests use a shorter one. */
  replicaCheckMs?: number;
  /** Contains the photos if the settings name no other folder for them. */
  dataDir?: string;
  /** React Router's server build; without one the program serves no documents. */
  build: ServerBuild | undefined;
  clientDir?: string | undefined;
  /** The built console of the staff. */
  consoleDir?: string | undefined;
  mode?: 'production' | 'development';
  clock?: Clock;
  /** Compare the clock with the database's; by default only the system clock. */
  checksClock?: boolean;
  logStream?: { write(line: string): void };
  /** Timeouts of calls to external services; tests use shorter ones. */
  timeouts?: external.ServiceTimeouts;
  /** Aborts the migrations: they may wait for a lock of another process. */
  stopping?: AbortSignal;
  /** Receives one line for each cause of a wait before the program can log. */
  logStart?: (line: string) => void;
}

/**
 * Migrates the database and builds the program on it. A demonstration gets sample rates. The
 * program serves requests once its `app` listens, and runs jobs once `startJobs` is called. Throws
 * the errors of `migrate`, `WrongClock` and `StartupError`.
 */
export async function composeProgram(options: ComposeOptions) {
  // Settings

  const { settings, secret, clock = systemClock, timeouts = external.SERVICE_TIMEOUTS } = options;
  const publicUrl = settings.publicUrl ? new URL(settings.publicUrl) : undefined;
  const https = publicUrl?.protocol === 'https:';
  const demo = settings.mode === 'demo';
  const brand = brandOf(settings);
  const site: SiteConfig = {
    brand,
    demo,
    botCheck: external.publicBotCheck(settings),
    counting: settings.analytics.kind !== 'off',
    referralBonusTime: settings.referralBonusTime,
    maxCompensationPaise: settings.maxCompensationPaise,
    languages: offeredLanguages,
  };
  // Set once the app exists. Until then the start fails with its error, and nothing is logged.
  let log: FastifyInstance['log'] | undefined;
  const onFailure = (error: unknown, what: string) => log?.error({ err: error }, `${what} failed`);

  // Database

  // pg attaches the whole client with its statements and settings to this error: only the message
  // goes to the log.
  const onConnectionLost = (error: Error) => log?.warn({ reason: error.message }, 'database connection lost');
  const direct = options.directDatabase ?? options.database;
  await migrate(direct, migrations, { stopping: options.stopping, log: options.logStart });
  const pooler = await detectPooler(options.database);
  const database = openDatabase({
    connection: options.database,
    isPooled: pooler !== 'none',
    poolSize: settings.databasePool,
    onConnectionLost,
  });
  const { db } = database;
  const compareClocks = async () => {
    if (options.checksClock ?? options.clock === undefined) await checkClock(db, clock);
  };
  const checkDatabase = async () => {
    await compareClocks();
    await checkMode(db, { demo, now: clock.now() });
  };
  await checkDatabase().catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  if (demo) await loadSampleCatalogue(db);
  const { readDatabase, databasePool: poolSize } = settings;
  const replica = readDatabase && createReadReplica({ connection: readDatabase, primary: db, poolSize, clock });
  const readStale: StaleRead = replica?.read ?? ((work) => work(db));

  // External services

  const serviceOptions: external.ServiceOptions = { db, clock, settings, secret, timeouts, onFailure };
  const botCheck = external.createBotCheck(serviceOptions);
  const codes = external.createCodeProvider(serviceOptions);
  const gateway = external.createGateway(serviceOptions);
  const textGateway = external.createTextGateway(serviceOptions);
  const messages = createMessages({ db, clock, gateway: textGateway, firstRetryMs: timeouts.firstRetryMs, onFailure });
  const notificationGateway = external.createNotificationGateway(serviceOptions);
  const storage = external.createPhotoStorage(serviceOptions, options.dataDir);
  const sink = external.createEventSink(settings, (line) => log?.info(line));

  // Domains

  const limits = createClientRateLimits({ clock, exemptsLoopback: demo && !settings.publicUrl });
  const browsers = createBrowsers({ https });
  const authentication = createAuthentication({ db, clock, https });
  const read = createSharedRead(db, authentication, readStale);
  const passwords = createPasswords();
  const accounts: AccountDependencies = {
    db,
    clock,
    authentication,
    devices: createKnownDevices({ clock, https }),
    limits,
    loginLimit: loginLimit('log-ins of a network'),
    passwords,
    hash: keyedHash(secret, 'log-in'),
    guestOrders: {
      findName: findGuestName,
      hasOrdered: hasGuestOrders,
      assign: async (tx, assignment, now) => creditHeldChange(tx, await assignGuestOrders(tx, assignment, now), now),
    },
  };
  const staff: StaffDependencies = {
    db,
    clock,
    staff: createStaffAuthentication({ db, clock, https }),
    devices: createKnownDevices({ clock, https, cookieName: 'staff_device' }),
    limits,
    loginLimit: loginLimit('staff log-ins of a network'),
    passwords,
    hash: keyedHash(secret, 'staff log-in'),
  };
  const background = createBackgroundWork(onFailure);
  const siteUrl = settings.publicUrl ?? `http://localhost:${settings.port}`;
  const handOverCode = createHandOverCode(keyedHash(secret, 'hand-over code'));
  const orders = {
    db,
    clock,
    authentication,
    brand,
    maxOrdersPerDay: settings.maxOrdersPerDay,
    totalReceivedPaise,
    received: receivedOfOrderSql,
    handOverCode,
  };
  const payments = { db, clock, authentication, brand, payee: settings.upi, gateway, onFailure, runInBackground: background.run };
  const claims = { db, clock, authentication, storage, onFailure, uploads: createPhotoUploads() };
  const { operatorCreditsPerDayPaise, operatorOfferPercent, maxCashChangePaise } = settings;
  const desk = { db, clock, staff: staff.staff, operatorCreditsPerDayPaise, operatorOfferPercent };

  const registerCalls = (registerRoute: RegisterRoute) => {
    analyticsRoutes(registerRoute, { db, limits, sink, onFailure });
    botCheckRoutes(registerRoute, { botCheck, proofPrice: () => currentProofPrice({ db, clock }) });
    verificationRoutes(registerRoute, {
      db,
      clock,
      limits,
      devices: accounts.devices,
      hash: keyedHash(secret, 'network'),
      countRequest: (outcome) => metrics.countCodeRequest(outcome),
      limitPerMobile: concurrencyLimitByKey({ concurrent: 1, queued: 50 }),
      botCheck,
      messages,
      brand,
      browsers,
      codes,
      host: publicUrl?.hostname,
      canReceive: settings.sms.provider === 'outbox' ? () => true : isIndianMobile,
      sendTimeoutMs: timeouts.sendMs,
      createGuestSession: (tx, request, verified) => admitOrderingGuest(tx, accounts, request, verified),
    });
    accountRoutes(registerRoute, { ...accounts, browsers });
    profileRoutes(registerRoute, { ...accounts, browsers });
    addressRoutes(registerRoute, { db, clock, authentication });
    const reviewReader = createReviewReader(read, clock);
    reviewRoutes(registerRoute, { db, clock, authentication, reviewReader, isDelivered });
    catalogueRoutes(registerRoute, { read, reviewReader });
    walletRoutes(registerRoute, { db, authentication });
    offerRoutes(registerRoute, { db, authentication });
    const limitPerReferrer = concurrencyLimitByKey({ concurrent: 1, queued: 100 });
    referralRoutes(registerRoute, { db, clock, authentication, browsers, limitPerReferrer, bonusTime: settings.referralBonusTime });
    errorReportRoutes(registerRoute, { db, clock, limits });
    eveningRoutes(registerRoute, { read, clock });
    orderRoutes(registerRoute, orders);
    paymentRoutes(registerRoute, payments);
    claimRoutes(registerRoute, claims);
    privacyRoutes(registerRoute, { db, clock, authentication, browsers, devices: accounts.devices, storage });
    const requiresPasskey = (role: Role) => !demo && role !== 'rider';
    staffRoutes(registerRoute, {
      ...staff,
      startSecondFactor: (request, reply, person) => startSecondFactor({ ...staff, https, requiresPasskey }, request, reply, person),
    });
    passkeyRoutes(registerRoute, { ...staff, https, siteName: brand.name, publicUrl });
    cashRoutes(registerRoute, { db, clock, staff: staff.staff });
    // Customers cannot fill the memory for the photos of the staff.
    orderPhotoRoutes(registerRoute, { ...claims, staff: staff.staff, uploads: createPhotoUploads() });
    orderDeskRoutes(registerRoute, { ...desk, maxCashChangePaise, referralBonusTime: settings.referralBonusTime, handOverCode });
    claimDeskRoutes(registerRoute, desk);
    customerRoutes(registerRoute, desk);
    figureRoutes(registerRoute, { ...desk, read: readStale });
    systemRoutes(registerRoute, {
      ...desk,
      jobs: hourlyJobs.map(({ name }) => name),
      sendsMessages: notificationGateway !== undefined,
      hasTemplate: (kind) => notificationGateway?.hasTemplate(kind) ?? false,
      startLedgerAudit: (at) => void background.run('checking the ledger', (signal) => ledgerAudit.run(at, signal)),
    });
    reviewDeskRoutes(registerRoute, desk);
    catalogueDeskRoutes(registerRoute, desk);
    eveningDeskRoutes(registerRoute, { ...desk, ordersOfEvenings: { count: countOrdersOfEvenings, block: blockOrders } });
  };

  const metrics = createMetrics({ pool: database.pool, readQueues: () => readQueues(db, clock.now()), clock, replica });

  // Jobs

  const ledgerAudit = createLedgerAudit({ db, clock, connection: direct, onResult: metrics.setLedgerAudit });
  const hourlyJobs = listJobs({ db, ledgerAudit: ledgerAudit.job, photos: claims, payments });
  const jobs = createHourlyJobs({
    clock,
    onFailure: (error, name) => {
      metrics.countJob(name, 'failed', clock.now());
      onFailure(error, name);
    },
    onSuccess: (name) => metrics.countJob(name, 'succeeded', clock.now()),
    onEnd: async (run) => {
      await recordJob(db, run, clock.now()).catch((error: unknown) => onFailure(error, 'recording a job'));
    },
    checkClock: compareClocks,
    jobs: hourlyJobs,
  });

  const notifications = createNotifications({
    db,
    clock,
    authentication,
    gateway: notificationGateway,
    site: { brand: brand.name, url: siteUrl },
    timeoutMs: timeouts.attemptMs,
    onFailure,
  });

  // Server

  let stopping = false;
  const tracing = settings.tracing && startTracing(settings.tracing, onFailure);
  const documented = collectCalls(registerCalls);
  const app: FastifyInstance = await createApp({
    registerCalls: documented.registerAndCollect,
    registerOtherRoutes: (scope) => {
      apiDocs(scope, documented.calls(), brand);
      siteFiles(scope, { publicUrl: settings.publicUrl, brand, apps: settings.apps });
      probes(scope, { db, metrics, metricsToken: settings.metricsToken, isStopping: () => stopping });
      if (settings.sms.provider === 'outbox') {
        const browserHashOf = (request: FastifyRequest) => browsers.find(request)?.hash;
        outboxRoutes(scope, { db, brand, browserHashOf, otherMessages: notifications.listSent });
      }
      calendarRoutes(scope, { ...orders, siteUrl });
      gatewayRoutes(scope, payments);
      photoRoutes(scope, claims);
      deskPhotoRoutes(scope, { ...claims, staff: staff.staff });
      orderPhotoFiles(scope, { ...claims, staff: staff.staff });
      const watching = { db, clock, authentication, connection: direct };
      orderEventRoutes(scope, { ...watching, onConnectionLost, runInBackground: background.run });
      deskEventRoutes(scope, { ...watching, staff: staff.staff, onConnectionLost, runInBackground: background.run });
    },
    documents: options.build && {
      build: options.build,
      mode: options.mode ?? 'production',
      clientDir: options.clientDir,
      consoleDir: options.consoleDir,
      externalSources: external.externalSources(settings),
      site,
    },
    clock,
    metrics,
    publicUrl: settings.publicUrl,
    trustProxyHops: settings.trustProxyHops,
    isStopping: () => stopping,
    loggedSuccesses: settings.loggedSuccesses,
    tracing,
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel, ...(options.logStream && { stream: options.logStream }) },
  });
  log = app.log;
  replica?.start(log, options.replicaCheckMs);
  if (pooler === 'transaction' && direct === options.database)
    log.warn('the pooler loses notifications: pages of orders follow after up to 15 s. Set DATABASE_DIRECT_URL');
  app.addHook('onClose', async () => {
    await Promise.all([jobs.stop(), notifications.stop(), background.stop(), replica?.close(), tracing?.stop()]);
    await database.close();
  });

  return {
    app,
    database,
    clock,
    site,
    startJobs: () => {
      jobs.start();
      notifications.start();
    },
    /** From now on `/readyz` responds with 503, and each response ends its connection. */
    announceStop: () => {
      stopping = true;
    },
  };
}
