import type { Db } from '../../db/database.server.ts';
import { deleteExpiredLimits } from '../../db/limits.server.ts';
import { deleteExpiredAccountData } from '../../domains/accounts/service.server.ts';
import { deleteExpiredProofs } from '../../domains/bot-check/store.server.ts';
import { deleteUnsentPhotos } from '../../domains/claims/service.server.ts';
import { deleteExpiredReports } from '../../domains/error-reports/service.server.ts';
import { addUpNewFigures, addUpRecentFigures } from '../../domains/figures/service.server.ts';
import { deleteExpiredMessages } from '../../domains/messages/service.server.ts';
import { cleanUpNotifications } from '../../domains/notifications/service.server.ts';
import { deleteIncompletePhotos } from '../../domains/order-desk/photos-service.server.ts';
import { deleteExpiredOrderKeys } from '../../domains/orders/placing-service.server.ts';
import { reconcile, type PaymentServiceDependencies } from '../../domains/payments/service.server.ts';
import type { PhotoStorage } from '../../domains/photos/provider.server.ts';
import { deleteQueuedFiles } from '../../domains/photos/service.server.ts';
import { deleteExpiredSessions, updateFutureSessions } from '../../domains/sessions/store.server.ts';
import { deleteExpiredStaffData } from '../../domains/staff/service.server.ts';
import { deleteExpiredVerifications } from '../../domains/verification/service.server.ts';
import type { LedgerAuditJobs } from './ledger-audit.server.ts';
import type { Job } from './periodic-jobs.server.ts';

interface JobDependencies {
  db: Db;
  ledgerAudit: LedgerAuditJobs;
  storage: PhotoStorage;
  payments: PaymentServiceDependencies;
}

/** Returns the hourly jobs in their order. `JOB_NAMES` (system/desk/system-texts.ts) names them. */
export const listHourlyJobs = ({ db, ledgerAudit, storage, payments }: JobDependencies): readonly Job[] => [
  ledgerAudit.job,
  { name: 'delete expired limits', run: (now, signal) => deleteExpiredLimits(db, now, signal) },
  { name: 'delete expired bot proofs', run: (now) => deleteExpiredProofs(db, now) },
  { name: 'delete expired verifications', run: (now) => deleteExpiredVerifications(db, now) },
  { name: 'delete expired messages', run: (now) => deleteExpiredMessages(db, now) },
  { name: 'delete expired sessions', run: (now) => deleteExpiredSessions(db, now) },
  { name: 'shorten future sessions', run: (now) => updateFutureSessions(db, now) },
  { name: 'delete expired accounts', run: (now) => deleteExpiredAccountData(db, now) },
  { name: 'delete expired staff data', run: (now) => deleteExpiredStaffData(db, now) },
  { name: 'delete expired error reports', run: (now) => deleteExpiredReports(db, now) },
  { name: 'delete expired order keys', run: (now) => deleteExpiredOrderKeys(db, now) },
  { name: 'delete incomplete photos', run: (now) => deleteIncompletePhotos(db, now) },
  { name: 'delete unsent photos', run: (now) => deleteUnsentPhotos(db, now) },
  { name: 'delete files of photos', run: (now, signal) => deleteQueuedFiles({ db, storage }, { now, signal }) },
  { name: 'add up recent figures', run: (now, signal) => addUpRecentFigures(db, now, signal) },
  { name: 'clean up notifications', run: (now) => cleanUpNotifications(db, now) },
  { name: 'reconciling payments', run: (now, signal) => reconcile(payments, now, signal) },
];

/** Returns the jobs that run every five minutes, named as the hourly ones. */
export const listFrequentJobs = ({ db, ledgerAudit }: Pick<JobDependencies, 'db' | 'ledgerAudit'>): readonly Job[] => [
  ledgerAudit.newEntriesJob,
  { name: 'add up new figures', run: (now, signal) => addUpNewFigures(db, now, signal) },
];
