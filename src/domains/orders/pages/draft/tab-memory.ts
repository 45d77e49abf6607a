/** Something this tab remembers in session storage: it survives a reload and the log-in, and log-out clears it with everything else there. */
import { useSyncExternalStore } from 'react';

export interface TabMemory<Thing> {
  current(): Thing;
  keep(thing: Thing): void;
  forget(): void;
  /** In the server's document, and until it is hydrated, there is nothing. */
  use(): Thing;
}

/** What another version of the program wrote is dropped. */
const VERSION = 1;

export function tabMemory<Thing>(name: string, nothing: Thing): TabMemory<Thing> {
  let known: { text: string | null; thing: Thing } = { text: null, thing: nothing };
  const listeners = new Set<() => void>();

  const parse = (text: string | null): Thing => {
    try {
      const stored = JSON.parse(text ?? 'null') as { version: number; thing: Thing } | null;
      return stored?.version === VERSION ? stored.thing : nothing;
    } catch {
      return nothing;
    }
  };

  /** The storage is asked every time, since log-out empties it. Where a browser forbids storage, things live as long as the page. */
  const current = (): Thing => {
    try {
      const text = sessionStorage.getItem(name);
      if (text !== known.text) known = { text, thing: parse(text) };
    } catch {
      // Forbidden: what is known is all there is.
    }
    return known.thing;
  };

  const write = (text: string | null, thing: Thing) => {
    try {
      if (text === null) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, text);
      known = { text, thing };
    } catch {
      known = { ...known, thing };
    }
    for (const listener of listeners) listener();
  };

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    current,
    keep: (thing) => write(JSON.stringify({ version: VERSION, thing }), thing),
    forget: () => write(null, nothing),
    use: () => useSyncExternalStore(subscribe, current, () => nothing),
  };
}
