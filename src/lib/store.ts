/** A value outside React that components subscribe to, with useSyncExternalStore. */
export interface Store<Value> {
  get(): Value;
  /** Notifies the listeners, also of an equal value. */
  set(next: Value): void;
  /** Returns the function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

/** Creates a store with its first value. */
export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** For `useSyncExternalStore` with a value that never changes. */
export const noSubscription = () => () => {};
