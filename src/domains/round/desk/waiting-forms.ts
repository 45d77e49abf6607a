import type { EntryOutcome } from './entry.ts';

/** A form does not wait longer: its entry may be sent by another tab, or to a slow server. */
const FORM_WAIT_MS = 4000;

/** The forms that wait for the first outcome of their entries. */
export interface WaitingForms {
  /** Resolves with the outcome of the entry's first request, or `wait` after `FORM_WAIT_MS`. */
  wait(key: string): Promise<EntryOutcome>;
  /**
   * Removes the form of an entry, and returns the function that resolves it. Undefined if no form
   * waits: then the entry stays, because nothing shows any more what was typed.
   */
  remove(key: string): ((outcome: EntryOutcome) => void) | undefined;
}

export function createWaitingForms(): WaitingForms {
  const forms = new Map<string, (outcome: EntryOutcome) => void>();
  const remove = (key: string) => {
    const resolve = forms.get(key);
    forms.delete(key);
    return resolve;
  };
  return {
    remove,
    wait(key) {
      const { promise, resolve } = Promise.withResolvers<EntryOutcome>();
      forms.set(key, resolve);
      const timeout = setTimeout(() => remove(key)?.({ kind: 'wait' }), FORM_WAIT_MS);
      return promise.finally(() => clearTimeout(timeout));
    },
  };
}
