import { afterEach, expect, test } from 'vitest';
import { msg } from '../../i18n/messages.ts';
import { dismissToast, openToastOutlet, showToast, subscribeToToasts, toastsOfOutlet } from './toast.ts';

const closers: (() => void)[] = [];

function open(outlet: string) {
  const close = openToastOutlet(outlet);
  closers.push(close);
  return close;
}

const textsIn = (outlet: string) => toastsOfOutlet(outlet).map(({ text }) => text);

afterEach(() => {
  open('emptying');
  for (const { id } of toastsOfOutlet('emptying')) dismissToast(id);
  for (const close of closers.splice(0)) close();
});

test('a toast has a duration of three seconds by default', () => {
  open('page');
  showToast({ text: msg('Please login first'), theme: 'red' });
  showToast({ text: msg('Order placed successfully'), theme: 'green', durationMs: 5000 });
  expect(toastsOfOutlet('page').map(({ durationMs }) => durationMs)).toEqual([3000, 5000]);
});

test('shows at most three toasts and removes the oldest', () => {
  open('page');
  for (const text of ['one', 'two', 'three', 'four']) showToast({ text: msg(text), theme: 'light' });
  expect(textsIn('page')).toEqual(['two', 'three', 'four']);
});

test('replaces a visible toast of the same text and theme', () => {
  open('page');
  showToast({ text: msg('Link copied to clipboard'), theme: 'green' });
  const [first] = toastsOfOutlet('page');
  showToast({ text: msg('Link copied to clipboard'), theme: 'green' });
  expect(textsIn('page')).toEqual(['Link copied to clipboard']);
  expect(toastsOfOutlet('page')[0]?.id).not.toBe(first?.id);
});

test('toasts move to the outlet opened last and back when it closes', () => {
  open('page');
  showToast({ text: msg('Address added successfully'), theme: 'green' });
  const closeDialog = open('dialog');
  expect(textsIn('page')).toEqual([]);
  expect(textsIn('dialog')).toEqual(['Address added successfully']);
  closeDialog();
  expect(textsIn('page')).toEqual(['Address added successfully']);
});

test('notifies listeners of every change until they unsubscribe', () => {
  let notifications = 0;
  const unsubscribe = subscribeToToasts(() => (notifications += 1));
  open('page');
  showToast({ text: msg('SMS sent'), theme: 'green' });
  dismissToast(toastsOfOutlet('page')[0]?.id ?? 0);
  expect(notifications).toBe(3);
  unsubscribe();
  showToast({ text: msg('SMS sent'), theme: 'green' });
  expect(notifications).toBe(3);
});
