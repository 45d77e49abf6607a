/** State of modules: variables outside functions that the program changes. */
import type { ESTree } from 'vite';
import { nodesOf, programOf } from './syntax.ts';
import { programFiles, type Rule } from './tree.ts';

const MUTATORS = new Set(['set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice', 'fill', 'sort', 'reverse']);
/** Functions whose result is state. Values of `tabStorage` are in session storage. */
const STATEFUL = /^create(?:Store|EntryQueue)$/;

/** Returns the names of the variables of the module, with their declarations. */
function declarationsOf(file: string, text: string): { name: string; isLet: boolean; init: ESTree.Expression | null }[] {
  const program = programOf(file, text) as ESTree.Program;
  return program.body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .filter((statement) => statement?.type === 'VariableDeclaration')
    .flatMap(({ kind, declarations }) =>
      declarations.flatMap(({ id, init }) => (id.type === 'Identifier' ? [{ name: id.name, isLet: kind !== 'const', init }] : [])),
    );
}

const nameOf = (node: ESTree.Node) => (node.type === 'Identifier' ? node.name : undefined);

/** Returns the names whose object the file changes: `name.set(…)`, `name.field = …`. */
function changedObjects(file: string, text: string): Set<string> {
  const changed = nodesOf(file, text).flatMap((node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { object, property } = node.callee;
      return MUTATORS.has(nameOf(property) ?? '') ? [nameOf(object)] : [];
    }
    const target = node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined;
    return target?.type === 'MemberExpression' ? [nameOf(target.object)] : [];
  });
  return new Set(changed.filter((name) => name !== undefined));
}

/** Returns true for an object that the module creates, and for that of the whole process. */
function isObject(init: ESTree.Expression | null): boolean {
  if (init?.type === 'TSAsExpression') return isObject(init.expression);
  return init !== null && (/^(?:New|Array|Object)Expression$/.test(init.type) || nameOf(init) === 'globalThis');
}

/** By text, because each planted fault changes one file. */
const found = new Map<string, string[]>();

function stateOf(file: string, text: string): string[] {
  const before = found.get(text);
  if (before) return before;
  const changed = changedObjects(file, text);
  const names = declarationsOf(file, text)
    .filter(({ name, isLet, init }) => {
      const isStateful = init?.type === 'CallExpression' && STATEFUL.test(nameOf(init.callee) ?? '');
      return isLet || isStateful || (isObject(init) && changed.has(name));
    })
    .map(({ name }) => name);
  found.set(text, names);
  return names;
}

/** A row of the table of docs/architecture.md: the file, its variables, and why. */
const ROW = /^\| `([\w/.-]+\.tsx?)` \| ((?:`\w+`(?:, )?)+) \| .+ \|$/gm;

export const moduleStateIsDocumented: Rule = {
  name: 'docs/architecture.md lists the state of every module, and nothing else',
  why: 'two programs or two tests in one process share such a variable, and no reader sees its owner: pass it on, or add it to the table with the reason',
  faults: (tree) => {
    const section = (tree.get('docs/architecture.md') ?? '').split('## Module state')[1]?.split('\n## ')[0] ?? '';
    const listed = [...section.matchAll(ROW)].map(([, file, names = '']) => `src/${file}: ${names.replaceAll('`', '')}`);
    const present = programFiles(tree)
      .map(([file, text]) => [file, stateOf(file, text).join(', ')])
      .filter(([, names]) => names !== '')
      .map(([file, names]) => `${file}: ${names}`);
    return [
      ...present.filter((line) => !listed.includes(line)).map((line) => `${line} is not in the table`),
      ...listed.filter((line) => !present.includes(line)).map((line) => `${line} is in the table only`),
    ];
  },
  planted: {
    'src/domains/orders/rules.ts': 'let last = 0;',
    'src/domains/orders/store.server.ts': 'const seen = new Map<string, number>();\nexport const see = (id: string) => seen.set(id, 1);',
    'src/browser/client.ts': 'export const counts: number[] = [];\nexport const count = () => void (counts[0] = 1);',
    'src/domains/orders/pages/draft/draft.ts': 'export const shown = createStore(0);',
    'docs/architecture.md': '## Module state\n',
  },
};
