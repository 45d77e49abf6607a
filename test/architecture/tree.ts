/** The repository as a map from path to text. Tests add planted faults to it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Tree = ReadonlyMap<string, string>;

export interface Rule {
  name: string;
  why: string;
  /** Returns one line per fault, each starting with the path. */
  faults(tree: Tree): string[];
  /** Files that break the rule, with one fault or more each. They prove that the rule can fail. */
  planted: Readonly<Record<string, string>>;
}

const GENERATED_OR_FOREIGN = new Set([
  'node_modules',
  'build',
  '.next',
  '.git',
  '.data',
  '.react-router',
  'test-results',
  'playwright-report',
]);
const TEXT = /\.(?:[cm]?[jt]sx?|json|sql|css|md|ya?ml|html|svg|txt|webmanifest)$|^(?:\.ci\/run|\.npmrc|\.nvmrc|\.gitignore)$/;

export function readTree(folder = '.', files = new Map<string, string>()): Tree {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (GENERATED_OR_FOREIGN.has(entry.name)) continue;
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) readTree(file, files);
    else if (TEXT.test(file)) files.set(file, readFileSync(file, 'utf8'));
  }
  return files;
}

export const isTest = (file: string) => /\.test\.tsx?$/.test(file);
export const isCode = (file: string) => /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith('.generated.ts');

/** The source files of the program: src without its tests. */
export const programFiles = (tree: Tree) => [...tree].filter(([file]) => file.startsWith('src/') && isCode(file) && !isTest(file));

export interface Import {
  specifier: string;
  isTypeOnly: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[\w*{][^'"`;]*?\sfrom\s+)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

export const importsOf = (text: string): Import[] =>
  [...text.matchAll(IMPORT)].map(([, type, stated, called]) => ({ specifier: stated ?? called ?? '', isTypeOnly: Boolean(type) }));

export const isRelative = ({ specifier }: Import) => specifier.startsWith('.');

/** Returns the path of the imported file, without a query such as ?raw. */
export const targetOf = (file: string, { specifier }: Import) => path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ''));

/** Replaces comments by spaces, because comments may mention forbidden patterns. */
export const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '));

export const linesWith = (text: string, pattern: RegExp) =>
  text.split('\n').flatMap((line, index) => (pattern.test(line) ? [{ number: index + 1, line: line.trim() }] : []));
