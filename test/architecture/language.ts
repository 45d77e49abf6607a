/** Rules for comments and names, so that the code reads as plain technical English. */
import { isCode, type Rule, type Tree } from './tree.ts';

/** Excluded, because this file contains the terms. */
const SELF = 'test/architecture/language.ts';

const MAX_COLUMNS = 100;
const isSource = (file: string) => /^(?:src|test|bench|tools)\//.test(file) && (isCode(file) || /\.(?:css|sql)$/.test(file));
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|\{\/\*|--)/;

export const shortCommentLines: Rule = {
  name: `a comment line has at most ${MAX_COLUMNS} columns`,
  why: 'longer lines are hard to read, and do not fit beside another file: wrap the comment',
  faults: (tree) =>
    sourceLines(tree)
      .filter(({ line }) => COMMENT_LINE.test(line) && line.length > MAX_COLUMNS)
      .map(({ place, line }) => `${place} has ${line.length} columns`),
  planted: {
    'src/lib/planted.ts': `// ${'word '.repeat(20)}`,
    'src/db/migrations/9999_planted.sql': `  -- ${'word '.repeat(20)}`,
    'test/planted.ts': `/**\n * ${'word '.repeat(20)}\n */`,
    'src/ui/planted.tsx': `      {/* ${'word '.repeat(20)} */}`,
  },
};

/** Words that are vague or not usual in code, with what to write instead. */
const TERMS: readonly { pattern: RegExp; use: string; planted: string }[] = [
  { pattern: /\bMOST_|\bmost[A-Z]/, use: 'MAX_ or max', planted: 'const MOST_ROWS = 10;' },
  // Only in comments, and not `nobody`, the user.
  {
    pattern: /^\s*(?:\/\/|\/?\*|--).*(?<!`)\b(?:whoever|whomever|nobody|told|tells)\b/i,
    use: 'a noun (the caller, the customer, the process) or a plain verb',
    planted: '// Whoever calls this is told.',
  },
];

export const standardTerms: Rule = {
  name: 'names and comments use the standard terms of the field',
  why: 'a private vocabulary must be learned before the code can be read',
  faults: (tree) =>
    sourceLines(tree).flatMap(({ place, line }) =>
      TERMS.filter(({ pattern }) => pattern.test(line)).map(({ use }) => `${place} use ${use} instead: ${line.trim()}`),
    ),
  planted: Object.fromEntries(TERMS.map(({ planted }, number) => [`src/lib/planted-${number}.ts`, planted])),
};

const sourceLines = (tree: Tree) =>
  [...tree]
    .filter(([file]) => isSource(file) && file !== SELF)
    .flatMap(([file, text]) => text.split('\n').map((line, index) => ({ place: `${file}:${index + 1}`, line })));
