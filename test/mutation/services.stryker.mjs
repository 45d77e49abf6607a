/**
 * Mutates the money services and the HTTP client. The tests drive the whole program on PostgreSQL.
 */
import { shared } from './shared.mjs';

export default {
  ...shared('services'),
  mutate: ['src/domains/wallet/service.server.ts', 'src/domains/payments/service.server.ts'],
  vitest: { configFile: 'test/mutation/services.vitest.config.ts' },
  // The audit after each test file makes the mutants of the ledger's audit static. With this option
  // they run only the tests that reach them.
  ignoreStatic: true,
  dryRunTimeoutMinutes: 10,
};
