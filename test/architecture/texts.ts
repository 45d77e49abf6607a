/**
 * Rules for texts: screens use only texts of the catalogues, and the catalogues contain only used
 * texts.
 */
import { parseSync, type ESTree } from 'vite';
import { isTest, type Rule, type Tree } from './tree.ts';

type Node = ESTree.Node;

const CATALOGUE = /^src\/i18n\/([\w-]+)\.json$/;
const textsOf = (tree: Tree, file: string) => (JSON.parse(tree.get(file) ?? '{}') as { texts: Record<string, string> }).texts;
const catalogues = (tree: Tree) => [...tree.keys()].filter((file) => CATALOGUE.test(file));

/** The compiler derives the keys from this catalogue. */
const FIRST = 'src/i18n/hi.json';

const names = (text: string) =>
  [...text.matchAll(/\{\w+\}/g)]
    .map(([name]) => name)
    .toSorted()
    .join();

export const cataloguesAreComplete: Rule = {
  name: 'every catalogue has every text, with the same values',
  why: 'a missing text appears in English, and a missing value does not appear',
  faults: (tree) => {
    const known = Object.keys(textsOf(tree, FIRST));
    const faults: string[] = [];
    for (const file of catalogues(tree)) {
      const texts = textsOf(tree, file);
      for (const key of known) {
        if (!texts[key]?.trim()) faults.push(`${file} has no text for '${key}'`);
        else if (names(key) !== names(texts[key])) faults.push(`${file} has other values in '${key}'`);
      }
      for (const key of Object.keys(texts)) if (!known.includes(key)) faults.push(`${file} has a text that ${FIRST} does not: '${key}'`);
    }
    return faults;
  },
  planted: {
    'src/i18n/mr.json': '{ "name": "मराठी", "locale": "mr-IN", "texts": { "Close": "बंद करा" } }',
    'src/i18n/ta.json': '{ "name": "தமிழ்", "locale": "ta-IN", "texts": { "Hi, {name}": "வணக்கம்" } }',
  },
};

/** Files that render texts for visitors. The gallery and pages of the server are for developers. */
const isScreen = (file: string) =>
  /^src\/(?:[\w-]+|ui\/.*|site\/.*|browser\/.*|pre-hydration\/.*|domains\/[\w-]+\/pages\/.*)\.tsx$/.test(file) &&
  !file.startsWith('src/ui/gallery') &&
  !file.includes('.server.') &&
  !isTest(file);

/** Attributes and properties whose text is displayed or announced. */
const READ = new Set(
  'title text label legend hint alt placeholder message summary confirmLabel cancelLabel aria-label aria-valuetext'.split(' '),
);

/** Texts that are the same in every language. */
const SAME_EVERYWHERE = /^(?:\+91|[^\p{L}]*)$/u;

interface Found {
  line: number;
  text: string;
}

/** Returns the texts of a screen that do not go through `t`. */
function bareTexts(file: string, source: string): Found[] {
  const found: Found[] = [];
  const note = (node: Node, text: string) => {
    if (!SAME_EVERYWHERE.test(text.trim()))
      found.push({ line: source.slice(0, node.start).split('\n').length, text: text.trim().slice(0, 60) });
  };
  /** Notes the literal texts of an expression. The result of a call is checked in its function. */
  const shown = (node: Node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') note(node, node.value);
    if (node.type === 'TemplateLiteral') note(node, node.quasis.map(({ value }) => value.raw).join(' '));
    if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(shown);
    if (node.type === 'LogicalExpression') [node.left, node.right].forEach(shown);
  };
  const walk = (node: Node, parent?: Node) => {
    const isMixed = parent?.type === 'JSXOpeningElement' && parent.name.type === 'JSXIdentifier' && parent.name.name === 'Mixed';
    if (node.type === 'JSXText') note(node, node.value);
    if (node.type === 'JSXAttribute' && node.value && node.name.type === 'JSXIdentifier' && READ.has(node.name.name) && !isMixed) {
      if (node.value.type === 'Literal') note(node, node.value.value);
      if (node.value.type === 'JSXExpressionContainer') shown(node.value.expression);
    }
    if (node.type === 'JSXExpressionContainer' && parent?.type !== 'JSXAttribute') shown(node.expression);
    for (const value of Object.values(node) as unknown[]) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node);
    }
  };
  walk(parseSync(file, source, { lang: 'tsx' }).program);
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const textsGoThroughTheCatalogue: Rule = {
  name: 'the texts of a screen go through t',
  why: 'a literal text on a screen stays English in every language (docs/decisions/0017)',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => isScreen(file))
      .flatMap(([file, source]) => bareTexts(file, source).map(({ line, text }) => `${file}:${line} ${text}`)),
  planted: {
    'src/site/planted.tsx': 'export const Planted = () => <p>Please try again</p>;',
    'src/domains/orders/pages/planted.tsx': 'export const Planted = () => <Notice title="Not found" />;',
    'src/ui/planted.tsx': "export const Planted = ({ count }) => <p>{count === 1 ? '1 order' : `${count} orders`}</p>;",
    'src/planted.tsx': 'export const Planted = ({ name }) => <button aria-label={`Delete ${name}`} />;',
  },
};

export const everyTextIsUsed: Rule = {
  name: 'every text of the catalogue is used',
  why: 'an unused text costs a translation in every language',
  faults: (tree) => {
    const code = [...tree].filter(([file]) => /^src\/.*\.tsx?$/.test(file) && !isTest(file)).map(([, text]) => text);
    const all = code.join('\n').replaceAll(/\\(['"`])/g, '$1');
    // The first part of a description ends with $ (specification section 3).
    const isWritten = (key: string) =>
      ["'", '"', '`'].some((quote) => all.includes(quote + key + quote) || all.includes(`${quote}${key}$`));
    return Object.keys(textsOf(tree, FIRST))
      .filter((key) => !isWritten(key))
      .map((key) => `${FIRST} '${key}'`);
  },
  planted: { [FIRST]: '{ "texts": { "Planted and never shown": "…" } }' },
};
