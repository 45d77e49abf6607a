import { defineConfig } from 'vitest/config';
import { inlineScript } from '../../tools/inline-script.ts';

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: [
      'src/domains/{wallet,payments,manual-payments}/*.test.ts',
      'src/domains/order-desk/{changes,credits,reported-upi}.test.ts',
      'src/domains/orders/guest-orders.test.ts',
      'src/domains/privacy/privacy.test.ts',
    ],
    exclude: ['**/rules.test.ts', '**/amounts.test.ts'],
    globalSetup: ['./test/support/database-server.ts'],
    // Stryker runs tests by name, and the names of random tests contain their seed.
    env: { SEED: '1' },
    setupFiles: ['./test/support/fail-on-console.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
