import { defineConfig } from '@playwright/test';
import { certificateArgument } from './test/e2e/tls-proxy.ts';
import { chromiumPath } from './tools/chromium-path.mjs';

const executablePath = chromiumPath();

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/global-setup.ts',
  reporter: [['list'], ['./test/e2e/specified-texts-reporter.ts']],
  // One more than the two cores of the build server: a test and its browser wait for each other.
  workers: 3,
  // A test that passes only at the second attempt is a defect to fix.
  retries: 0,
  forbidOnly: true,
  // A whole order takes a dozen pages and calls, and checks run beside other work.
  timeout: 60_000,
  // A busy machine takes seconds for what usually takes milliseconds.
  expect: { timeout: 15_000 },
  // The program under test is what `npm run build` made, imported as it is.
  build: { external: ['**/build/**'] },
  use: {
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    // Requests that a service worker makes pass by the routes of a test; pwa.spec.ts lets it in.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Root cannot set up Chromium's sandbox. Other users run it with the sandbox.
      args: ['--disable-background-networking', certificateArgument(), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});
