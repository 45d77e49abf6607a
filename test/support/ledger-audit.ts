/**
 * After each test file the balances must equal the sums of the postings (docs/security.md, M7).
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { openDatabase } from '../../src/db/database.server.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';

/** Milliseconds. The ledger of a benchmark has a million entries. */
const AUDIT_TIMEOUT_MS = 120_000;

/**
 * Throws if the ledger is not balanced. Accepts a database without a ledger, which migration tests
 * leave.
 */
export async function expectBalancedLedger(connection: pg.ClientConfig) {
  const { db, close } = openDatabase({ connection, poolSize: 1, statementMs: AUDIT_TIMEOUT_MS, onConnectionLost: () => {} });
  try {
    const { rows } = await sql<{ found: boolean }>`select to_regclass('ledger_postings') is not null as found`.execute(db);
    if (!rows[0]?.found) return;
    const audit = await auditLedger(db);
    if (!isSound(audit)) throw new Error(`The ledger is not balanced: ${JSON.stringify(audit)}`);
  } finally {
    await close();
  }
}
