/**
 * The documents name files of the repository. These rules keep the names correct when files move.
 */
import path from 'node:path';
import type { Rule, Tree } from './tree.ts';

/** The documents that people read. `docs/specification.md` names no file of the repository. */
const isDocument = (file: string) => /^(?:README|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(file);

const SOURCE_FILE = /^[\w.*<>][\w./*<>-]*\.(?:tsx?|mjs|sql|css|md|svg|ya?ml)$/;
const ROOT_FOLDER = /^(?:src|test|tools|docs|bench|public)(?:\/[\w.*<>-]+)*\/?$/;

/** Paths that exist only after an installation or in another repository. */
const NOT_IN_THE_REPOSITORY = /^(?:node_modules|build)\//;

/** `*` and `<name>` match any part of a file name. */
const pattern = (named: string) =>
  named
    .split(/\*|<\w+>/)
    .map((part) => part.replaceAll(/[.+-]/g, String.raw`\$&`))
    .join('[^/]*');

/** A file may be named by the end of its path, such as `orders/rules.ts`. */
const hasFile = (tree: Tree, named: string) => {
  const end = new RegExp(`(?:^|/)${pattern(named)}$`);
  return [...tree.keys()].some((file) => end.test(file));
};

/** A path from the root of the repository: a file, a folder, or the number of a decision record. */
const hasPath = (tree: Tree, named: string) => {
  const start = new RegExp(`^${pattern(named.replace(/\/$/, ''))}(?:/|$|(?<=docs/decisions/\\d{4})-)`);
  return [...tree.keys()].some((file) => start.test(file));
};

const codeSpans = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
const links = (text: string) => [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target);
const records = (text: string) => text.match(/\bdocs\/decisions\/\d{4}\b/g) ?? [];

const isMissing = (tree: Tree, named: string) => {
  if (NOT_IN_THE_REPOSITORY.test(named)) return false;
  if (ROOT_FOLDER.test(named)) return !hasPath(tree, named);
  return SOURCE_FILE.test(named) && !hasFile(tree, named);
};

export const documentedPathsExist: Rule = {
  name: 'every repository path that a document names exists',
  why: 'a reader who follows a path to a file that has moved stops trusting the document: change the path with the file',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => isDocument(file))
      .flatMap(([file, text]) => {
        const linked = links(text)
          .filter((target) => !/^\w+:/.test(target))
          .map((target) => path.posix.join(path.posix.dirname(file), target));
        return [
          ...[...codeSpans(text), ...records(text)].filter((named) => isMissing(tree, named)),
          ...linked.filter((target) => !hasPath(tree, target)),
        ].map((named) => `${file} names ${named}`);
      }),
  planted: {
    'docs/planted-file.md': 'The rules are in `orders/planted-rules.ts`.',
    'docs/planted-folder.md': 'The pages are in `src/planted/`.',
    'docs/planted-link.md': 'See [the guide](planted-guide.md).',
    'docs/planted-record.md': 'See docs/decisions/9999.',
    'docs/planted-pattern.md': 'Each test is `planted/*.test.ts`.',
  },
};

const OPERATIONS = 'docs/operations.md';

/** The names of the settings, which are the properties of the schemas in these files. */
const settingsOf = (tree: Tree) =>
  ['src/settings.server.ts', 'src/server/tracing/tracing-settings.server.ts'].flatMap((file) =>
    [...(tree.get(file) ?? '').matchAll(/^\s+([A-Z][A-Z\d]*(?:_[A-Z\d]+)*): /gm)].map(([, setting = '']) => setting),
  );

export const settingsAreDocumented: Rule = {
  name: 'docs/operations.md has every setting',
  why: 'an operator can use only the settings that the table of settings lists',
  faults: (tree) =>
    settingsOf(tree)
      .filter((setting) => !new RegExp(`\\b${setting}\\b`).test(tree.get(OPERATIONS) ?? ''))
      .map((setting) => `${OPERATIONS} lacks ${setting}`),
  planted: { 'src/settings.server.ts': 'const schema = z.object({\n  PLANTED_SETTING: z.string(),\n});' },
};

export const documentedCommandsExist: Rule = {
  name: 'every npm script that a document names exists',
  why: 'a reader who types a command of a document must not get an error: change the document with the script',
  faults: (tree) => {
    const { scripts } = JSON.parse(tree.get('package.json') ?? '') as { scripts: Readonly<Record<string, string>> };
    return [...tree]
      .filter(([file]) => isDocument(file))
      .flatMap(([file, text]) => [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, script = '']) => ({ file, script })))
      .filter(({ script }) => !(script in scripts))
      .map(({ file, script }) => `${file} names npm run ${script}`);
  },
  planted: { 'docs/planted-command.md': 'Run `npm run planted`.' },
};

const DECISIONS = 'docs/decisions/README.md';

/** Returns the row of the list for a record: number, title and state. */
function decisionRow(file: string, text: string): { title: string; isInForce: boolean } {
  const [, number, title] = /^# (\d+)\. (.*)$/m.exec(text) ?? [];
  const state = text.split('\n## ', 1)[0] ?? '';
  return {
    title: `| [${number}](${path.posix.basename(file)}) | ${title} | `,
    isInForce: !/\b(?:Superseded|Amended) (?:in part )?(?:by|on)\b/.test(state),
  };
}

/** Returns a fault for each row whose number is not larger than that of the row before. */
function unsortedRows(rows: readonly string[]): string[] {
  const numbers = rows.flatMap((row) => /^\| \[(\d+)\]/.exec(row)?.[1] ?? []).map(Number);
  return numbers
    .filter((number, index) => number <= (numbers[index - 1] ?? 0))
    .map((number) => `${DECISIONS} has the row of ${number} below a later one, or twice`);
}

export const decisionsAreListed: Rule = {
  name: 'docs/decisions/README.md lists every decision record with its title and state',
  why: 'a reader must not follow a record that a later one supersedes: add a row with the record, and change the row with its state',
  faults: (tree) => {
    const rows = (tree.get(DECISIONS) ?? '').split('\n');
    return [...tree]
      .filter(([file]) => /^docs\/decisions\/\d{4}-[\w-]+\.md$/.test(file))
      .map(([file, text]) => decisionRow(file, text))
      .filter(({ title, isInForce }) => !rows.some((row) => row.startsWith(title) && row.endsWith(' | in force |') === isInForce))
      .map(({ title, isInForce }) => `${DECISIONS} lacks the row ${title}${isInForce ? 'in force' : 'superseded or amended by …'} |`)
      .concat(unsortedRows(rows));
  },
  planted: {
    'docs/decisions/9999-planted.md': '# 9999. A planted decision\n\nDate: 2026-11-23\n',
    'docs/decisions/0001-stack.md':
      '# 1. One Node program, React Router on Fastify, one PostgreSQL\n\n2026-11-21. Superseded by decision 99.\n',
  },
};
