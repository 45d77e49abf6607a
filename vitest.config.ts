import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    // The full reliability bar takes its time; `npm run bar` asks for it.
    exclude: process.env.BAR === 'full' ? [] : ['test/bar/**'],
    globalSetup: ['./test/support/database-server.ts'],
    setupFiles: ['./test/support/fail-on-console.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make each other wait.
    maxWorkers: 2,
  },
});
