/** Console output or an unhandled rejection that no test expects is a fault: it fails the test during which it came. */
import { afterEach, beforeEach, expect, vi } from 'vitest';

const methods = ['log', 'info', 'warn', 'error'] as const;
let spies: { name: string; spy: ReturnType<typeof vi.spyOn> }[] = [];

beforeEach(() => {
  spies = methods.map((name) => ({ name, spy: vi.spyOn(console, name) }));
});

afterEach(() => {
  const said = spies.flatMap(({ name, spy }) => spy.mock.calls.map((words: unknown[]) => `console.${name}: ${words.join(' ')}`));
  for (const { spy } of spies) spy.mockRestore();
  expect(said, 'unexpected console output').toEqual([]);
});
