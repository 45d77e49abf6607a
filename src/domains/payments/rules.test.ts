import jsQR from 'jsqr';
import { encode } from 'uqr';
import { describe, expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import { orderError, STAGES, type Stage } from '../orders/contract.ts';
import { PAYMENT_STATES, paymentError } from './contract.ts';
import {
  checkTimes,
  overpaidPaise,
  duePaise,
  isResultCode,
  hasUsablePage,
  pageExpiresAt,
  paidPaise,
  unpaidPaise,
  statesBefore,
  upiLink,
  calculateWalletPart,
  type PayableOrder,
  type PaidAmount,
} from './rules.ts';

const order: PayableOrder = { stage: 'queue', ratePaise: asPaise(3800), offerPercent: 0, weightGrams: 7530 };
const paid = (method: PaidAmount['method'], paise: number): PaidAmount => ({ method, amountPaise: asPaise(paise) });

test('a payment enters a state only from earlier rows of the table', () => {
  const position = (state: string) => PAYMENT_STATES.findIndex((row) => row.state === state);
  for (const { state, after } of PAYMENT_STATES) {
    expect(statesBefore(state)).toEqual(after);
    for (const before of after) expect(position(before)).toBeLessThan(position(state));
  }
  expect(statesBefore('pending')).toEqual([]);
});

describe('the wallet part', () => {
  test.each(STAGES.map(({ stage }) => stage))('is half of the amount between pickup and delivery, or an error: %s', (stage) => {
    const part = calculateWalletPart({ ...order, stage }, []);
    if (stage === 'pickup') expect(part).toEqual({ error: paymentError('not-payable-yet') });
    else if (stage === 'cancelled') expect(part).toEqual({ error: orderError('order-cancelled') });
    else if (stage === 'delivered') expect(part).toEqual({ error: paymentError('order-delivered') });
    else expect(part).toEqual({ partPaise: 14_307, duePaise: 28_614 });
  });

  test.each<[string, Partial<PayableOrder>, PaidAmount[], object]>([
    ['an odd paisa stays unpaid', { weightGrams: 10, ratePaise: asPaise(3900) }, [], { partPaise: 19, duePaise: 39 }],
    ['half of one paisa is nothing', { weightGrams: 10, ratePaise: asPaise(100) }, [], { error: paymentError('nothing-to-pay') }],
    ['nothing of an order that costs nothing', { offerPercent: 100 }, [], { error: paymentError('nothing-to-pay') }],
    ['the amount it has paid, in any stage', { stage: 'delivered' }, [paid('wallet', 14_307)], { walletPaidPaise: 14_307 }],
    ['half, if at least half is unpaid', {}, [paid('upi', 14_307)], { partPaise: 14_307, duePaise: 28_614 }],
    ['nothing, if less than half is unpaid', {}, [paid('upi', 14_308)], { error: paymentError('nothing-to-pay') }],
  ])('is calculated exactly: %s', (_what, change, payments, expected) => {
    expect(calculateWalletPart({ ...order, ...change }, payments)).toEqual(expected);
  });

  test('the unpaid amount is never negative', () => {
    expect(unpaidPaise(order, paidPaise([paid('cash', 28_000), paid('upi', 600)]))).toBe(14);
    expect(unpaidPaise(order, paidPaise([paid('cash', 28_000), paid('upi', 700)]))).toBe(0);
  });

  test('overpaidPaise returns the overpaid amount', () => {
    expect(overpaidPaise(order, paidPaise([paid('cash', 28_000), paid('upi', 634)]))).toBe(20);
    expect(overpaidPaise(order, paidPaise([paid('cash', 28_000)]))).toBe(0);
    expect(overpaidPaise({ ...order, weightGrams: null }, 0)).toBe(0);
  });

  test('an order that was moved back to its pickup has no amount due, but can be overpaid', () => {
    const movedBack: PayableOrder = { ...order, stage: 'pickup' };
    expect([duePaise(movedBack), unpaidPaise(movedBack, 0)]).toEqual([null, null]);
    expect(overpaidPaise(movedBack, 28_634)).toBe(20);
  });

  test('nothing is due for a cancelled order: every payment is change', () => {
    const cancelled: PayableOrder = { ...order, stage: 'cancelled' };
    expect([duePaise(cancelled), unpaidPaise(cancelled, 60), overpaidPaise(cancelled, 60)]).toEqual([0, 0, 60]);
    expect(calculateWalletPart(cancelled, [paid('wallet', 60)])).toEqual({ error: orderError('order-cancelled') });
  });

  test('nothing is due in an unknown stage', () => {
    const unknown = { ...order, stage: 'ironing' as Stage };
    expect(duePaise(unknown)).toBeNull();
    expect(calculateWalletPart(unknown, [])).toEqual({ error: paymentError('not-payable-yet') });
  });

  test('nothing is due before the order is weighed', () => {
    expect(duePaise({ ...order, weightGrams: null })).toBeNull();
  });
});

test.each(['auth', 'webview', 'staff', 'assets', 'docs', 'payments', 'Auth', 'WEBVIEW'])('isResultCode returns false for %s', (code) => {
  expect(isResultCode(code)).toBe(false);
});
test.each(['pay', 'abc', 'authors', 'x'])('isResultCode returns true for %s', (code) => {
  expect(isResultCode(code)).toBe(true);
});

describe('the page of a payment at the gateway', () => {
  const begun = new Date('2026-11-21T05:00:00.000Z');

  test('expires a day after the payment began', () => {
    expect(pageExpiresAt(begun)).toEqual(new Date('2026-11-22T05:00:00.000Z'));
  });

  test('is usable until half an hour before it expires', () => {
    expect(hasUsablePage(begun, begun)).toBe(true);
    expect(hasUsablePage(begun, new Date('2026-11-22T04:30:00.000Z'))).toBe(true);
    expect(hasUsablePage(begun, new Date('2026-11-22T04:30:00.001Z'))).toBe(false);
  });

  test('is checked every two seconds, and a failed payment for two days after it began', () => {
    expect(checkTimes(begun)).toEqual({
      uncheckedSince: new Date('2026-11-21T04:59:58.000Z'),
      failedSince: new Date('2026-11-19T05:00:00.000Z'),
    });
  });
});

const payee = { vpa: 'laundry.gurugram@okbank', name: 'Dhulai & Söhne Laundry' };

test('a UPI link contains payee, amount to the paisa and order', () => {
  const link = upiLink(payee, { amountPaise: asPaise(14_307), reference: '4K7QX0C2N9M3P1R5T8VW', orderid: '4K7QX0C2N9M3' });
  expect(link).toBe(
    'upi://pay?pa=laundry.gurugram@okbank&pn=Dhulai%20%26%20S%C3%B6hne%20Laundry&tr=4K7QX0C2N9M3P1R5T8VW&tn=Order%204K7QX0C2N9M3&am=143.07&cu=INR',
  );
});

test.each([1, 5, 10, 99, 100, 101, 14_307, 28_610, 99_999_999, 110_000_000_000])('%i paise: amount and QR code are exact', (paise) => {
  const link = upiLink(payee, { amountPaise: asPaise(paise), reference: '4K7QX0C2N9M3P1R5T8VW', orderid: '4K7QX0C2N9M3' });
  const amount = new URLSearchParams(link.split('?')[1]).get('am') ?? '';
  expect(amount).toMatch(/^\d+\.\d\d$/);
  expect(BigInt(amount.replace('.', ''))).toBe(BigInt(paise));
  expect(decodeQrCode(link)).toBe(link);
});

/** Renders a QR code with four pixels for each module and decodes it. */
function decodeQrCode(text: string): string | undefined {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const side = size * 4;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) if (data[y >> 2]?.[x >> 2]) pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
  }
  return jsQR(pixels, side, side)?.data;
}
