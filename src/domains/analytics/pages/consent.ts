/** The visitor's word on being counted, kept in this browser. Until there is a yes, nothing is sent. */
import { useSyncExternalStore } from 'react';

export type Consent = 'yes' | 'no' | 'not-asked';

const KEY = 'analytics-consent';
const listeners = new Set<() => void>();

export function consent(): Consent {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'yes' || kept === 'no' ? kept : 'not-asked';
  } catch {
    // A browser that keeps nothing could not keep a yes either.
    return 'no';
  }
}

export function answerConsent(given: 'yes' | 'no') {
  localStorage.setItem(KEY, given);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useConsent = () => useSyncExternalStore(subscribe, consent, () => 'no' as const);
