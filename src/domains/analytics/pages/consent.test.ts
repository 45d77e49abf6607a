import { expect, test, vi } from 'vitest';
import { answerConsent, consent } from './consent.ts';

test('an answer that storage rejects holds for this page', () => {
  const full = () => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: full });
  expect(consent()).toBe('not-asked');
  answerConsent('yes');
  expect(consent()).toBe('yes');
  answerConsent('no');
  expect(consent()).toBe('no');
});
