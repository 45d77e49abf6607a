/** Tests that need Firebase's Auth emulator. Only `npm run test:firebase` runs them. */
import { defineConfig } from 'vitest/config';
import { inlineScript } from '../../tools/inline-script.ts';

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: ['test/firebase/*.emulator.ts'],
    globalSetup: ['./test/support/database-server.ts'],
    setupFiles: ['./test/support/fail-on-console.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
