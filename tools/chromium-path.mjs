import { existsSync } from 'node:fs';

/**
 * Debian's package without a user interface. It needs a third less processor time
 * (docs/decisions/0030-tests.md).
 */
export const headlessShell = '/usr/bin/chromium-headless-shell';

/** Browsers with a user interface, which Lighthouse needs. */
export const fullBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Returns CHROMIUM_PATH or the first installed browser, or undefined: Playwright then uses its own
 * download.
 */
export const chromiumPath = () => configuredOrInstalled([headlessShell, ...fullBrowsers]);

/** Like `chromiumPath`, but does not look for the headless shell. */
export const fullChromiumPath = () => configuredOrInstalled(fullBrowsers);

const configuredOrInstalled = (paths) => process.env.CHROMIUM_PATH ?? paths.find((path) => existsSync(path));
