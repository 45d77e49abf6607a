import { defineConfig } from 'vitest/config';
import { inlineScript } from './tools/inline-script.ts';

/**
 * Tests of modules that keep state, as the modules of a page do, and the test that imports other
 * test files: each file has a process of its own. launch/processes.ts is such a module.
 */
const STATEFUL = [
  'src/{browser,i18n,pre-hydration,shared,site,ui}/**/*.test.{ts,tsx}',
  'src/domains/*/{pages,desk}/**/*.test.{ts,tsx}',
  'test/launch/**/*.test.ts',
  'test/race/{data-folder,database-outage,disk-full,two-programs}.test.ts',
];

// `npm run bar` runs the fault and attack tests at full size, which takes longer.
const TOO_LONG = process.env.TEST_SIZE === 'full' ? [] : ['test/full-size/**'];

export default defineConfig({
  plugins: [inlineScript()],
  test: {
    globalSetup: ['./test/support/database-server.ts'],
    setupFiles: ['./test/support/fail-on-console.ts', './test/support/stop-stand-ins.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine takes seconds for what usually takes milliseconds.
    expect: { poll: { timeout: 20_000 } },
    // One more than the two cores of the build server: many tests wait for a deadline.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'own process', include: STATEFUL } },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: [...STATEFUL, ...TOO_LONG],
          // Loading the program takes most of the processor time of a short file. Modules of the
          // server keep no state: a program is composed by each file.
          isolate: false,
        },
      },
    ],
  },
});
