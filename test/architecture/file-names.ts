/** What files are called. */
import { DOMAINS, PAGE_FOLDERS } from './layers.ts';
import type { Rule } from './tree.ts';

const name = '[a-z0-9]+(?:-[a-z0-9]+)*';
const DOMAIN_FILE = new RegExp(
  `^src/domains/(${DOMAINS.join('|')})/(?:(?:contract|rules)\\.ts|(?:authentication|store|service|routes|provider)\\.server\\.ts|providers/${name}\\.server\\.ts|${name}\\.test\\.tsx?|pages/(?:(${name})/)?${name}(?:\\.(?:test|server))?\\.tsx?)$`,
);

const isDomainFile = (file: string) => {
  const [whole, domain = '', folder] = DOMAIN_FILE.exec(file) ?? [];
  if (whole === undefined || !file.includes('/pages/')) return whole !== undefined;
  const folders = PAGE_FOLDERS[domain];
  return folders ? folder !== undefined && folder in folders : folder === undefined;
};

export const domainVocabulary: Rule = {
  name: 'a domain holds only contract, rules, authentication, store, service, routes, provider, providers, pages and tests',
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
