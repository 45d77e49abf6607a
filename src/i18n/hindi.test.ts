import { expect, test } from 'vitest';
import hi from './hi.json';
import { msg, type MessageKey } from './messages.ts';
import { languageFromCatalogue } from './translation.ts';

const hindi = languageFromCatalogue('hi', hi);

test('dates and amounts are written as their readers write them', () => {
  expect(hindi.day('2026-11-05 23:59:59')).toMatch(/^5 नव\S* 2026$/);
  expect(hindi.day('soon')).toBe('soon');
  expect([hindi.rupees(123_450), hindi.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('a text has its values in the order of the language, and a value is never taken for a name', () => {
  expect(hindi.t('Referred by {name}', { name: '{name}' })).toBe('{name} ने आपको रेफ़र किया है');
});

test('a message made outside a component is translated with its values', () => {
  const sent = msg('SMS sent successfully on +91{mobile}', { mobile: '9876543210' });
  expect(hindi.formatMessage(sent)).toBe(hindi.t('SMS sent successfully on +91{mobile}', { mobile: '9876543210' }));
  expect(hindi.formatMessage(msg('Home'))).toBe('होम');
});

test('an error is translated by its code and its params', () => {
  const notFound = { code: 'order-not-found', params: { orderid: '7' }, message: 'No order found with order number 7' };
  expect(hindi.formatMessage(notFound)).toBe('ऑर्डर नंबर 7 का कोई ऑर्डर नहीं मिला');
  const moved = { code: 'pickup-moved', params: { pickupDay: '2026-11-22' }, message: 'The pickup moved' };
  expect(hindi.formatMessage(moved)).toMatch(/अगला 22 नव\S* 2026 को है/);
  for (const code of ['from-a-newer-server', 'constructor'])
    expect(hindi.formatMessage({ code, params: {}, message: 'No such luck' })).toBe('No such luck');
});

test('in Hindi 0 has the form of 1', () => {
  const stars = { one: '1 star', other: '{count} stars' } as const;
  expect([0, 1, 2].map((count) => hindi.plural(count, stars, { count }))).toEqual(['0 स्टार', '1 स्टार', '2 स्टार']);
});

test('data that is no known text is not changed', () => {
  for (const text of ['Asha Verma', '₹5 per kg', 'from A to B', '2 to 3', 'constructor', '']) expect(hindi.translateData(text)).toBe(text);
  expect(hindi.translateData('Wash + Iron')).toBe('धुलाई + प्रेस');
  expect(hindi.t('constructor' as unknown as MessageKey)).toBe('constructor');
});
