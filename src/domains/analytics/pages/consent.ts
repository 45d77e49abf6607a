/** The visitor's consent to analytics, stored in this browser. Nothing is sent without a yes. */
import { useSyncExternalStore } from 'react';
import { createStore } from '../../../lib/store.ts';

export type Consent = 'yes' | 'no' | 'not-asked';

const KEY = 'analytics-consent';

// Module state: the store of useConsent, and the choice for this page if storage rejects it.
const choice = createStore<Consent>('not-asked');

/**
 * Returns the stored choice, otherwise the choice on this page. Returns 'no' if storage is blocked,
 * because a consent could not be stored.
 */
export function consent(): Consent {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'yes' || stored === 'no' ? stored : choice.get();
  } catch {
    // Blocked storage could not store a yes.
    return 'no';
  }
}

export function setConsent(value: 'yes' | 'no') {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Private mode or quota: `choice` holds the value for this page.
  }
  choice.set(value);
}

/** Returns `consent()`, but 'no' on the server and until hydration. */
export const useConsent = () => useSyncExternalStore(choice.subscribe, consent, () => 'no' as const);
