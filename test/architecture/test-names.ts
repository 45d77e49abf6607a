/** A rule for the names of tests. */
import type { ESTree } from 'vite';
import { childrenOf, programOf, type Node } from './syntax.ts';
import { hasVagueWord } from './language.ts';
import type { Rule, Tree } from './tree.ts';

/**
 * Verbs without a final s that the names of tests use. A name with another verb of a plural subject
 * passes too, because the subject ends in s.
 */
const PLAIN_VERB =
  /(?<![\w-])(?:is|are|was|were|has|have|can|cannot|may|must|does|do|did|need|agree|become|belong|carry|contain|delete|differ|fail|find|get|give|go|happen|hold|keep|lead|leave|let|load|make|open|pay|read|receive|remain|return|run|see|send|share|show|start|stay|stop|succeed|survive|take|use|wait|work)(?![\w-])/i;

/** A noun follows these words, so that a final s is a plural. */
const BEFORE_A_NOUN = new Set(
  'a an and any at by each every few for from her his in its many more most my no of on or other our own per some that the their these this those to two with without'.split(
    ' ',
  ),
);

const words = (name: string) => name.split(/[\s,:;()'"`]+/).filter(Boolean);

const isVerb = (word: string, before = '') =>
  PLAIN_VERB.test(word) || (/^[a-z][a-z-]+[^su'’]s$/i.test(word) && !BEFORE_A_NOUN.has(before.toLowerCase()));

const hasVerb = (name: string) => words(name).some((word, index, all) => isVerb(word, all[index - 1]));

/** The block 'the database refuses' makes a sentence of each name in it. */
const endsWithVerb = (block: string) => isVerb(words(block).at(-1) ?? '', words(block).at(-2));

interface NamedCall {
  kind: 'describe' | 'test';
  name: string;
  start: number;
}

const RUNNERS = new Set(['describe', 'test', 'it']);

/** Recognises `test('…', fn)`, `test.describe('…', fn)` and `test.each(rows)('…', fn)`. */
function namedCall(node: Node): NamedCall | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length < 2) return undefined;
  const name = textOf(node.arguments[0]);
  const { runner, isDescribe } = runnerOf(node.callee);
  if (name === undefined || !RUNNERS.has(runner)) return undefined;
  return { kind: isDescribe ? 'describe' : 'test', name, start: node.start };
}

function runnerOf(callee: Node): { runner: string; isDescribe: boolean } {
  if (callee.type === 'Identifier') return { runner: callee.name, isDescribe: callee.name === 'describe' };
  if (callee.type === 'CallExpression') return runnerOf(callee.callee);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return { runner: '', isDescribe: false };
  const { runner, isDescribe } = runnerOf(callee.object);
  return { runner, isDescribe: isDescribe || callee.property.name === 'describe' };
}

/** The text of a literal or a template, whose values are digits here. */
const textOf = (node: ESTree.Argument | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw).join('0') : undefined;
};

/** Returns the place and the full name of each test and block that `isFault` accepts. */
function namesIn(file: string, source: string, isFault: (call: NamedCall, blocks: readonly string[]) => boolean): string[] {
  const found: string[] = [];
  const walk = (node: Node, blocks: readonly string[]) => {
    const call = namedCall(node);
    if (call && isFault(call, blocks))
      found.push(`${file}:${source.slice(0, call.start).split('\n').length} ${[...blocks, call.name].join(' > ')}`);
    for (const child of childrenOf(node)) walk(child, call?.kind === 'describe' ? [...blocks, call.name] : blocks);
  };
  walk(programOf(file, source), []);
  return found;
}

const testFiles = (tree: Tree) => [...tree].filter(([file]) => /^(?:src|test)\/.*\.(?:test|spec)\.tsx?$/.test(file));

export const testNamesAreSentences: Rule = {
  name: 'the name of a test has a verb, of its own or at the end of the name of its block',
  why: "'returns 404 for an order of another customer' states the behaviour that a failure breaks; 'the orders' does not",
  faults: (tree) =>
    testFiles(tree).flatMap(([file, source]) =>
      namesIn(file, source, ({ kind, name }, blocks) => kind === 'test' && !hasVerb(name) && !blocks.some(endsWithVerb)),
    ),
  planted: {
    'src/lib/planted.test.ts': "test('the whole list', () => {});",
    'src/lib/planted-in-a-block.test.ts': "describe('the orders', () => { test('of other customers', () => {}); });",
    'src/lib/planted-rows.test.ts': "test.each(['1', '2'])('%s', () => {});",
    'test/e2e/planted.spec.ts': "test.describe('the desk', () => { test(`the ${name} of an order`, async () => {}); });",
  },
};

export const standardTermsInTestNames: Rule = {
  name: 'the names of tests use the standard terms of the field',
  why: 'a failure is read without the code: the rules of documents apply (language.ts)',
  faults: (tree) => testFiles(tree).flatMap(([file, source]) => namesIn(file, source, ({ name }) => hasVagueWord(name))),
  planted: { 'src/lib/planted.test.ts': "test('the row comes back to whoever calls', () => {});" },
};
