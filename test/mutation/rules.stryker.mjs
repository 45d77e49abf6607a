/** Mutates every file of rules and src/lib, by their unit tests. */
import { shared } from './shared.mjs';

export default {
  ...shared('rules'),
  mutate: ['src/domains/**/*rules.ts', 'src/lib/*.ts', '!src/lib/*.test.ts'],
  vitest: { configFile: 'test/mutation/rules.vitest.config.ts' },
};
