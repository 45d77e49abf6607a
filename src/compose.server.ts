/**
 * The composition root: one function that builds the whole program, in the order of its lines.
 * main.ts calls it, and so do the development server and every test that needs a real program. Its
 * parts are in compose/.
 */
import type { ServerBuild } from 'react-router';
import { openDatabases } from './compose/databases.server.ts';
import { createDomains } from './compose/domains.server.ts';
import { createJobs } from './compose/jobs.server.ts';
import { registerCalls, registerOtherRoutes, type ProgramParts } from './compose/routes.server.ts';
import { createServices, externalSources, publicBotCheck, SERVICE_TIMEOUTS, type ServiceTimeouts } from './compose/services.server.ts';
import type { DatabaseConfig } from './db/hosts.server.ts';
import { CODE_REQUEST_OUTCOMES } from './domains/verification/rules.ts';
import { offeredLanguages } from './i18n/catalogues.server.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { registerApiDocs } from './server/api-docs/api-docs.server.ts';
import { collectCalls } from './server/api-docs/openapi.server.ts';
import { registerSiteFiles } from './server/documents/site-files.server.ts';
import { createApp } from './server/http/app.server.ts';
import { createLog } from './server/http/log.server.ts';
import { createMetrics } from './server/http/metrics.server.ts';
import { registerProbes } from './server/http/probes.server.ts';
import { readStoredState } from './server/http/stored-state.server.ts';
import { createBackgroundWork } from './server/jobs/background-work.server.ts';
import { startTracing } from './server/tracing/tracing.server.ts';
import type { Settings } from './settings.server.ts';
import { brandOf } from './shared/brand.ts';
import type { SiteConfig } from './shared/site-config.ts';

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
  timeouts?: ServiceTimeouts;
  /** Aborts the migrations: they may wait for a lock of another process. */
  stopping?: AbortSignal;
  /** Receives one line for each cause of a wait before the program can log. */
  logStart?: (line: string) => void;
}

/**
 * Migrates the database and builds the program on it. The program serves requests once its `app`
 * listens, and runs jobs once `startJobs` is called. Throws the errors of `openDatabases`.
 */
export async function composeProgram(options: ComposeOptions) {
  const { settings, secret, clock = systemClock, timeouts = SERVICE_TIMEOUTS, dataDir, stopping, logStart } = options;
  const { database, directDatabase, checksClock = options.clock === undefined } = options;
  const publicUrl = settings.publicUrl ? new URL(settings.publicUrl) : undefined;
  const siteUrl = settings.publicUrl ?? `http://localhost:${settings.port}`;
  const https = publicUrl?.protocol === 'https:';
  const site = siteConfig(settings);
  const { brand } = site;

  const log = createLog(settings.logLevel, options.logStream);
  const onFailure = (error: unknown, operation: string) => log.error({ err: error }, `${operation} failed`);

  const databases = await openDatabases({ settings, database, directDatabase, clock, checksClock, log, stopping, logStart });
  const { db, replica } = databases;
  const services = createServices({ settings, secret, db, clock, timeouts, dataDir, log, onFailure });
  const metrics = createMetrics({
    codeRequestOutcomes: CODE_REQUEST_OUTCOMES,
    pool: databases.database.pool,
    readState: () => readStoredState(db, clock.now()),
    clock,
    replica,
  });
  const tracing = settings.tracing && startTracing(settings.tracing, onFailure);
  const background = createBackgroundWork(onFailure);
  const domains = createDomains({ settings, secret, https, brand, clock, databases, services, background, onFailure });
  const jobs = createJobs({ siteUrl, brand, clock, timeouts, databases, services, domains, metrics, background, onFailure });

  const parts: ProgramParts = {
    settings,
    secret,
    site,
    publicUrl,
    siteUrl,
    https,
    clock,
    timeouts,
    databases,
    services,
    domains,
    metrics,
    background,
    jobs,
    onFailure,
  };
  const documented = collectCalls((registerRoute) => registerCalls(registerRoute, parts));
  let isStopping = false;
  const app = await createApp({
    registerCalls: documented.registerAndCollect,
    registerOtherRoutes: (scope) => {
      registerApiDocs(scope, documented.calls(), brand);
      registerSiteFiles(scope, { publicUrl: settings.publicUrl, brand, apps: settings.apps });
      registerProbes(scope, { db, metrics, metricsToken: settings.metricsToken, isStopping: () => isStopping });
      registerOtherRoutes(scope, parts);
    },
    documents: options.build && {
      build: options.build,
      mode: options.mode ?? 'production',
      clientDir: options.clientDir,
      consoleDir: options.consoleDir,
      externalSources: externalSources(settings),
      site,
    },
    clock,
    metrics,
    publicUrl: settings.publicUrl,
    trustProxyHops: settings.trustProxyHops,
    isStopping: () => isStopping,
    loggedSuccesses: settings.loggedSuccesses,
    tracing,
    log,
  });
  replica?.start(log, options.replicaCheckMs);
  app.addHook('onClose', async () => {
    await Promise.all([jobs.stop(), background.stop(), replica?.close(), tracing?.stop()]);
    await databases.database.close();
  });

  return {
    app,
    database: databases.database,
    clock,
    site,
    storage: services.storage,
    startJobs: jobs.start,
    /** From now on `/readyz` responds with 503, and each response ends its connection. */
    announceStop: () => {
      isStopping = true;
    },
  };
}

/** The public settings, which browsers receive. */
const siteConfig = (settings: Settings): SiteConfig => ({
  brand: brandOf(settings),
  demo: settings.mode === 'demo',
  botCheck: publicBotCheck(settings),
  counting: settings.analytics.kind !== 'off',
  referralBonusTime: settings.referralBonusTime,
  maxCompensationPaise: settings.maxCompensationPaise,
  languages: offeredLanguages,
});
