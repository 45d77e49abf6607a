import { beforeEach, expect, test, vi } from 'vitest';
import { cartActions } from './cart-state.ts';
import { changeDraft, clearDraft, currentDraft, restoreDraft } from './draft.ts';

/** The platform's storage, which Node has not. */
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
});

const chooseArea = (area: 'manesar' | 'vatika') => changeDraft((draft) => cartActions.chooseArea(draft, area));

test('the key is made with the draft, and any change of the order makes a new one', () => {
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

test('it is the storage’s: what another mount of the page wrote is seen, and an emptied storage is an empty draft', () => {
  chooseArea('vatika');
  const text = kept.get('draft')!;
  kept.clear();
  expect(currentDraft()).toMatchObject({ area: 'none', key: '' });
  kept.set('draft', text);
  expect(currentDraft().area).toBe('vatika');
});

test.each(['not json', 'null', '[]', '{"version":0,"draft":{"area":"vatika"}}'])('%s in the storage is an empty draft', (text) => {
  kept.set('draft', text);
  expect(currentDraft()).toMatchObject({ area: 'none', service: null, slotChosen: true });
});

test('a draft that is put back keeps its key; cleared, it is gone', () => {
  chooseArea('vatika');
  const before = currentDraft();
  clearDraft();
  expect(kept.size).toBe(0);
  restoreDraft(before);
  expect(currentDraft()).toEqual(before);
});

const forbidden = () => {
  throw new Error('SecurityError');
};

test('where storage is forbidden, the draft lives as long as the page', () => {
  vi.stubGlobal('sessionStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  chooseArea('vatika');
  expect(currentDraft().area).toBe('vatika');
  clearDraft();
  expect(currentDraft().area).toBe('none');
});
