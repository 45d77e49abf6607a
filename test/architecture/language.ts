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

/** A comment up to the words that the pattern of a term matches. */
const COMMENT = String.raw`(?:^\s*(?:\/\/|\/?\*|\{\/\*|--)|\s\/\/\s)`;

/** The words anywhere in a comment, except in backticks. */
const inComment = (words: string) => new RegExp(String.raw`${COMMENT}.*(?<![\`\w-])(?:${words})(?![\`\w-])`, 'i');

/** The words at the beginning of a sentence of a comment that begins a line. */
const atStart = (words: string) => new RegExp(String.raw`${COMMENT}[*\s]*(?:${words})\b`);

/** Words that are vague or not usual in code, with what to write instead. */
const TERMS: readonly { pattern: RegExp; use: string; planted: string }[] = [
  { pattern: /\bMOST_|\bmost[A-Z]/, use: 'MAX_ or max', planted: 'const MOST_ROWS = 10;' },
  {
    pattern: inComment('whoever|whomever|whichever|nobody|everybody|anybody|somebody|anyone|someone'),
    use: 'a noun (the caller, the customer, the process)',
    planted: '// Whoever calls this gets the row.',
  },
  { pattern: atStart('What|Who|Those|That'), use: 'a noun (the amount, the columns, the roles)', planted: '/** What the laundry owes. */' },
  { pattern: inComment('tells?|told|says?|said'), use: 'returns, shows, reports or states', planted: '  // The store says so.' },
  {
    pattern: inComment('answers? (?:with|to (?:calls?|requests?))|hands? out|handed out|gives? back'),
    use: 'returns or responds',
    planted: ' * Answers with the row, which the pool hands out.',
  },
  { pattern: inComment('stands?|stood'), use: 'is, or represents', planted: 'const width = 2; // The picture stands beside the text.' },
  { pattern: inComment('at hand|comes? back|came back'), use: 'cached, or is returned', planted: '-- The row comes back.' },
  {
    // Not in SQL: an applied migration cannot be changed.
    pattern: /^\s*(?:\/\/|\/?\*)[*\s]*Of (?!two|several)/,
    use: 'the noun first (the id of the newest report)',
    planted: '/** Of the newest report. */',
  },
  { pattern: inComment('anew|lest|so many'), use: 'again, so that … not, or the number', planted: '{/* Reads it anew. */}' },
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

/**
 * The words of TERMS that are also vague in the names of tests and in documents. There, a page may
 * say something, and nobody may see it.
 */
const VAGUE_WORDS =
  /(?<![\w-])(?:whoever|whomever|whichever|stands?|stood|at hand|comes? back|came back|anew|lest|so many|answers? (?:with|to (?:calls?|requests?))|hands? out|handed out|gives? back)(?![\w-])/i;

export const hasVagueWord = (text: string): boolean => VAGUE_WORDS.test(text);

/** Replaces the names of the code, which may contain any word. */
const withoutCode = (markdown: string) =>
  markdown.replaceAll(/^```.*?^```/gms, (block) => block.replaceAll(/[^\n]/g, '')).replaceAll(/`[^`\n]*`/g, '');

export const standardTermsInDocuments: Rule = {
  name: 'documents use the standard terms of the field',
  why: 'write a noun for whoever, is for stands, again for anew, returns or responds for gives back, hands out and answers',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => file.endsWith('.md') && file !== 'docs/specification.md')
      .flatMap(([file, text]) =>
        withoutCode(text)
          .split('\n')
          .flatMap((line, index) => (hasVagueWord(line) ? [`${file}:${index + 1} ${line}`] : [])),
      ),
  planted: { 'docs/planted.md': 'Whoever calls it, and the row stands below.' },
};

const sourceLines = (tree: Tree) =>
  [...tree]
    .filter(([file]) => isSource(file) && file !== SELF)
    .flatMap(([file, text]) => text.split('\n').map((line, index) => ({ place: `${file}:${index + 1}`, line })));
