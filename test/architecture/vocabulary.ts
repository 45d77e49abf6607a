/** What files are called and how long they get. */
import { DOMAINS, PAGE_FOLDERS } from './rooms.ts';
import { isCode, isTest, programFiles, type Rule, type Tree } from './tree.ts';

const name = '[a-z0-9]+(?:-[a-z0-9]+)*';
const DOMAIN_FILE = new RegExp(
  `^src/domains/(${DOMAINS.join('|')})/(?:(?:contract|rules)\\.ts|(?:gate|store|service|routes|provider)\\.server\\.ts|providers/${name}\\.server\\.ts|${name}\\.test\\.tsx?|pages/(?:(${name})/)?${name}(?:\\.(?:test|server))?\\.tsx?)$`,
);

const isDomainFile = (file: string) => {
  const [whole, domain = '', folder] = DOMAIN_FILE.exec(file) ?? [];
  if (whole === undefined || !file.includes('/pages/')) return whole !== undefined;
  const folders = PAGE_FOLDERS[domain];
  return folders ? folder !== undefined && folder in folders : folder === undefined;
};

export const domainVocabulary: Rule = {
  name: 'a domain holds only contract, rules, gate, store, service, routes, provider, providers, pages and tests',
  why: 'with one closed vocabulary everyone knows where a thing is before looking; index, utils, helpers and types are where things get lost',
  faults: (tree) => [...tree.keys()].filter((file) => file.startsWith('src/domains/') && !isDomainFile(file)),
  planted: {
    'src/domains/orders/helpers.ts': '',
    'src/domains/orders/index.ts': '',
    'src/domains/orders/pages/following/OrderList.tsx': '',
    'src/domains/orders/pages/order-list.tsx': '',
    'src/domains/orders/pages/paying/order-list.tsx': '',
    'src/domains/wallet/pages/following/wallet.tsx': '',
    'src/domains/orders/store.ts': '',
    'src/domains/messages/providers/msg91.ts': '',
    'src/domains/messages/msg91.server.ts': '',
    'src/domains/shopping/contract.ts': '',
  },
};

export const kebabCase: Rule = {
  name: 'files are named in kebab-case',
  why: 'some file systems tell upper case from lower and some do not: what works here must work everywhere',
  faults: (tree) =>
    [...tree.keys()].filter(
      (file) =>
        /^(?:src|test|tools|bench)\//.test(file) &&
        !new RegExp(`^(?:${name}/)*${name}(?:\\.${name})*$`).test(file.replace('migrations/0', 'migrations/').replaceAll('_', '-')),
    ),
  planted: { 'src/ui/DatePicker.tsx': '' },
};

const MOST_LINES = 250;
const MOST_MEDIAN = 70;

const lines = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** The sizes of the files that people read: tests are tables and may be long. */
export function sizes(tree: Tree): { median: number; p95: number; longest: number; files: number } {
  const all = [...programFiles(tree), ...[...tree].filter(([file]) => file.startsWith('tools/') && isCode(file) && !isTest(file))];
  const sorted = all.map(([, text]) => lines(text)).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95), longest: sorted.at(-1) ?? 0, files: sorted.length };
}

export const shortFiles: Rule = {
  name: `no file is longer than ${MOST_LINES} lines, and half of them have fewer than ${MOST_MEDIAN}`,
  why: 'a file that fits on a few screens is read whole before it is changed',
  faults: (tree) => {
    const { median } = sizes(tree);
    const long = [...tree].filter(
      ([file, text]) => file.startsWith('src/') && !isTest(file) && (isCode(file) || /\.(css|sql)$/.test(file)) && lines(text) > MOST_LINES,
    );
    return [
      ...long.map(([file, text]) => `${file} has ${lines(text)} lines`),
      ...(median >= MOST_MEDIAN ? [`the median file has ${median} lines`] : []),
    ];
  },
  planted: { 'src/kit/planted.ts': 'export const planted = 1;\n'.repeat(MOST_LINES + 1) },
};
