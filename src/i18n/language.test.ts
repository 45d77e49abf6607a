import { expect, test } from 'vitest';
import { createLanguage, english } from './language.tsx';
import { formatText, msg } from './messages.ts';

test('English returns the texts of the specification', () => {
  expect(english.t('Create a account')).toBe('Create a account');
  expect(english.t('Welcome back {name}, what would you like to do today?', { name: 'Asha' })).toBe(
    'Welcome back Asha, what would you like to do today?',
  );
  expect(english.day('2026-11-05 10:00:00')).toBe('Nov 05, 2026');
  expect([english.rupees(123_450), english.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('does not read a value as a placeholder', () => {
  expect(formatText('Paid ₹{amount} for order {orderid} with wallet', { amount: 5, orderid: '{amount}' })).toBe(
    'Paid ₹5 for order {amount} with wallet',
  );
});

test('formats a date placeholder with the format of the language', () => {
  expect(formatText('on {day, date} at {time}', { day: '2026-11-22', time: '{day}' })).toBe('on Nov 22, 2026 at {day}');
});

test('formats a message that was created outside a component, and returns the message of an error', () => {
  const sent = msg('SMS sent successfully on +91{mobile}', { mobile: '9876543210' });
  expect(english.formatMessage(sent)).toBe('SMS sent successfully on +919876543210');
  const notFound = { code: 'order-not-found', params: { orderid: '7' }, message: 'No order found with order number 7' };
  expect(english.formatMessage(notFound)).toBe('No order found with order number 7');
});

test('chooses a plural form by the rules of the language', () => {
  const stars = { one: '1 star', other: '{count} stars' } as const;
  expect([0, 1, 2].map((count) => english.plural(count, stars, { count }))).toEqual(['0 stars', '1 star', '2 stars']);
  const plurals = { '{count} stars': { one: '{count} gwiazdka', few: '{count} gwiazdki', other: '{count} gwiazdek' } };
  const polish = createLanguage('pl', { texts: {}, errors: {}, plurals }, english);
  expect([1, 2, 5].map((count) => polish.plural(count, stars, { count }))).toEqual(['1 gwiazdka', '2 gwiazdki', '5 gwiazdek']);
});
