/**
 * Mutates the services of wallet and payments. The tests drive the whole program on PostgreSQL.
 */
import { shared } from './shared.mjs';

export default {
  ...shared('services'),
  mutate: ['src/domains/{wallet,payments}/*service.server.ts'],
  vitest: { configFile: 'test/mutation/services.vitest.config.ts' },
  // The audit after each test file makes the mutants of the ledger's audit static. With this option
  // they run only the tests that reach them.
  ignoreStatic: true,
  dryRunTimeoutMinutes: 10,
  // A test that is only slow must not count as one that found its mutant.
  timeoutMS: 60_000,
};
