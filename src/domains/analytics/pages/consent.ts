/** The visitor's consent to analytics, stored in this browser. Nothing is sent without a yes. */
import { useSyncExternalStore } from 'react';

export type Consent = 'yes' | 'no' | 'not-asked';

const KEY = 'analytics-consent';

// Module state: the store behind useConsent, and the answer for this page if storage rejects it.
const listeners = new Set<() => void>();
let answered: Consent = 'not-asked';

export function consent(): Consent {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'yes' || kept === 'no' ? kept : answered;
  } catch {
    // Blocked storage could not store a yes.
    return 'no';
  }
}

export function answerConsent(given: 'yes' | 'no') {
  answered = given;
  try {
    localStorage.setItem(KEY, given);
  } catch {
    // Private mode or quota: the answer holds for this page.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useConsent = () => useSyncExternalStore(subscribe, consent, () => 'no' as const);
