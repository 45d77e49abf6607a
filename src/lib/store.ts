/** State outside React that components subscribe to, with useSyncExternalStore. */

export interface Listeners {
  /** Returns the function that removes the listener. */
  subscribe(listener: () => void): () => void;
  notify(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      for (const listener of listeners) listener();
    },
  };
}

export interface Store<Value> {
  get(): Value;
  set(next: Value): void;
  subscribe: Listeners['subscribe'];
}

/** Returns a value whose every `set` notifies the listeners. */
export function createStore<Value>(initial: Value): Store<Value> {
  const { subscribe, notify } = createListeners();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      value = next;
      notify();
    },
    subscribe,
  };
}
