import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { lazyComponent } from './lazy-component.ts';

test('a preload that failed is repeated by the next one, and one that loaded is not', async () => {
  const load = vi.fn(async () => () => null);
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const component = lazyComponent(load);
  for (const loads of [1, 2, 2]) {
    component.preload();
    await setImmediate();
    expect(load).toHaveBeenCalledTimes(loads);
  }
});
