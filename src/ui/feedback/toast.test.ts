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

test('a toast stays three seconds unless it says otherwise', () => {
  open('page');
  showToast({ text: msg('Please login first'), theme: 'red' });
  showToast({ text: msg('Order placed successfully'), theme: 'green', durationMs: 5000 });
  expect(toastsOfOutlet('page').map(({ durationMs }) => durationMs)).toEqual([3000, 5000]);
});

test('at most three are in sight: the oldest makes room', () => {
  open('page');
  for (const text of ['one', 'two', 'three', 'four']) showToast({ text: msg(text), theme: 'light' });
  expect(textsIn('page')).toEqual(['two', 'three', 'four']);
});

test('the same words replace the toast in sight, and its time starts again', () => {
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

test('listeners hear of every change until they leave', () => {
  let heard = 0;
  const leave = subscribeToToasts(() => (heard += 1));
  open('page');
  showToast({ text: msg('SMS sent'), theme: 'green' });
  dismissToast(toastsOfOutlet('page')[0]?.id ?? 0);
  expect(heard).toBe(3);
  leave();
  showToast({ text: msg('SMS sent'), theme: 'green' });
  expect(heard).toBe(3);
});
