import { expect, test } from 'vitest';
import { createStore } from './store.ts';

test('returns the value that was set last', () => {
  const store = createStore('first');
  expect(store.get()).toBe('first');
  store.set('second');
  expect(store.get()).toBe('second');
});

test('notifies each listener of every value until it is removed', () => {
  const store = createStore(0);
  const seen: string[] = [];
  const removeFirst = store.subscribe(() => seen.push(`first ${store.get()}`));
  store.subscribe(() => seen.push(`second ${store.get()}`));
  store.set(1);
  removeFirst();
  store.set(1);
  expect(seen).toEqual(['first 1', 'second 1', 'second 1']);
});
