/** A terminal that is closed sends SIGHUP: the program stops as it does for Ctrl-C, and leaves nothing running. */
import { expect, test } from 'vitest';
import { newTestEnvironment } from '../support/test-environment.ts';

test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('%s stops the program with exit code 0', { timeout: 120_000 }, async (signal) => {
  const environment = await newTestEnvironment();
  const program = await environment.start();
  program.signal(signal);
  expect(await program.ended).toBe(0);
});
