import { expect, test } from 'vitest';
import { OUTDATED, retryOutdated } from './retry.ts';

test('an operation is repeated until it is not outdated, at most 20 times', async () => {
  const results = [OUTDATED, OUTDATED, 'placed', 'placed again'];
  expect(await retryOutdated(async () => results.shift())).toBe('placed');
  expect(results).toEqual(['placed again']);

  let attempts = 0;
  const outdated = async () => {
    attempts += 1;
    return OUTDATED;
  };
  await expect(retryOutdated(outdated)).rejects.toMatchObject({ kind: 'unavailable', code: 'service-busy', retryAfterSeconds: 3 });
  expect(attempts).toBe(20);
});
