import { defineConfig } from 'vitest/config';
import { inlineScript } from '../../tools/inline-script.ts';

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: ['src/domains/{wallet,payments}/*.test.ts'],
    exclude: ['**/rules.test.ts', '**/amounts.test.ts'],
    globalSetup: ['./test/support/database-server.ts'],
    // Stryker runs tests by name, and the names of random tests contain their seed.
    env: { SEED: '1' },
    setupFiles: ['./test/support/fail-on-console.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
