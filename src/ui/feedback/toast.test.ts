import { afterEach, expect, test } from 'vitest';
import { msg } from '../../i18n/messages.ts';
import { dismissToast, openToastOutlet, showToast, subscribeToToasts, toastOfOutlet } from './toast.ts';

const closers: (() => void)[] = [];

function open(outlet: string) {
  const close = openToastOutlet(outlet);
  closers.push(close);
  return close;
}

const textIn = (outlet: string) => toastOfOutlet(outlet)?.text;

afterEach(() => {
  open('emptying');
  dismissToast(toastOfOutlet('emptying')?.id ?? 0);
  for (const close of closers.splice(0)) close();
});

test('a toast has a duration of three seconds by default', () => {
  open('page');
  showToast({ text: msg('Please login first'), theme: 'red' });
  expect(toastOfOutlet('page')?.durationMs).toBe(3000);
  showToast({ text: msg('Order placed successfully'), theme: 'green', durationMs: 5000 });
  expect(toastOfOutlet('page')?.durationMs).toBe(5000);
});

test('shows one toast at a time: the newest, also with the same text', () => {
  open('page');
  for (const text of ['one', 'two', 'three']) showToast({ text: msg(text), theme: 'light' });
  const shown = toastOfOutlet('page');
  expect(shown?.text).toBe('three');
  showToast({ text: msg('three'), theme: 'light' });
  expect(toastOfOutlet('page')?.id).not.toBe(shown?.id);
});

test('dismissing a replaced toast keeps its successor', () => {
  open('page');
  showToast({ text: msg('one'), theme: 'green' });
  const replaced = toastOfOutlet('page')?.id ?? 0;
  showToast({ text: msg('two'), theme: 'green' });
  dismissToast(replaced);
  expect(textIn('page')).toBe('two');
});

test('the toast moves to the outlet opened last and back when it closes', () => {
  open('page');
  showToast({ text: msg('Address added successfully'), theme: 'green' });
  const closeDialog = open('dialog');
  expect(textIn('page')).toBeUndefined();
  expect(textIn('dialog')).toBe('Address added successfully');
  closeDialog();
  expect(textIn('page')).toBe('Address added successfully');
});

test('notifies listeners of every change until they unsubscribe', () => {
  let notifications = 0;
  const unsubscribe = subscribeToToasts(() => (notifications += 1));
  open('page');
  showToast({ text: msg('SMS sent'), theme: 'green' });
  dismissToast(toastOfOutlet('page')?.id ?? 0);
  expect(notifications).toBe(3);
  unsubscribe();
  showToast({ text: msg('SMS sent'), theme: 'green' });
  expect(notifications).toBe(3);
});
