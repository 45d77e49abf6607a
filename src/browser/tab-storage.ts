/**
 * A value in session storage. It survives a reload and log-in; log-out clears the session storage.
 */
import { useSyncExternalStore } from 'react';
import { createStore } from '../lib/store.ts';

export interface TabStorage<Value> {
  get(): Value;
  set(value: Value): void;
  clear(): void;
  /** A hook. Returns the initial value on the server and until hydration. */
  use(): Value;
}

/** Values of other versions are ignored. */
const VERSION = 3;

/**
 * Returns a typed accessor of one item of session storage. Reads `initialValue` if the item is
 * missing, malformed or of another version. If the browser denies access, the value lasts until the
 * page is unloaded.
 */
export function tabStorage<Value>(name: string, initialValue: Value): TabStorage<Value> {
  let cached: { text: string | null; value: Value } = { text: null, value: initialValue };
  const writes = createStore(0);

  const parse = (text: string | null): Value => {
    try {
      const stored = JSON.parse(text ?? 'null') as { version: number; value: Value } | null;
      return stored?.version === VERSION ? stored.value : initialValue;
    } catch {
      return initialValue;
    }
  };

  const readText = () => {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return cached.text;
    }
  };

  /**
   * Reads the storage at every call, because log-out clears it. If the browser denies access, the
   * value lasts as long as the page.
   */
  const get = (): Value => {
    const text = readText();
    if (text !== cached.text) cached = { text, value: parse(text) };
    return cached.value;
  };

  const write = (text: string | null, value: Value) => {
    try {
      if (text === null) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, text);
      cached = { text, value };
    } catch {
      // A full storage can still be read. Its item is then older than the value.
      cached = { text: readText(), value };
    }
    writes.set(0);
  };

  return {
    get,
    set: (value) => write(JSON.stringify({ version: VERSION, value }), value),
    clear: () => write(null, initialValue),
    use: () => useSyncExternalStore(writes.subscribe, get, () => initialValue),
  };
}
