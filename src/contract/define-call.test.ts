import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { kilograms } from './define-call.ts';

test.each([
  [7.53, 7530],
  [0.29, 290],
  [1000, 1_000_000],
])('%d kg is %i g in both directions', (wire, grams) => {
  expect(z.decode(kilograms, wire)).toBe(grams);
  expect(z.encode(kilograms, grams)).toBe(wire);
});

test('a weight with more than two decimals is invalid in both directions', () => {
  expect(z.safeDecode(kilograms, 7.535).success).toBe(false);
  expect(z.safeEncode(kilograms, 7535).success).toBe(false);
});
