import { expect, test } from 'vitest';
import { asPaise } from '../../../../lib/money.ts';
import type { BegunOnline } from '../begun-online.ts';
import type { BegunUpi } from '../begun-upi.ts';
import { readPaymentForm } from './payment-form.ts';

const begun: BegunUpi = {
  orderid: 'o',
  amount: asPaise(38_000),
  reference: 'r',
  begun_at: '2026-11-27 18:00:00',
  reported_at: null,
  left_to_pay: asPaise(38_000),
};
const reported: BegunUpi = { ...begun, reported_at: '2026-11-27 18:05:00' };
const read = (
  text: string,
  {
    method = 'cash',
    left = 38_000,
    begunUpi = null,
    begunOnline = null,
  }: { method?: 'cash' | 'upi'; left?: number; begunUpi?: BegunUpi | null; begunOnline?: BegunOnline | null } = {},
) => readPaymentForm({ method, text }, { left: asPaise(left), begunUpi, begunOnline });

test('the amount left needs no question', () => {
  expect(read('380')).toMatchObject({
    amount: 38_000,
    isPossible: true,
    excess: 0,
    isPaidTwice: false,
    isLikelySlip: false,
    needsQuestion: false,
  });
});

test.each(['', 'x', '0', '100000.01', '-5'])('%j is no payment and raises no question', (text) => {
  expect(read(text, { begunUpi: reported })).toMatchObject({
    amount: 0,
    isPossible: false,
    excess: 0,
    isPaidTwice: false,
    needsQuestion: false,
  });
});

test('an excess goes to the wallet, and from three times the amount left it is a likely slip', () => {
  expect(read('380.01')).toMatchObject({ excess: 1, isLikelySlip: false, needsQuestion: true });
  expect(read('1139.99')).toMatchObject({ isLikelySlip: false });
  expect(read('1140')).toMatchObject({ excess: 76_000, isLikelySlip: true });
  expect(read('10', { left: 0 })).toMatchObject({ excess: 1000, isLikelySlip: false });
});

test('a payment beside a reported one is asked about, unless it is the reported one', () => {
  expect(read('380', { begunUpi: begun })).toMatchObject({ isPaidTwice: false });
  expect(read('380', { begunUpi: reported })).toMatchObject({ isPaidTwice: true, needsQuestion: true });
  expect(read('380', { begunUpi: reported, method: 'upi' })).toMatchObject({ isPaidTwice: false, needsQuestion: false });
  expect(read('379', { begunUpi: reported, method: 'upi' })).toMatchObject({ isPaidTwice: true });
});

test('a payment beside one that is not confirmed online is asked about', () => {
  const online: BegunOnline = { amount: asPaise(38_000), begun_at: '2026-11-27 18:00:00' };
  for (const method of ['cash', 'upi'] as const) {
    expect(read('380', { method, begunOnline: online })).toMatchObject({ mayArriveOnline: true, needsQuestion: true });
  }
  expect(read('x', { begunOnline: online })).toMatchObject({ mayArriveOnline: false, needsQuestion: false });
  expect(read('380', { begunOnline: online }).question).not.toBe(read('380').question);
});

test('another method, another amount and a report that arrives meanwhile are other questions', () => {
  const questions = [read('380'), read('381'), read('380', { method: 'upi' }), read('380', { begunUpi: reported })].map(
    ({ question }) => question,
  );
  expect(new Set(questions).size).toBe(4);
  expect(read('380', { begunUpi: begun }).question).toBe(questions[0]);
});
