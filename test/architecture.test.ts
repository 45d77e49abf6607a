/**
 * The rules of the repository as tests, each with its reason. Every rule has planted faults that it
 * must detect, so that it is known to work.
 */
import { describe, expect, test } from 'vitest';
import * as documents from './architecture/documents.ts';
import * as texts from './architecture/texts.ts';
import * as language from './architecture/language.ts';
import * as layers from './architecture/layers.ts';
import * as moduleState from './architecture/module-state.ts';
import * as storeNames from './architecture/store-names.ts';
import * as tables from './architecture/tables.ts';
import { readTree, type Rule } from './architecture/tree.ts';
import * as fileNames from './architecture/file-names.ts';
import * as restrictedPatterns from './architecture/restricted-patterns.ts';
import * as testNames from './architecture/test-names.ts';

const tree = readTree();
const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null && 'planted' in value;
const rules = [documents, fileNames, language, layers, moduleState, restrictedPatterns, storeNames, tables, testNames, texts].flatMap(
  (file) => Object.values(file).filter(isRule),
);

describe.each(rules)('$name', ({ why, faults, planted }) => {
  const present = faults(tree);

  test('holds', () => {
    expect(present, why).toEqual([]);
  });

  test.each(Object.entries(planted))('notices a fault planted in %s', (file, text) => {
    const found = faults(new Map([...tree, [file, text]]));
    expect(found.length, 'the planted fault was not noticed').toBeGreaterThan(present.length);
  });
});
