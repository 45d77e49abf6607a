/**
 * The rules of the repository as tests, each with its reason. Every rule carries files that break it: it must find those, or it could not fail.
 */
import { describe, expect, test } from 'vitest';
import * as languages from './architecture/languages.ts';
import * as rooms from './architecture/rooms.ts';
import * as tables from './architecture/tables.ts';
import { readTree, type Rule } from './architecture/tree.ts';
import * as vocabulary from './architecture/vocabulary.ts';
import * as words from './architecture/words.ts';

const tree = readTree();
const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null && 'planted' in value;
const rules = [languages, rooms, tables, vocabulary, words].flatMap((file) => Object.values(file).filter(isRule));

describe.each(rules)('$name', ({ why, faults, planted }) => {
  test('holds', () => {
    expect(faults(tree), why).toEqual([]);
  });

  test.each(Object.entries(planted))('notices a fault planted in %s', (file, text) => {
    const found = faults(new Map([...tree, [file, text]]));
    expect(found.length, 'the planted fault was not noticed').toBeGreaterThan(faults(tree).length);
  });
});

test('files are short: the median and the 95th percentile are held', () => {
  const { median, p95, longest } = vocabulary.sizes(tree);
  expect({ median, p95, longest }).toEqual({
    median: expect.toSatisfy((value: number) => value < 70, 'fewer than 70 lines'),
    p95: expect.toSatisfy((value: number) => value < 200, 'fewer than 200 lines'),
    longest: expect.toSatisfy((value: number) => value <= 250, 'at most 250 lines'),
  });
});
