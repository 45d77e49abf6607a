import { expect, test, vi } from 'vitest';
import { setConsent, consent } from './consent.ts';

test('keeps the choice for this page if storage rejects it', () => {
  const full = () => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: full });
  expect(consent()).toBe('not-asked');
  setConsent('yes');
  expect(consent()).toBe('yes');
  setConsent('no');
  expect(consent()).toBe('no');
});
