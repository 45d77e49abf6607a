/**
 * Every text that people see is a key, a plural or an error that the catalogues translate, and the
 * catalogues hold nothing else.
 */
import type { ESTree } from 'vite';
import { nodesOf, nodesWithParents, type Node } from './syntax.ts';
import { importsOf, isTest, type Rule, type Tree } from './tree.ts';

interface Catalogue {
  locale: string;
  texts: Record<string, string>;
  plurals: Record<string, Record<string, string>>;
  errors: Record<string, string>;
}

const cataloguesIn = (tree: Tree, folder: RegExp): [file: string, catalogue: Catalogue][] =>
  [...tree].filter(([file]) => folder.test(file)).map(([file, json]) => [file, JSON.parse(json) as Catalogue]);

/** The catalogues that customers load. The console loads them too, with those of the staff. */
const catalogues = (tree: Tree) => cataloguesIn(tree, /^src\/i18n\/[\w-]+\.json$/);
const staffCatalogues = (tree: Tree) => cataloguesIn(tree, /^src\/i18n\/staff\/[\w-]+\.json$/);

/** Files that only the console and the server load. */
const isOfTheConsole = (file: string) => /^src\/(?:console|domains\/[\w-]+\/desk)\//.test(file);

const placeholders = (text: string) =>
  [...text.matchAll(/\{[\w, ]+\}/g)]
    .map(([placeholder]) => placeholder)
    .toSorted()
    .join();

interface Written {
  texts: Set<string>;
  /** The English forms for other counts. */
  plurals: Set<string>;
  /** English text by code. */
  errors: Map<string, string>;
}

/**
 * The texts of the program: the arguments of t, msg, plural, defineMessages and defineErrors, and
 * the text of RichText.
 */
function writtenTexts(tree: Tree, isIncluded: (file: string) => boolean = () => true): Written & { faults: string[] } {
  const written = { texts: new Set<string>(), plurals: new Set<string>(), errors: new Map<string, string>(), faults: [] as string[] };
  for (const [file, source] of tree) {
    if (!/^src\/.*\.tsx?$/.test(file) || isTest(file) || file.startsWith('src/ui/gallery') || file.endsWith('.server.ts')) continue;
    if (!isIncluded(file)) continue;
    for (const node of nodesOf(file, source)) {
      if (node.type === 'CallExpression') collectFrom(file, node, written);
      if (node.type !== 'JSXOpeningElement' || node.name.type !== 'JSXIdentifier' || node.name.name !== 'RichText') continue;
      for (const attribute of node.attributes) {
        if (attribute.type !== 'JSXAttribute' || attribute.name.name !== 'text' || attribute.value?.type !== 'Literal') continue;
        written.texts.add(attribute.value.value);
      }
    }
  }
  return written;
}

function collectFrom(file: string, { callee, arguments: given }: ESTree.CallExpression, written: Written & { faults: string[] }) {
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  if (name.type !== 'Identifier') return;
  if (name.name === 't' || name.name === 'msg') for (const text of literalsIn(given[0])) written.texts.add(text);
  if (name.name === 'defineMessages') for (const [, text] of propertiesOf(given[0])) written.texts.add(text);
  if (name.name === 'plural') for (const [form, text] of propertiesOf(given[1])) if (form === 'other') written.plurals.add(text);
  if (name.name !== 'defineErrors') return;
  for (const [code, text] of propertiesOf(given[0])) {
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(code)) written.faults.push(`${file} the code '${code}' is not kebab-case`);
    if ((written.errors.get(code) ?? text) !== text) written.faults.push(`${file} the code '${code}' has another text elsewhere`);
    written.errors.set(code, text);
  }
}

/** The literals that an expression can evaluate to. */
function literalsIn(node: Node | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(literalsIn);
  return [];
}

function propertiesOf(node: Node | undefined): [name: string, text: string][] {
  if (node?.type === 'TSSatisfiesExpression') return propertiesOf(node.expression);
  if (node?.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((property) => {
    if (property.type !== 'Property') return [];
    const name = property.key.type === 'Identifier' ? property.key.name : literalsIn(property.key)[0];
    return literalsIn(property.value).map((text): [string, string] => [name ?? '', text]);
  });
}

export const errorCodesAreStable: Rule = {
  name: 'an error code is kebab-case and has one English text',
  why: 'clients and catalogues know an error by its code alone (docs/decisions/0019)',
  faults: (tree) => writtenTexts(tree).faults,
  planted: {
    'src/domains/orders/contract.ts': "export const orderError = defineErrors({ NotFound: 'No such order' });",
    'src/domains/wallet/contract.ts':
      "export const one = defineErrors({ 'not-found': 'No such order' });\nexport const other = defineErrors({ 'not-found': 'No such wallet' });",
  },
};

/** Returns the faults of a catalogue that has to contain the written texts. */
function missingIn([file, catalogue]: [string, Catalogue], { texts, plurals, errors }: Written): string[] {
  const faults: string[] = [];
  const check = (what: string, english: string, translated: string | undefined) => {
    if (!translated?.trim()) faults.push(`${file} has no ${what}`);
    else if (placeholders(english) !== placeholders(translated)) faults.push(`${file} has other values in the ${what}`);
  };
  for (const text of texts) check(`text for '${text}'`, text, catalogue.texts[text]);
  for (const [code, text] of errors) check(`error for '${code}'`, text, catalogue.errors[code]);
  const { pluralCategories } = new Intl.PluralRules(catalogue.locale).resolvedOptions();
  for (const other of plurals) {
    // A category such as 'one' can contain other counts than 1: each form has to show the
    // count.
    for (const category of pluralCategories) check(`form '${category}' for '${other}'`, other, catalogue.plurals[other]?.[category]);
  }
  return faults;
}

export const cataloguesAreComplete: Rule = {
  name: 'every catalogue has every text, plural and error, with the same values in it',
  why: 'a missing text appears in English, and a missing value does not appear',
  faults: (tree) => {
    const ofCustomers = writtenTexts(tree, (file) => !isOfTheConsole(file));
    const all = writtenTexts(tree);
    const customers = catalogues(tree);
    return [
      ...customers.flatMap((entry) => missingIn(entry, ofCustomers)),
      ...staffCatalogues(tree).flatMap(([file, staff]) => {
        const language = customers.find(([name]) => name === file.replace('/staff/', '/'))?.[1];
        return missingIn([file, language ? merged(language, staff) : staff], all);
      }),
    ];
  },
  planted: {
    'src/i18n/mr.json': '{ "name": "मराठी", "locale": "mr-IN", "texts": { "Close": "बंद करा" }, "plurals": {}, "errors": {} }',
    'src/i18n/ta.json': '{ "name": "தமிழ்", "locale": "ta-IN", "texts": { "Hi, {name}": "வணக்கம்" }, "plurals": {}, "errors": {} }',
    'src/i18n/staff/hi.json': '{ "name": "हिन्दी", "locale": "hi-IN", "texts": {}, "plurals": {}, "errors": {} }',
  },
};

/** The texts of the console in a language. */
const merged = (customers: Catalogue, staff: Catalogue): Catalogue => ({
  ...customers,
  texts: { ...customers.texts, ...staff.texts },
  plurals: { ...customers.plurals, ...staff.plurals },
  errors: { ...customers.errors, ...staff.errors },
});

/** Returns the keys that no included file uses. */
function unusedIn([file, catalogue]: [string, Catalogue], tree: Tree, isIncluded: (file: string) => boolean): string[] {
  const { texts, plurals, errors } = writtenTexts(tree, isIncluded);
  const errorTexts = new Set(errors.values());
  const code = [...tree].filter(([path]) => /^src\/.*\.tsx?$/.test(path) && !isTest(path) && isIncluded(path)).map(([, text]) => text);
  const all = code.join('\n').replaceAll(/\\(['"`])/g, '$1');
  // Also data that is translated, such as a service's name. A description's first part ends with
  // $ (specification section 3).
  const isWritten = (key: string) => ["'", '"', '`'].some((quote) => all.includes(quote + key + quote) || all.includes(`${quote}${key}$`));
  const unused = (keys: Readonly<Record<string, unknown>>, isUsed: (key: string) => boolean) =>
    Object.keys(keys).filter((key) => !isUsed(key));
  return [
    unused(catalogue.texts, (key) => texts.has(key) || (isWritten(key) && !errorTexts.has(key))),
    unused(catalogue.plurals, (key) => plurals.has(key)),
    unused(catalogue.errors, (key) => errors.has(key)),
  ]
    .flat()
    .map((key) => `${file} '${key}'`);
}

export const everyTextIsUsed: Rule = {
  name: 'every text, plural and error of a catalogue is used, and those of the console only by it',
  why: 'an unused text costs a translation in every language, and a text of the console costs customers a download',
  faults: (tree) => [
    ...catalogues(tree).flatMap((entry) => unusedIn(entry, tree, (file) => !isOfTheConsole(file))),
    ...staffCatalogues(tree).flatMap((entry) => unusedIn(entry, tree, isOfTheConsole)),
    ...staffCatalogues(tree).flatMap(([file, staff]) => {
      const language = catalogues(tree).find(([name]) => name === file.replace('/staff/', '/'))?.[1];
      const kinds = ['texts', 'plurals', 'errors'] as const;
      return kinds.flatMap((kind) =>
        Object.keys(staff[kind])
          .filter((key) => language && Object.hasOwn(language[kind], key))
          .map((key) => `${file} repeats '${key}'`),
      );
    }),
  ],
  planted: {
    'src/i18n/hi.json':
      '{ "locale": "hi-IN", "texts": { "Planted and never shown": "…" }, "plurals": { "{count} plants": {} }, "errors": { "planted": "…" } }',
    'src/i18n/staff/hi.json': '{ "locale": "hi-IN", "texts": { "Planted and never shown": "…" }, "plurals": {}, "errors": {} }',
  },
};

export const englishNeedsNoCatalogue: Rule = {
  name: 'no module of the program imports a catalogue by its name',
  why: 'English works without any other language: deleting a catalogue must break nothing (docs/decisions/0020)',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => /^src\/.*\.tsx?$/.test(file) && !isTest(file))
      .flatMap(([file, source]) => (importsOf(source).some(({ specifier }) => specifier.endsWith('.json')) ? [file] : [])),
  planted: { 'src/i18n/planted.ts': "import type hi from './hi.json';", 'src/site/planted.ts': "import hi from '../i18n/hi.json';" },
};

/**
 * Files with texts for customers. The gallery and the pages of the server are for developers.
 */
const isScreen = (file: string) =>
  /^src\/(?:[\w-]+|ui\/.*|site\/.*|browser\/.*|pre-hydration\/.*|console\/.*|domains\/[\w-]+\/(?:pages|desk)\/.*)\.tsx$/.test(file) &&
  !file.startsWith('src/ui/gallery') &&
  !file.includes('.server.') &&
  !isTest(file);

/** Attributes and properties whose text is shown or read aloud. */
const READ = new Set(
  'title text label legend hint alt placeholder message summary confirmLabel cancelLabel aria-label aria-valuetext'.split(' '),
);

/** Words that are the same in every language. */
const SAME_EVERYWHERE = /^(?:\+91|[^\p{L}]*)$/u;

interface Found {
  line: number;
  text: string;
}

/** Returns the literal texts of a screen, which do not go through `t`. */
function bareTexts(file: string, source: string): Found[] {
  const found: Found[] = [];
  const note = (node: Node, text: string) => {
    if (!SAME_EVERYWHERE.test(text.trim()))
      found.push({ line: source.slice(0, node.start).split('\n').length, text: text.trim().slice(0, 60) });
  };
  /** Notes the texts that an expression can evaluate to, without the arguments of functions. */
  const shown = (node: Node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') note(node, node.value);
    if (node.type === 'TemplateLiteral') note(node, node.quasis.map(({ value }) => value.raw).join(' '));
    if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(shown);
    if (node.type === 'LogicalExpression') [node.left, node.right].forEach(shown);
  };
  for (const { node, parent } of nodesWithParents(file, source)) {
    const isRichText = parent?.type === 'JSXOpeningElement' && parent.name.type === 'JSXIdentifier' && parent.name.name === 'RichText';
    if (node.type === 'JSXText') note(node, node.value);
    if (node.type === 'JSXAttribute' && node.value && node.name.type === 'JSXIdentifier' && READ.has(node.name.name) && !isRichText) {
      if (node.value.type === 'Literal') note(node, node.value.value);
      if (node.value.type === 'JSXExpressionContainer') shown(node.value.expression);
    }
    if (node.type === 'JSXExpressionContainer' && parent?.type !== 'JSXAttribute') shown(node.expression);
  }
  return found;
}

export const textsGoThroughTheCatalogue: Rule = {
  name: 'the texts of a screen go through t',
  why: 'a literal text on a screen stays English in every language (docs/decisions/0020)',
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
