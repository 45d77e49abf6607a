/** Tests that need Firebase's Auth emulator; started by `npm run test:firebase`, never by `npm test`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/firebase/*.emulator.ts'],
    globalSetup: ['./test/support/database-server.ts'],
    setupFiles: ['./test/support/quiet-console.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
