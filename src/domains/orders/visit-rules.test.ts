import { expect, test } from 'vitest';
import { attemptReasons } from './visit-rules.ts';

test('only a pickup can have nothing to collect', () => {
  expect(attemptReasons('pickup')).toContain('nothing-to-collect');
  expect(attemptReasons('delivery')).toEqual(['nobody-home', 'refused', 'address', 'other']);
});
