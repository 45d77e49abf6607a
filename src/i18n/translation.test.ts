import { expect, test } from 'vitest';
import hi from './hi.json';
import { createLanguage, english } from './language.tsx';
import { formatText, msg, type MessageKey } from './messages.ts';
import { languageFromCatalogue } from './translation.ts';

const hindi = languageFromCatalogue('hi', hi);

test('English is what the specification says, letter for letter', () => {
  expect(english.t('Create a account')).toBe('Create a account');
  expect(english.t('Welcome back {name}, what would you like to do today?', { name: 'Asha' })).toBe(
    'Welcome back Asha, what would you like to do today?',
  );
  expect(english.day('2026-11-05 10:00:00')).toBe('Nov 05, 2026');
  expect([english.rupees(123_450), english.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('dates and amounts are written as their readers write them', () => {
  expect(hindi.day('2026-11-05 23:59:59')).toMatch(/^5 नव\S* 2026$/);
  expect(hindi.day('soon')).toBe('soon');
  expect([hindi.rupees(123_450), hindi.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('a text has its values in the order of the language, and a value is never taken for a name', () => {
  expect(hindi.t('Referred by {name}', { name: '{name}' })).toBe('{name} ने आपको रेफ़र किया है');
  expect(formatText('Paid ₹{amount} for order {orderid} with wallet', { amount: 5, orderid: '{amount}' })).toBe(
    'Paid ₹5 for order {amount} with wallet',
  );
});

test('a message made outside a component is translated with its values', () => {
  const sent = msg('SMS sent successfully on +91{mobile}', { mobile: '9876543210' });
  expect(english.formatMessage(sent)).toBe('SMS sent successfully on +919876543210');
  expect(hindi.formatMessage(sent)).toBe(hindi.t('SMS sent successfully on +91{mobile}', { mobile: '9876543210' }));
  expect(hindi.formatMessage(msg('Home'))).toBe('होम');
});

test('an error is translated by its code and its params, and shown in English as it came', () => {
  const notFound = { code: 'order-not-found', params: { orderid: '7' }, message: 'No order found with order number 7' };
  expect(hindi.formatMessage(notFound)).toBe('ऑर्डर नंबर 7 का कोई ऑर्डर नहीं मिला');
  expect(english.formatMessage(notFound)).toBe('No order found with order number 7');
  const moved = { code: 'pickup-moved', params: { pickupDay: '2026-11-22' }, message: 'The pickup moved' };
  expect(hindi.formatMessage(moved)).toMatch(/अगला 22 नव\S* 2026 को है/);
  for (const code of ['from-a-newer-server', 'constructor'])
    expect(hindi.formatMessage({ code, params: {}, message: 'No such luck' })).toBe('No such luck');
});

test('a day in a text is formatted by the language', () => {
  expect(formatText('on {day, date} at {time}', { day: '2026-11-22', time: '{day}' })).toBe('on Nov 22, 2026 at {day}');
});

test('the form for a count is chosen by the plural rules of the language', () => {
  const stars = { one: '1 star', other: '{count} stars' } as const;
  expect([1, 2].map((count) => english.plural(count, stars, { count }))).toEqual(['1 star', '2 stars']);
  expect([0, 1, 2].map((count) => hindi.plural(count, stars, { count }))).toEqual(['0 स्टार', '1 स्टार', '2 स्टार']);
  const polish = createLanguage(
    'pl',
    {
      texts: {},
      errors: {},
      plurals: { '{count} stars': { one: '{count} gwiazdka', few: '{count} gwiazdki', other: '{count} gwiazdek' } },
    },
    english,
  );
  expect([1, 2, 5].map((count) => polish.plural(count, stars, { count }))).toEqual(['1 gwiazdka', '2 gwiazdki', '5 gwiazdek']);
});

test('data that is no known text is not changed', () => {
  for (const text of ['Asha Verma', '₹5 per kg', 'from A to B', '2 to 3', 'constructor', '']) expect(hindi.translateData(text)).toBe(text);
  expect(hindi.translateData('Wash + Iron')).toBe('धुलाई + प्रेस');
  expect(hindi.t('constructor' as unknown as MessageKey)).toBe('constructor');
});
