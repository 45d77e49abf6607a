import { expect, test } from 'vitest';
import { deskError } from './contract.ts';
import { explainStale, isCancelledMeanwhile, isMovedPickup, isStale, isWrongCode, refusalTexts, staleError } from './refusals.ts';

test('screens recognise the errors of a stale version and of a wrong code', () => {
  const codesOf = (isRecognised: typeof isStale) =>
    Object.keys(refusalTexts).filter((code) => isRecognised({ code, params: {}, message: '' }));
  const moved = ['customer-moved-pickup', 'laundry-moved-pickup'];
  const cancelled = ['customer-cancelled', 'laundry-cancelled'];
  expect(codesOf(isMovedPickup).toSorted()).toEqual(moved);
  expect(codesOf(isCancelledMeanwhile).toSorted()).toEqual(cancelled);
  expect(codesOf(isStale).toSorted()).toEqual(['changed-meanwhile', ...cancelled, ...moved].toSorted());
  expect(codesOf(isWrongCode)).toEqual(['wrong-hand-over-code', 'too-many-codes']);
});

test('the cause of a stale version is explained with the time as on all pages', () => {
  const stale = staleError(deskError('laundry-moved-pickup', { time: '18:32', day: '2026-11-28' }));
  expect(explainStale(stale)).toEqual({
    code: 'laundry-moved-pickup',
    params: { time: '18:32', day: '2026-11-28' },
    message: 'At 6:32 PM the laundry moved this pickup to Nov 28, 2026',
  });
  const other = staleError();
  expect(explainStale(other)).toEqual(other);
});
