import type { DatabaseConfig } from '../../db/hosts.server.ts';
import { onOneConnection } from '../../db/one-connection.server.ts';
import { auditInTransaction, isSound } from '../../domains/wallet/service.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import type { Job } from './hourly-jobs.server.ts';

interface LedgerAuditOptions {
  connection: DatabaseConfig;
  onResult(isBalanced: boolean, now: Date): void;
}

/**
 * A job that audits the ledger at the start and once a day, on a connection of its own without the
 * timeout of requests. Throws if the ledger is not balanced.
 */
export function ledgerAudit({ connection, onResult }: LedgerAuditOptions): Job {
  let next = new Date(0);
  return {
    name: 'audit the ledger',
    async run(now, signal) {
      if (now < next) return;
      const audit = await onOneConnection({ connection, name: 'audit', signal }, auditInTransaction);
      next = addSeconds(now, DAY_SECONDS);
      onResult(isSound(audit), now);
      if (!isSound(audit)) throw new Error(`The ledger is not balanced: ${JSON.stringify(audit)}`);
    },
  };
}
