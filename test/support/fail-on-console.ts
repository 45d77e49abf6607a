/** Fails a test that causes console output which it does not expect. */
import { afterEach, beforeEach, expect, vi } from 'vitest';

const methods = ['log', 'info', 'warn', 'error'] as const;
let spies: { name: string; spy: ReturnType<typeof vi.spyOn> }[] = [];

beforeEach(() => {
  spies = methods.map((name) => ({ name, spy: vi.spyOn(console, name) }));
});

afterEach(() => {
  const output = spies.flatMap(({ name, spy }) => spy.mock.calls.map((args: unknown[]) => `console.${name}: ${args.join(' ')}`));
  for (const { spy } of spies) spy.mockRestore();
  expect(output, 'unexpected console output').toEqual([]);
});
