import { createNotifications, type Notifications } from '../domains/notifications/service.server.ts';
import { NEW_ENTRIES_SECONDS, recordJob } from '../domains/system/service.server.ts';
import type { Clock } from '../lib/clock.ts';
import type { BackgroundWork } from '../server/jobs/background-work.server.ts';
import { createPeriodicJobs, type JobRun } from '../server/jobs/periodic-jobs.server.ts';
import { createLedgerAudit } from '../server/jobs/ledger-audit.server.ts';
import { listFrequentJobs, listHourlyJobs } from '../server/jobs/list-jobs.server.ts';
import type { Metrics } from '../server/http/metrics.server.ts';
import type { Brand } from '../shared/brand.ts';
import type { Databases } from './databases.server.ts';
import type { Domains } from './domains.server.ts';
import type { Services, ServiceTimeouts } from './services.server.ts';

interface JobOptions {
  siteUrl: string;
  brand: Brand;
  clock: Clock;
  timeouts: ServiceTimeouts;
  databases: Databases;
  services: Services;
  domains: Domains;
  metrics: Metrics;
  background: BackgroundWork;
  onFailure(error: unknown, operation: string): void;
}

const HOUR_MS = 60 * 60 * 1000;

/** The work that no request starts: the periodic jobs and the sender of notifications. */
export interface Jobs {
  /** The names of the periodic jobs. */
  names: readonly string[];
  notifications: Notifications;
  /** Audits the ledger in the background, once the audit was acquired at `startedAt`. */
  startLedgerAudit(startedAt: Date): void;
  start(): void;
  /** Aborts the running work. Resolves once none uses the database. */
  stop(): Promise<void>;
}

export function createJobs({
  siteUrl,
  brand,
  clock,
  timeouts,
  databases,
  services,
  domains,
  metrics,
  background,
  onFailure,
}: JobOptions): Jobs {
  const { db, direct, compareClocks } = databases;
  const { authentication, payments } = domains;
  const ledgerAudit = createLedgerAudit({ db, clock, connection: direct });
  const hourlyJobs = listHourlyJobs({ db, ledgerAudit, storage: services.storage, payments });
  const frequentJobs = listFrequentJobs({ db, ledgerAudit });
  const names = [...hourlyJobs, ...frequentJobs].map(({ name }) => name);
  for (const name of names) metrics.addJob(name);
  const runOptions = {
    clock,
    onFailure: (error: unknown, name: string) => {
      metrics.countJob(name, 'failed', clock.now());
      onFailure(error, name);
    },
    onSuccess: (name: string) => metrics.countJob(name, 'succeeded', clock.now()),
    onEnd: async (run: JobRun) => {
      await recordJob(db, run, clock.now()).catch((error: unknown) => onFailure(error, 'recording a job'));
    },
    checkClock: compareClocks,
  };
  const hourly = createPeriodicJobs({ ...runOptions, jobs: hourlyJobs, pauseMs: HOUR_MS });
  const frequent = createPeriodicJobs({ ...runOptions, jobs: frequentJobs, pauseMs: NEW_ENTRIES_SECONDS * 1000 });
  const notifications = createNotifications({
    db,
    clock,
    authentication,
    gateway: services.notificationGateway,
    site: { brand: brand.name, url: siteUrl },
    timeoutMs: timeouts.attemptMs,
    onFailure,
  });
  return {
    names,
    notifications,
    startLedgerAudit: (startedAt) => void background.run('checking the ledger', (signal) => ledgerAudit.run(startedAt, signal)),
    start: () => {
      hourly.start();
      frequent.start();
      notifications.start();
    },
    stop: async () => {
      await Promise.all([hourly.stop(), frequent.stop(), notifications.stop()]);
    },
  };
}
