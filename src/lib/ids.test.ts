import { expect, test } from 'vitest';
import { newId, newOrderId } from './ids.ts';

test('uses no random byte twice, for any order of the two lengths', () => {
  const ids = Array.from({ length: 20_000 }, (_, number) => (number % 3 === 0 ? newOrderId() : newId()));
  // Two equal pieces of 60 random bits occur once in a billion runs. A byte that is used twice
  // makes a repeated piece.
  const pieces = ids.join('').match(/.{12}/g) ?? [];
  expect(new Set(pieces).size).toBe(pieces.length);
});

test('returns ids of the right length, with each symbol of the alphabet about equally often', () => {
  const ids = Array.from({ length: 5000 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
  expect(newOrderId()).toHaveLength(12);
  const counts = new Map<string, number>();
  for (const symbol of ids.join('')) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  expect(counts.size).toBe(32);
  // The mean is 3,125. The tolerance is ten standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 3125)).toBeLessThan(550);
});
