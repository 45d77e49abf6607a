/** Rules for file names. */
import { DOMAINS, SCREEN_FOLDERS } from './layers.ts';
import type { Rule } from './tree.ts';

const name = '[a-z0-9]+(?:-[a-z0-9]+)*';
const DOMAIN_FILE = new RegExp(
  `^src/domains/(${DOMAINS.join('|')})/(?:(?:${name}-)?(?:contract|rules)\\.ts|authentication\\.server\\.ts|(?:${name}-)?(?:store|service|routes)\\.server\\.ts|provider\\.server\\.ts|providers/${name}\\.server\\.ts|${name}\\.test\\.tsx?|desk/(?:(?:${name})/)?${name}(?:\\.test)?\\.tsx?|pages/(?:(?:${name})/)?${name}(?:\\.(?:test|server))?\\.tsx?)$`,
);

/** All pages of a domain with folders are in one. A desk has its contract and rules beside them. */
const isDomainFile = (file: string) => {
  if (!DOMAIN_FILE.test(file)) return false;
  const [, screens = '', kind, folder] = /^src\/domains\/([^/]+\/(pages|desk))\/(?:([^/]+)\/)?/.exec(file) ?? [];
  const folders = SCREEN_FOLDERS[screens];
  if (folder === undefined) return kind !== 'pages' || !folders;
  return folders !== undefined && folder in folders;
};

export const domainVocabulary: Rule = {
  name: 'a domain holds only contract, rules, authentication, store, service, routes, provider, providers, desk, pages and tests',
  why: 'a closed set of file names shows where code belongs; names such as index, utils, helpers and types do not',
  faults: (tree) => [...tree.keys()].filter((file) => file.startsWith('src/domains/') && !isDomainFile(file)),
  planted: {
    'src/domains/orders/helpers.ts': '',
    'src/domains/orders/index.ts': '',
    'src/domains/orders/pages/following/OrderList.tsx': '',
    'src/domains/orders/pages/order-list.tsx': '',
    'src/domains/orders/pages/paying/order-list.tsx': '',
    'src/domains/wallet/pages/following/wallet.tsx': '',
    'src/domains/cash/desk/lists/holders.tsx': '',
    'src/domains/order-desk/desk/parts/order-line.tsx': '',
    'src/domains/orders/store.ts': '',
    'src/domains/orders/desk/store.server.ts': '',
    'src/domains/orders/placing-rules.server.ts': '',
    'src/domains/messages/providers/msg91.ts': '',
    'src/domains/messages/msg91.server.ts': '',
    'src/domains/shopping/contract.ts': '',
  },
};

/** The files directly in src: entry, composition root, settings, and files of React Router. */
const TOP_LEVEL =
  /^src\/(?:main\.ts|compose\.server\.ts|(?:service-)?settings\.(?:server|test)\.ts|routes\.ts|root\.tsx|(?:site-route|site-chrome|order-parts)\.tsx|entry\.(?:client|server)\.tsx|app\.css)$/;

export const oneCompositionRoot: Rule = {
  name: 'src itself holds the process, one composition root (its parts are in compose), the settings and the files of React Router',
  why: 'one file composes the program from top to bottom; all other code belongs to a folder',
  faults: (tree) => [...tree.keys()].filter((file) => /^src\/[^/]+$/.test(file) && !TOP_LEVEL.test(file)),
  planted: { 'src/wiring.server.ts': '', 'src/helpers.ts': '' },
};

export const kebabCase: Rule = {
  name: 'files are named in kebab-case, except README.md',
  why: 'some file systems are case-sensitive and some are not; lower-case names work on both',
  faults: (tree) =>
    [...tree.keys()].filter(
      (file) =>
        /^(?:src|test|tools|bench)\//.test(file) &&
        !file.endsWith('/README.md') &&
        !new RegExp(`^(?:${name}/)*${name}(?:\\.${name})*$`).test(file.replace('migrations/0', 'migrations/').replaceAll('_', '-')),
    ),
  planted: { 'src/ui/DatePicker.tsx': '' },
};

export const migrationNumbers: Rule = {
  name: 'migrations are numbered from 0001, without gaps and repetitions',
  why: 'migrations run in the order of their names; two with one number have an order that nobody chose',
  faults: (tree) =>
    [...tree.keys()]
      .filter((file) => /^src\/db\/migrations\/.*\.sql$/.test(file))
      .toSorted()
      .filter((file, index) => !file.startsWith(`src/db/migrations/${String(index + 1).padStart(4, '0')}_`)),
  planted: { 'src/db/migrations/0001_planted.sql': '', 'src/db/migrations/9999_planted.sql': '' },
};

const NEWEST_WITH_BLOCKING_INDEX = 25;

export const concurrentIndexes: Rule = {
  name: `a migration after ${NEWEST_WITH_BLOCKING_INDEX} builds the indexes of existing tables concurrently`,
  why: 'while an index is built in a transaction, the site cannot write to the table (docs/decisions/0059)',
  faults: (tree) =>
    [...tree].flatMap(([file, text]) => {
      const number = /^src\/db\/migrations\/(\d{4})_.*\.sql$/.exec(file)?.[1];
      if (number === undefined || Number(number) <= NEWEST_WITH_BLOCKING_INDEX) return [];
      const created = new Set([...text.matchAll(/^create (?:unlogged )?table (\w+)/gim)].map(([, table]) => table));
      const indexes = [...text.matchAll(/^create (?:unique )?index (concurrently if not exists )?\w+ on (\w+)/gim)];
      return indexes.filter(([, concurrently, table]) => !concurrently && !created.has(table)).map(([index]) => `${file}: ${index}`);
    }),
  planted: { 'src/db/migrations/0026_planted.sql': 'create table planted (id text);\ncreate index orders_planted on orders (id);' },
};

const NEWEST_WITHOUT_LINE = 17;

export const migrationCompatibility: Rule = {
  name: `a migration after ${NEWEST_WITHOUT_LINE} begins with -- compatible-since: <number> or -- incompatible: <reason>`,
  why: 'old processes run beside new ones during an upgrade: state the oldest migration whose program still works (CONTRIBUTING.md)',
  faults: (tree) =>
    [...tree].flatMap(([file, text]) => {
      const number = /^src\/db\/migrations\/(\d{4})_.*\.sql$/.exec(file)?.[1];
      if (number === undefined || Number(number) <= NEWEST_WITHOUT_LINE) return [];
      const head = text.slice(0, text.search(/^(?!--|\s*$)/m));
      const since = /^-- compatible-since: (\d{4})$/m.exec(head)?.[1];
      return /^-- incompatible: \S/m.test(head) || (since !== undefined && since < number) ? [] : [file];
    }),
  planted: {
    'src/db/migrations/0018_planted.sql': 'create table planted (id text);',
    'src/db/migrations/0019_planted.sql': '-- compatible-since: 0019\ncreate table planted (id text);',
  },
};
