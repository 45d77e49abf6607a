import { expect, test } from 'vitest';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { createCircuitBreaker } from './rules.ts';

const start = new Date('2026-11-21T05:00:00Z');
const after = (seconds: number) => addSeconds(start, seconds);

function openCircuitBreaker() {
  const breaker = createCircuitBreaker();
  for (let failure = 0; failure < 5; failure++) breaker.failed(start);
  return breaker;
}

test('opens for 30 s after the fifth consecutive failure', () => {
  const breaker = createCircuitBreaker();
  for (let failure = 0; failure < 4; failure++) breaker.failed(start);
  expect(breaker.allowsRequest(start)).toBe(true);
  breaker.failed(start);
  expect([after(0), after(29.999)].map((time) => breaker.allowsRequest(time))).toEqual([false, false]);
  expect(breaker.allowsRequest(after(30))).toBe(true);
});

test('allows one request after 30 s, and the next one 30 s later', () => {
  const breaker = openCircuitBreaker();
  expect([30, 30, 59.999, 60].map((seconds) => breaker.allowsRequest(after(seconds)))).toEqual([true, false, false, true]);
});

test('allows a request again if the allowed one was not sent', () => {
  const breaker = openCircuitBreaker();
  expect(breaker.allowsRequest(after(30))).toBe(true);
  breaker.unused();
  expect([30, 30].map((seconds) => breaker.allowsRequest(after(seconds)))).toEqual([true, false]);
});

test('opens for another 30 s if the allowed request fails', () => {
  const breaker = openCircuitBreaker();
  expect(breaker.allowsRequest(after(30))).toBe(true);
  breaker.failed(after(40));
  expect([60, 69.999, 70].map((seconds) => breaker.allowsRequest(after(seconds)))).toEqual([false, false, true]);
});

test('resets the count of failures after a success', () => {
  const breaker = openCircuitBreaker();
  breaker.succeeded();
  expect([breaker.allowsRequest(start), breaker.allowsRequest(start)]).toEqual([true, true]);
  for (let failure = 0; failure < 4; failure++) breaker.failed(start);
  expect(breaker.allowsRequest(start)).toBe(true);
});

test('opens for at most 30 s if the clock was ahead and is set back', () => {
  const breaker = createCircuitBreaker();
  for (let failure = 0; failure < 5; failure++) breaker.failed(after(DAY_SECONDS));
  expect(breaker.allowsRequest(start)).toBe(true);
});
