/** The whole program: database, domains, server. Started by main.ts, by the dev server and by every test that needs a real one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import type pg from 'pg';
import { offeredLanguages } from './i18n/catalogues.server.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { openDatabase, type Database } from './db/database.server.ts';
import { migrate } from './db/migrate.server.ts';
import { defaultBrand } from './browser/brand.ts';
import { SERVICE_TIMEOUTS, type ServiceTimeouts } from './lib/http-client.server.ts';
import type { SiteConfig } from './browser/site-config.ts';
import { apiDocs } from './server/api-docs/api-docs.server.ts';
import { createApp } from './server/http/app.server.ts';
import { cachedPathsOf } from './server/documents/cached-paths.server.ts';
import { loadSamples } from './server/demo/demo.server.ts';
import { createMetrics } from './server/http/metrics.server.ts';
import { rememberCalls } from './server/api-docs/openapi.server.ts';
import { outsideSources, publicBotCheck } from './external-services.server.ts';
import { probes } from './server/http/probes.server.ts';
import type { Settings } from './settings.server.ts';
import { siteFiles } from './server/documents/site-files.server.ts';
import type { Foundations } from './foundations.server.ts';
import { wireDomains } from './wiring.server.ts';

export interface ProgramOptions {
  settings: Settings;
  /** Where the database is; the settings' DATABASE_URL or the embedded server's socket. */
  database: pg.ClientConfig;
  secret: string;
  build: ServerBuild | undefined;
  clientDir?: string | undefined;
  mode?: 'production' | 'development';
  clock?: Clock;
  /** The demonstration's customer, where there is none yet. */
  samples?: boolean;
  logStream?: { write(line: string): void };
  /** How long pages wait for services outside; tests have less patience. */
  timeouts?: ServiceTimeouts;
}

export interface Program {
  app: FastifyInstance;
  database: Database;
  site: SiteConfig;
  /** The address it listens on. */
  url: string;
  stop(): Promise<void>;
}

export async function buildProgram(options: ProgramOptions) {
  const { settings, clock = systemClock } = options;
  const site: SiteConfig = {
    brand: { ...defaultBrand, ...withoutUndefined(settings.brand) },
    demo: settings.mode === 'demo',
    botCheck: publicBotCheck(settings),
    counting: settings.analytics.kind !== 'off',
    languages: offeredLanguages,
  };
  await migrate(options.database);
  const state = { stopping: false };
  const database = openDatabase({
    connection: options.database,
    poolSize: settings.databasePool,
    // pg hangs the whole client on this error, statements and settings included: the log gets its words alone.
    onConnectionLost: (error) => app.log.warn({ reason: error.message }, 'database connection lost'),
  });
  const foundations: Foundations = {
    db: database.db,
    clock,
    settings,
    site,
    secret: options.secret,
    timeouts: options.timeouts ?? SERVICE_TIMEOUTS,
    log: (line) => app.log.info(line),
    onBackgroundFailure: (error, what) => app.log.error({ err: error }, `${what} failed`),
  };
  const domains = wireDomains(foundations);
  await domains.prepare();
  const bound = rememberCalls(domains.routes);
  const metrics = createMetrics();
  const app = await createApp({
    domains: bound.bind,
    extras: (scope) => {
      apiDocs(scope, bound.calls(), site.brand);
      siteFiles(scope, { publicUrl: settings.publicUrl, brand: site.brand });
      probes(scope, { db: database.db, metrics, isStopping: () => state.stopping });
      domains.extras(scope);
    },
    documents: options.build && {
      build: options.build,
      mode: options.mode ?? 'production',
      clientDir: options.clientDir,
      cachedPaths: cachedPathsOf(options.build),
      outsideSources: outsideSources(settings),
      site,
    },
    clock,
    metrics,
    publicUrl: settings.publicUrl,
    trustProxyHops: settings.trustProxyHops,
    logger: settings.logLevel === 'silent' ? false : { level: settings.logLevel, ...(options.logStream && { stream: options.logStream }) },
  });
  app.addHook('onClose', async () => {
    await domains.stop();
    await database.close();
  });
  return { app, database, site, state, startWork: domains.start, loadSamples: () => loadSamples(foundations) };
}

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { app, database, site, state, startWork, loadSamples } = await buildProgram(options);
  const listen = async () => {
    // Before the first request: nobody sees a demonstration without its customer.
    if (options.samples) await loadSamples();
    return app.listen({ port: options.settings.port, host: options.settings.host });
  };
  const url = await listen().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  startWork();
  return {
    app,
    database,
    site,
    url: url.replace('0.0.0.0', 'localhost'),
    stop: async () => {
      // Readiness turns red while the door is still open: a balancer that asks meanwhile sends nothing more, and nobody is turned away.
      state.stopping = true;
      await sleep(options.settings.drainSeconds * 1000);
      await app.close();
    },
  };
}

const withoutUndefined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as { [Key in keyof Value]: NonNullable<Value[Key]> };
