import { expect, test } from 'vitest';
import { isIndianMobile, isMobile, normalizeMobile, normalizeTypedMobile } from './mobile.ts';

test.each([
  ['+91 98765 43210', '9876543210'],
  ['098765-43210', '9876543210'],
  ['919876543210', '9876543210'],
  ['0091 98765 43210', '9876543210'],
  ['+91 9198765432', '9198765432'],
  // Ten digits are a number, even if they begin like a country code.
  ['9198765432', '9198765432'],
  ['98765', '98765'],
  ['0987654321', '0987654321'],
  ['98765432100', '98765432100'],
  ['129876543210', '129876543210'],
  ['none', ''],
])("'%s' normalizes to '%s'", (typed, normalized) => {
  expect(normalizeMobile(typed)).toBe(normalized);
});

test('isMobile accepts ten digits; isIndianMobile accepts only those that start with 6 to 9', () => {
  expect(['9876543210', '987654321', '98765432100', '98765 43210', '९८७६५४३२१०', '9876543210\n'].map(isMobile)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(['5876543210', '6876543210', '9876543210', '19876543210', '98765432101'].map(isIndianMobile)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

/** Types one character after the other, as a field does. */
const typed = (text: string) => Array.from(text).reduce((value, character) => normalizeTypedMobile(value + character), '');

test.each([
  ['98111 22333', '9811122333'],
  ['+91 98111 22333', '9811122333'],
  ['+91-9811122333', '9811122333'],
  ['+919198111223', '9198111223'],
  ['0091 98111 22333', '9811122333'],
  ['91 98111 22333', '9811122333'],
  ['098111 22333', '9811122333'],
  ['9198111223', '9198111223'],
  // The rest of a number with another mistake is cut off, as before.
  ['98111 22333 4', '9811122333'],
  ['+44 20 7946 0', '442079460'],
])("'%s', typed key by key, becomes '%s'", (text, mobile) => {
  expect(typed(text)).toBe(mobile);
});

test('a country code that is not complete is no mobile number', () => {
  expect(['+', '+9', '00', '009'].map(normalizeTypedMobile)).toEqual(['+', '+9', '00', '009']);
  expect(isMobile(typed('91 98111 2233'))).toBe(false);
});
