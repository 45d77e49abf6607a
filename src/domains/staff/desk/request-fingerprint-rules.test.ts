import { expect, test } from 'vitest';
import { requestFingerprint } from './request-fingerprint-rules.ts';

const move = (body: object, ignoredFields: readonly string[] = []) =>
  requestFingerprint('staff/move', { orderid: 'A', ...body }, ignoredFields);

test.each([
  ['the same button', move({ version: 5, stage: 'queue' }), move({ version: 5, stage: 'queue' }), true],
  ['the button of the next stage', move({ version: 5, stage: 'queue' }), move({ version: 6, stage: 'washing' }), false],
  ['the same button of a changed order', move({ version: 5, stage: 'queue' }), move({ version: 7, stage: 'queue' }), false],
  ['a form after a live update', move({ version: 5, bags: 2 }, ['version']), move({ version: 6, bags: 2 }, ['version']), true],
  ['a form with another value', move({ version: 5, bags: 2 }, ['version']), move({ version: 5, bags: 3 }, ['version']), false],
  ['a form about another stage', move({ stage: 'washing' }, ['version']), move({ stage: 'delivered' }, ['version']), false],
  [
    'another call',
    requestFingerprint('staff/attempt', { orderid: 'A' }, []),
    requestFingerprint('staff/renewcode', { orderid: 'A' }, []),
    false,
  ],
])('recognises a repetition: %s', (_name, one, other, isSame) => {
  expect(one === other).toBe(isSame);
});
