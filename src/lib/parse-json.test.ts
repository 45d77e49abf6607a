import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test.each<[text: string, value: unknown]>([
  ['{"a":[1,null]}', { a: [1, null] }],
  ['null', null],
  ['"text"', 'text'],
])('%s is JSON', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each(['', '{', "{'a':1}", 'undefined', '<html>'])('%j is not JSON', (text) => {
  expect(parseJson(text)).toBeUndefined();
});
