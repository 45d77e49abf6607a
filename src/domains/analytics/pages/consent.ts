/**
 * The visitor's consent to analytics, stored in this browser with its time and the question, as
 * 'yes 2026-11-27T08:00:00.000Z May we …'. Earlier versions stored the answer only. Nothing is sent
 * without a yes, and no event names a visitor, so the proof is where the visitor is.
 */
import { useSyncExternalStore } from 'react';
import { systemClock } from '../../../lib/clock.ts';
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
    const [answer] = /^(yes|no)/.exec(localStorage.getItem(KEY) ?? '') ?? [];
    return (answer as Consent | undefined) ?? choice.get();
  } catch {
    // Blocked storage could not store a yes.
    return 'no';
  }
}

export function setConsent(value: 'yes' | 'no', question: string) {
  try {
    localStorage.setItem(KEY, `${value} ${systemClock.now().toJSON()} ${question}`);
  } catch {
    // Private mode or quota: `choice` holds the value for this page.
  }
  choice.set(value);
}

/** Returns `consent()`, but 'no' on the server and until hydration. */
export const useConsent = () => useSyncExternalStore(choice.subscribe, consent, () => 'no' as const);
