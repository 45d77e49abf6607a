import { expect, test } from 'vitest';
import hi from './hi.json';
import staffHi from './staff/hi.json';
import { msg, type MessageKey } from './messages.ts';
import { languageFromCatalogue } from './translation.ts';

const hindi = languageFromCatalogue('hi', hi);

test('formats dates and amounts for Hindi readers', () => {
  expect(hindi.day('2026-11-05 23:59:59')).toMatch(/^5 नव\S* 2026$/);
  expect(hindi.day('soon')).toBe('soon');
  expect([hindi.rupees(123_450), hindi.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('inserts values in the order of the translation, and does not read a value as a placeholder', () => {
  expect(hindi.t('Referred by {name}', { name: '{name}' })).toBe('{name} ने आपको रेफ़र किया है');
});

test('translates a message that was created outside a component', () => {
  const sent = msg('SMS sent successfully on +91{mobile}', { mobile: '9876543210' });
  expect(hindi.formatMessage(sent)).toBe(hindi.t('SMS sent successfully on +91{mobile}', { mobile: '9876543210' }));
  expect(hindi.formatMessage(msg('Home'))).toBe('होम');
});

test('translates an error by its code and params', () => {
  const notFound = { code: 'order-not-found', params: { orderid: '7' }, message: 'No order found with order number 7' };
  expect(hindi.formatMessage(notFound)).toBe('ऑर्डर नंबर 7 का कोई ऑर्डर नहीं मिला');
  const moved = { code: 'pickup-moved', params: { pickupDay: '2026-11-22' }, message: 'The pickup moved' };
  expect(hindi.formatMessage(moved)).toMatch(/अगला 22 नव\S* 2026 को है/);
  for (const code of ['from-a-newer-server', 'constructor'])
    expect(hindi.formatMessage({ code, params: {}, message: 'No such luck' })).toBe('No such luck');
});

test('uses the plural form of 1 for 0', () => {
  const stars = { one: '1 star', other: '{count} stars' } as const;
  expect([0, 1, 2].map((count) => hindi.plural(count, stars, { count }))).toEqual(['0 स्टार', '1 स्टार', '2 स्टार']);
});

test('returns unknown data unchanged', () => {
  for (const text of ['Asha Verma', '₹5 per kg', 'from A to B', '2 to 3', 'constructor', '']) expect(hindi.translateData(text)).toBe(text);
  expect(hindi.translateData('Wash + Iron')).toBe('धुलाई + प्रेस');
  expect(hindi.t('constructor' as unknown as MessageKey)).toBe('constructor');
});

test('has one word for a payment, a log-in and a log-out', () => {
  const valuesOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(valuesOf));
  const texts = [hi, staffHi].flatMap(valuesOf);
  expect(texts.filter((text) => /भुगतान|लॉग[- ](?:इन|आउट)/.test(text))).toEqual([]);
});
