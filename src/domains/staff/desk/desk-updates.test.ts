import { expect, test } from 'vitest';
import { createUpdates, type Changes } from './desk-updates.ts';

test('updates the screen again after a failed update', async () => {
  const seen: Changes[] = [];
  const updates = createUpdates(async (changes) => {
    seen.push(changes);
    if (seen.length === 1) throw new Error('planted');
  });
  await expect(updates.updateAll()).rejects.toThrow('planted');
  await updates.updateAll();
  expect(seen).toEqual([null, null]);
});
