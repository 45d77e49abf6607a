import { expect, test, vi } from 'vitest';
import { setConsent, consent } from './consent.ts';

test('keeps the choice for this page if storage rejects it', () => {
  const full = () => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: full });
  expect(consent()).toBe('not-asked');
  setConsent('yes', 'May we?');
  expect(consent()).toBe('yes');
  setConsent('no', 'May we?');
  expect(consent()).toBe('no');
});

test('stores the choice with its time and the question, and reads one of an earlier version', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  setConsent('yes', 'May we count your visit?');
  expect(stored.get('analytics-consent')).toMatch(/^yes \d{4}-\d\d-\d\dT[\d:.]+Z May we count your visit\?$/);
  expect(consent()).toBe('yes');
  stored.set('analytics-consent', 'no');
  expect(consent()).toBe('no');
});
