import { defineConfig } from 'vitest/config';
import { inlineScript } from './tools/inline-script.ts';

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    // `npm run bar` runs the fault and attack tests at full size, which takes longer.
    exclude: process.env.TEST_SIZE === 'full' ? [] : ['test/full-size/**'],
    globalSetup: ['./test/support/database-server.ts'],
    setupFiles: ['./test/support/fail-on-console.ts', './test/support/stop-stand-ins.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than the two cores of the build server: many tests wait for a deadline.
    maxWorkers: 3,
  },
});
