import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/domains/**/*rules.test.ts', 'src/domains/payments/amounts.test.ts', 'src/lib/*.test.ts'],
    setupFiles: ['./test/support/fail-on-console.ts'],
  },
});
