import { expect, test } from 'vitest';
import { isCancelledMeanwhile, isMovedPickup, isStale, isWrongCode, refusalTexts } from './refusals.ts';

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
