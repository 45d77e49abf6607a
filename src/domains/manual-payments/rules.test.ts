import { expect, test } from 'vitest';
import { PAYMENT_METHODS } from '../payments/contract.ts';
import { isManual, MANUAL_PAYMENT_LIMITS } from './rules.ts';

test('the laundry records cash and UPI by hand, and no other payment', () => {
  expect(PAYMENT_METHODS.filter(isManual)).toEqual(['cash', 'upi']);
  expect(isManual('')).toBe(false);
});

test('a payment by hand is ₹0.01 to ₹1,00,000', () => {
  expect(MANUAL_PAYMENT_LIMITS).toEqual({ min: 1, max: 10_000_000 });
});
