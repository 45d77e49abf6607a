/** Reliability bar, M7: after every suite balances are rebuilt from the postings, and nothing has drifted. */
import { sql } from 'kysely';
import type pg from 'pg';
import { openDatabase } from '../../src/db/database.server.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';

/** A bench's books have a million entries. */
const AUDIT_MS = 120_000;

/** Throws where the books do not add up. A database that has no ledger, as tests of migrations leave it, has nothing to audit. */
export async function expectBalancedLedger(connection: pg.ClientConfig) {
  const { db, close } = openDatabase({ connection, poolSize: 1, statementMs: AUDIT_MS, onConnectionLost: () => {} });
  try {
    const { rows } = await sql<{ found: boolean }>`select to_regclass('ledger_postings') is not null as found`.execute(db);
    if (!rows[0]?.found) return;
    const audit = await auditLedger(db);
    if (!isSound(audit)) throw new Error(`The ledger does not add up: ${JSON.stringify(audit)}`);
  } finally {
    await close();
  }
}
