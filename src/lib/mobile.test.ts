import { expect, test } from 'vitest';
import { isIndianMobile, isMobile, normalizeMobile } from './mobile.ts';

test.each([
  ['+91 98765 43210', '9876543210'],
  ['098765-43210', '9876543210'],
  ['919876543210', '9876543210'],
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
