import { beforeEach, expect, test, vi } from 'vitest';
import { tabStorage } from '../../../../browser/tab-storage.ts';
import { cartActions } from './cart-state.ts';
import { changeDraft, clearDraft, currentDraft, restoreDraft } from './draft.ts';

/** An in-memory replacement of session storage, which Node lacks. */
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
});

const chooseArea = (area: 'manesar' | 'vatika') => changeDraft((draft) => cartActions.chooseArea(draft, area));

test('every change of the order assigns a new key', () => {
  expect(currentDraft().key).toBe('');
  chooseArea('manesar');
  const first = currentDraft().key;
  expect(first).toMatch(/^[0-9A-Z]{20}$/);
  changeDraft(cartActions.proceed);
  expect(currentDraft()).toMatchObject({ key: first, stage: 1 });
  chooseArea('manesar');
  expect(currentDraft().key).toBe(first);
  chooseArea('vatika');
  expect(currentDraft().key).not.toBe(first);
});

test('currentDraft reads the storage at every call, and returns an empty draft from an empty storage', () => {
  chooseArea('vatika');
  const text = stored.get('draft')!;
  stored.clear();
  expect(currentDraft()).toMatchObject({ area: 'none', key: '' });
  stored.set('draft', text);
  expect(currentDraft().area).toBe('vatika');
});

test.each(['not json', 'null', '[]', '{"version":0,"draft":{"area":"vatika"}}'])('%s in the storage results in an empty draft', (text) => {
  stored.set('draft', text);
  expect(currentDraft()).toMatchObject({ area: 'none', service: null, slotChosen: true });
});

test('clearDraft removes a draft, and restoreDraft restores it with its key', () => {
  chooseArea('vatika');
  const before = currentDraft();
  clearDraft();
  expect(stored.size).toBe(0);
  restoreDraft(before);
  expect(currentDraft()).toEqual(before);
});

const denyAccess = () => {
  throw new Error('SecurityError');
};

test('if storage access is denied, the draft lasts as long as the page', () => {
  vi.stubGlobal('sessionStorage', { getItem: denyAccess, setItem: denyAccess, removeItem: denyAccess });
  chooseArea('vatika');
  expect(currentDraft().area).toBe('vatika');
  clearDraft();
  expect(currentDraft().area).toBe('none');
});

test('if the storage is full, the draft lasts as long as the page, and a later one is stored again', () => {
  chooseArea('manesar');
  const full = vi.spyOn(sessionStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  chooseArea('vatika');
  expect(currentDraft().area).toBe('vatika');
  changeDraft(cartActions.proceed);
  expect(currentDraft()).toMatchObject({ area: 'vatika', stage: 1 });
  full.mockRestore();
  changeDraft(cartActions.change);
  expect(JSON.parse(stored.get('draft')!)).toMatchObject({ value: { area: 'vatika', stage: 0 } });
});

test('if the storage is full, a value is not replaced by an older one that was never read', () => {
  stored.set('unread', JSON.stringify({ version: 3, value: 'older' }));
  vi.spyOn(sessionStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  const unread = tabStorage('unread', '');
  unread.set('newer');
  expect(unread.get()).toBe('newer');
});
