/**
 * The composition root: one function that builds the whole program in dependency order. main.ts
 * calls it, and so do the development server and every test that needs a real program.
 */
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { ServerBuild } from 'react-router';
import { brandOf } from './shared/brand.ts';
import type { SiteConfig } from './shared/site-config.ts';
import type { RegisterRoute } from './contract/route.server.ts';
import { openDatabase, type Db } from './db/database.server.ts';
import { deleteExpiredLimits } from './db/limits.server.ts';
import { migrate, migrations } from './db/migrate.server.ts';
import { accountRoutes } from './domains/accounts/routes.server.ts';
import { deleteExpiredAccountData, type AccountDependencies } from './domains/accounts/service.server.ts';
import { addressRoutes } from './domains/addresses/routes.server.ts';
import { ga4Sink, logSink, type EventSink } from './domains/analytics/provider.server.ts';
import { analyticsRoutes } from './domains/analytics/routes.server.ts';
import { hostedChecks } from './domains/bot-check/contract.ts';
import { BOT_CHECK_TIMEOUT_MS, noBotCheck, type BotCheck } from './domains/bot-check/provider.server.ts';
import { altcha } from './domains/bot-check/providers/altcha.server.ts';
import { recaptcha } from './domains/bot-check/providers/recaptcha.server.ts';
import { turnstile } from './domains/bot-check/providers/turnstile.server.ts';
import { botCheckRoutes } from './domains/bot-check/routes.server.ts';
import { deleteExpiredProofs } from './domains/bot-check/store.server.ts';
import { catalogueRoutes } from './domains/catalogue/routes.server.ts';
import { loadSampleCatalogue } from './domains/catalogue/service.server.ts';
import { STORAGE_TIMEOUT_MS, type PhotoStorage } from './domains/claims/provider.server.ts';
import { folderStorage } from './domains/claims/providers/folder.server.ts';
import { s3Storage } from './domains/claims/providers/s3.server.ts';
import { claimRoutes, photoRoutes } from './domains/claims/routes.server.ts';
import { deleteUnsentPhotos } from './domains/claims/service.server.ts';
import { errorReportRoutes } from './domains/error-reports/routes.server.ts';
import { deleteExpiredReports } from './domains/error-reports/service.server.ts';
import { CODE_TEMPLATE, MESSAGE_TIMEOUTS, outboxGateway, type TextGateway } from './domains/messages/provider.server.ts';
import { msg91 } from './domains/messages/providers/msg91.server.ts';
import { outboxRoutes } from './domains/messages/routes.server.ts';
import { createMessages, deleteExpiredMessages } from './domains/messages/service.server.ts';
import { cleanUpNotifications, createNotifications } from './domains/notifications/service.server.ts';
import { offerRoutes } from './domains/offers/routes.server.ts';
import { calendarRoutes, orderEventRoutes, orderRoutes } from './domains/orders/routes.server.ts';
import { admitOrderingGuest, claimGuestOrders, deleteExpiredOrderKeys, findGuestName } from './domains/orders/service.server.ts';
import { isDelivered, newestClaimableName } from './domains/orders/store.server.ts';
import { GATEWAY_TIMEOUT_MS, type Gateway } from './domains/payments/provider.server.ts';
import { razorpay } from './domains/payments/providers/razorpay.server.ts';
import { sandbox } from './domains/payments/providers/sandbox.server.ts';
import { gatewayRoutes, paymentRoutes } from './domains/payments/routes.server.ts';
import { creditHeldChange, reconcile } from './domains/payments/service.server.ts';
import { receivedOfOrderSql, totalReceivedPaise } from './domains/payments/store.server.ts';
import { profileRoutes } from './domains/profile/routes.server.ts';
import { referralRoutes } from './domains/referrals/routes.server.ts';
import { reviewRoutes } from './domains/reviews/routes.server.ts';
import { createReviewReader } from './domains/reviews/service.server.ts';
import { createAuthentication } from './domains/sessions/authentication.server.ts';
import { deleteExpiredSessions, shortenFutureSessions } from './domains/sessions/store.server.ts';
import { createBrowsers, createKnownDevices } from './domains/verification/authentication.server.ts';
import { CHECK_CODE_TIMEOUT_MS, localCodes, type CodeProvider } from './domains/verification/provider.server.ts';
import { signedTokens, unsignedTokens } from './domains/verification/providers/firebase-tokens.server.ts';
import { firebaseCodes } from './domains/verification/providers/firebase.server.ts';
import { verificationRoutes } from './domains/verification/routes.server.ts';
import { currentProofPrice, deleteExpiredVerifications } from './domains/verification/service.server.ts';
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
import { createApp } from './server/http/app.server.ts';
import { createMetrics } from './server/http/metrics.server.ts';
import { probes } from './server/http/probes.server.ts';
import { NO_EXTERNAL_SOURCES } from './server/http/security-headers.server.ts';
import { createBackgroundWork } from './server/jobs/background-work.server.ts';
import { createHourlyJobs } from './server/jobs/hourly-jobs.server.ts';
import type { Settings } from './settings.server.ts';

const SERVICE_TIMEOUTS = {
  ...MESSAGE_TIMEOUTS,
  checkCodeMs: CHECK_CODE_TIMEOUT_MS,
  botCheckMs: BOT_CHECK_TIMEOUT_MS,
  gatewayMs: GATEWAY_TIMEOUT_MS,
  storageMs: STORAGE_TIMEOUT_MS,
} as const;

export type ServiceTimeouts = Readonly<Record<keyof typeof SERVICE_TIMEOUTS, number>>;

export interface ComposeOptions {
  settings: Settings;
  /** The settings' DATABASE_URL, or the socket of the embedded server. */
  database: pg.ClientConfig;
  /** Signs and hashes what must not be guessed; at least 32 bytes. */
  secret: string;
  /** Contains the photos if the settings name no other folder for them. */
  dataDir?: string;
  /** React Router's server build; without one the program serves no documents. */
  build: ServerBuild | undefined;
  clientDir?: string | undefined;
  mode?: 'production' | 'development';
  clock?: Clock;
  logStream?: { write(line: string): void };
  /** Timeouts of calls to external services; tests use shorter ones. */
  timeouts?: ServiceTimeouts;
  /** Aborts the migrations: they may wait for a lock of another process for any time. */
  stopping?: AbortSignal;
}

/**
 * Migrates the database and builds the program on it. A demonstration gets sample rates. The
 * program serves requests once its `app` listens, and runs jobs once `startJobs` is called. Throws
 * the errors of `migrate`.
 */
export async function composeProgram(options: ComposeOptions) {
  // Settings

  const { settings, secret, clock = systemClock, timeouts = SERVICE_TIMEOUTS } = options;
  const publicUrl = settings.publicUrl ? new URL(settings.publicUrl) : undefined;
  const https = publicUrl?.protocol === 'https:';
  const demo = settings.mode === 'demo';
  const brand = brandOf(settings);
  const site: SiteConfig = {
    brand,
    demo,
    botCheck: publicBotCheck(settings),
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
  await migrate(options.database, migrations, options.stopping);
  const database = openDatabase({
    connection: options.database,
    poolSize: settings.databasePool,
    onConnectionLost,
  });
  const { db } = database;
  if (demo) await loadSampleCatalogue(db);

  // External services

  const external: ExternalOptions = { db, clock, settings, secret, timeouts, onFailure };
  const botCheck = createBotCheck(external);
  const codes = createCodeProvider(external);
  const gateway = createGateway(external);
  const messages = createMessages({ db, clock, gateway: createTextGateway(external), firstRetryMs: timeouts.firstRetryMs, onFailure });
  const storage = createPhotoStorage(external, options.dataDir);
  const sink = createEventSink(settings, (line) => log?.info(line));

  // Domains

  const limits = createClientRateLimits({ clock, exemptsLoopback: demo && !settings.publicUrl });
  const browsers = createBrowsers({ https });
  const authentication = createAuthentication({ db, clock, https });
  const devices = createKnownDevices({ clock, https });
  const accounts: AccountDependencies = {
    db,
    clock,
    authentication,
    devices,
    limits,
    passwords: createPasswords(),
    hash: keyedHash(secret, 'log-in'),
    guestOrders: {
      findName: findGuestName,
      hasOrdered: async (on, customerId) => (await newestClaimableName(on, { customerId, placedAfter: new Date(0) })) !== undefined,
      claim: async (tx, claim, now) => creditHeldChange(tx, await claimGuestOrders(tx, claim, now), now),
    },
  };
  const background = createBackgroundWork(onFailure);
  const orders = {
    db,
    clock,
    authentication,
    brand,
    maxOrdersPerDay: settings.maxOrdersPerDay,
    totalReceivedPaise,
    received: receivedOfOrderSql,
  };
  const payments = { db, clock, authentication, brand, payee: settings.upi, gateway, onFailure, runInBackground: background.run };
  const claims = { db, clock, authentication, storage, onFailure };

  const registerCalls = (registerRoute: RegisterRoute) => {
    analyticsRoutes(registerRoute, { db, limits, sink, onFailure });
    botCheckRoutes(registerRoute, { botCheck, proofPrice: () => currentProofPrice({ db, clock }) });
    verificationRoutes(registerRoute, {
      db,
      clock,
      limits,
      devices,
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
    const reviewReader = createReviewReader(db);
    reviewRoutes(registerRoute, { db, clock, authentication, reviewReader, isDelivered });
    catalogueRoutes(registerRoute, { db, reviewReader });
    walletRoutes(registerRoute, { db, authentication });
    offerRoutes(registerRoute, { db, authentication });
    const limitPerReferrer = concurrencyLimitByKey({ concurrent: 1, queued: 100 });
    referralRoutes(registerRoute, { db, clock, authentication, browsers, limitPerReferrer, bonusTime: settings.referralBonusTime });
    errorReportRoutes(registerRoute, { db, clock, limits });
    orderRoutes(registerRoute, orders);
    paymentRoutes(registerRoute, payments);
    claimRoutes(registerRoute, claims);
  };

  // Jobs

  const jobs = createHourlyJobs({
    clock,
    onFailure,
    jobs: [
      { name: 'delete expired limits', run: (now) => deleteExpiredLimits(db, now) },
      { name: 'delete expired bot proofs', run: (now) => deleteExpiredProofs(db, now) },
      { name: 'delete expired verifications', run: (now) => deleteExpiredVerifications(db, now) },
      { name: 'delete expired messages', run: (now) => deleteExpiredMessages(db, now) },
      { name: 'delete expired sessions', run: (now) => deleteExpiredSessions(db, now) },
      { name: 'shorten future sessions', run: (now) => shortenFutureSessions(db, now) },
      { name: 'delete expired accounts', run: (now) => deleteExpiredAccountData(db, now) },
      { name: 'delete expired error reports', run: (now) => deleteExpiredReports(db, now) },
      { name: 'delete expired order keys', run: (now) => deleteExpiredOrderKeys(db, now) },
      { name: 'delete unsent photos', run: (now, signal) => deleteUnsentPhotos(claims, now, signal) },
      { name: 'clean up notifications', run: (now) => cleanUpNotifications(db, now) },
      { name: 'reconciling payments', run: (now, signal) => reconcile(payments, now, signal) },
    ],
  });

  const notifications = createNotifications({
    db,
    clock,
    authentication,
    gateway: createNotificationGateway(external),
    site: { brand: brand.name, url: settings.publicUrl ?? '' },
    timeoutMs: timeouts.attemptMs,
    onFailure,
  });

  // Server

  let stopping = false;
  const metrics = createMetrics();
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
      calendarRoutes(scope, orders);
      gatewayRoutes(scope, payments);
      photoRoutes(scope, claims);
      const watching = { db, clock, authentication, connection: options.database };
      orderEventRoutes(scope, { ...watching, onConnectionLost, runInBackground: background.run });
    },
    documents: options.build && {
      build: options.build,
      mode: options.mode ?? 'production',
      clientDir: options.clientDir,
      externalSources: externalSources(settings),
      site,
    },
    clock,
    metrics,
    publicUrl: settings.publicUrl,
    trustProxyHops: settings.trustProxyHops,
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel, ...(options.logStream && { stream: options.logStream }) },
  });
  log = app.log;
  app.addHook('onClose', async () => {
    await Promise.all([jobs.stop(), notifications.stop(), background.stop()]);
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
    /** From now on `/readyz` responds with 503, while requests are still served. */
    announceStop: () => {
      stopping = true;
    },
  };
}

interface ExternalOptions {
  db: Db;
  clock: Clock;
  settings: Settings;
  secret: string;
  timeouts: ServiceTimeouts;
  onFailure(error: unknown, what: string): void;
}

function createBotCheck({ db, clock, secret, settings, timeouts, onFailure }: ExternalOptions): BotCheck {
  const { botCheck } = settings;
  switch (botCheck.kind) {
    case 'off':
      return noBotCheck;
    case 'altcha':
      return altcha({ db, clock, secret });
    case 'recaptcha':
      return recaptcha({ db, clock });
    case 'turnstile':
      return turnstile({
        db,
        clock,
        secret: botCheck.secret,
        url: botCheck.url,
        host: settings.publicUrl && new URL(settings.publicUrl).hostname,
        timeoutMs: timeouts.botCheckMs,
        onFailure,
      });
  }
}

/** Firebase sends its codes itself: with it, this gateway is not used for codes. */
const createTextGateway = ({ settings: { sms }, timeouts }: ExternalOptions): TextGateway =>
  sms.provider === 'msg91'
    ? msg91({ authKey: sms.authKey, url: sms.url, templates: { [CODE_TEMPLATE]: sms.templateId }, attemptMs: timeouts.attemptMs })
    : outboxGateway;

/** Returns undefined if no gateway is set for messages about orders. */
function createNotificationGateway({ settings: { sms, notifications }, timeouts }: ExternalOptions): TextGateway | undefined {
  if (sms.provider === 'outbox') return outboxGateway;
  return notifications && msg91({ ...notifications, attemptMs: timeouts.attemptMs });
}

function createCodeProvider({ clock, secret, settings: { sms }, timeouts }: ExternalOptions): CodeProvider {
  if (sms.provider !== 'firebase') return localCodes(secret);
  const { apiKey, url, projectId, keysUrl } = sms;
  const verifyToken = keysUrl
    ? signedTokens({ projectId, clock, keysUrl, timeoutMs: timeouts.checkCodeMs })
    : unsignedTokens({ projectId, clock });
  return firebaseCodes({ apiKey, url, verifyToken, startTimeoutMs: timeouts.attemptMs, checkTimeoutMs: timeouts.checkCodeMs });
}

/** Returns undefined if analytics is off. */
function createEventSink({ analytics }: Settings, log: (line: Record<string, unknown>) => void): EventSink | undefined {
  if (analytics.kind === 'ga4') return ga4Sink(analytics);
  return analytics.kind === 'log' ? logSink(log) : undefined;
}

/** Returns undefined if online payment is off. */
function createGateway({ db, clock, settings: { gateway }, timeouts }: ExternalOptions): Gateway | undefined {
  switch (gateway.kind) {
    case 'off':
      return undefined;
    case 'sandbox':
      return sandbox({ db, clock });
    case 'razorpay':
      return razorpay({ ...gateway, timeoutMs: timeouts.gatewayMs });
  }
}

function createPhotoStorage({ clock, settings: { photos, dataDir }, timeouts }: ExternalOptions, programDataDir?: string): PhotoStorage {
  if (photos.kind === 's3') return s3Storage({ ...photos, clock, timeoutMs: timeouts.storageMs });
  return folderStorage(photos.folder ?? path.join(programDataDir ?? dataDir ?? '.data', 'photos'));
}

/** The bot check without its secret, for browsers. */
const publicBotCheck = ({ botCheck }: Settings): SiteConfig['botCheck'] =>
  'siteKey' in botCheck ? { kind: botCheck.kind, siteKey: botCheck.siteKey } : { kind: botCheck.kind };

export const externalSources = ({ botCheck }: Settings) =>
  botCheck.kind === 'turnstile' || botCheck.kind === 'recaptcha' ? hostedChecks[botCheck.kind] : NO_EXTERNAL_SOURCES;
