import { expect, test } from 'vitest';
import { newId, newOrderId } from './ids.ts';

test('no random bits are used twice, however the lengths meet the bytes that are drawn at once', () => {
  const ids = Array.from({ length: 20_000 }, (_, number) => (number % 3 === 0 ? newOrderId() : newId()));
  // Of 60 random bits, two in so many are alike once in a billion runs; bytes used again show as a
  // repeated piece, wherever in an id it stands.
  const pieces = ids.join('').match(/.{12}/g) ?? [];
  expect(new Set(pieces).size).toBe(pieces.length);
});

test('an id has its length and only symbols that nobody misreads, each about as often as the others', () => {
  const ids = Array.from({ length: 5000 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
  expect(newOrderId()).toHaveLength(12);
  const often = new Map<string, number>();
  for (const symbol of ids.join('')) often.set(symbol, (often.get(symbol) ?? 0) + 1);
  expect(often.size).toBe(32);
  // 3,125 on average; these are ten standard deviations.
  for (const times of often.values()) expect(Math.abs(times - 3125)).toBeLessThan(550);
});
