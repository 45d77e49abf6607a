/** Names of the functions of stores. */
import type { ESTree } from 'vite';
import { programOf } from './syntax.ts';
import type { Rule } from './tree.ts';

const READS = 'find|list|count|sum|has|is|read|select|to';
const WRITES =
  'insert|update|set|reset|delete|erase|lock|acquire|reserve|consume|record|audit|' +
  'book|release|assign|settle|reverse|fail|void|withdraw|delay';
const NAME = new RegExp(`^(?:${READS}|${WRITES})(?=[A-Z]|$)|[a-z]Sql$`);

/** Returns the names of the functions that a module exports where it declares them. */
const exportedFunctions = (file: string, text: string): string[] =>
  (programOf(file, text) as ESTree.Program).body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
    if (declaration?.type === 'FunctionDeclaration') return declaration.id?.name ?? [];
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' ? id.name : [],
    );
  });

export const verbsOfStores: Rule = {
  name: 'an exported function of a store begins with a verb of the list, or ends in Sql',
  why: 'a caller sees what it gets: one row or undefined (find), an array (list), a query to extend (select); CONTRIBUTING.md has the list',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => /^src\/.*store\.server\.ts$/.test(file))
      .flatMap(([file, text]) =>
        exportedFunctions(file, text)
          .filter((name) => !NAME.test(name))
          .map((name) => `${file}: ${name}`),
      ),
  planted: {
    'src/domains/orders/store.server.ts': "export const newestOrders = (db: Db) => db.selectFrom('orders').select('id').execute();",
    'src/domains/reviews/desk-store.server.ts': 'export async function listing(db: Db) {}',
    'src/domains/wallet/store.server.ts': 'export async function* allPostings(tx: Tx) {}',
  },
};
