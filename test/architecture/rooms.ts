/** Which room may stand on which. The order makes every file readable with only what is above it in mind, and keeps rooms from growing together. */
import { importsOf, isRelative, programFiles, targetOf, type Rule } from './tree.ts';

const ROOMS: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  languages: ['kit'],
  ui: ['kit', 'languages'],
  db: ['kit'],
  web: ['kit', 'languages', 'ui', 'db'],
  domains: ['kit', 'languages', 'ui', 'db', 'web'],
  api: ['kit', 'languages', 'db', 'web', 'domains'],
  root: ['kit', 'languages', 'ui', 'web', 'domains'],
};

/** Each may use only those before it. */
export const DOMAINS = [
  'error-reports',
  'analytics',
  'bot-check',
  'messages',
  'verification',
  'sessions',
  'accounts',
  'addresses',
  'reviews',
  'catalogue',
  'wallet',
  'profile',
  'offers',
  'referrals',
  'sign-in',
  'orders',
  'payments',
  'home',
  'webview',
];

export const ranksAreTold: Rule = {
  name: 'docs/architecture.md names the domains in their rank, and each of them is there',
  why: 'the page that everybody reads first must not tell of another house',
  faults: (tree) => {
    const told = /^Rank of the domains: (.*)\.$/m.exec(tree.get('docs/architecture.md') ?? '')?.[1];
    return [
      ...(told === DOMAINS.join(', ') ? [] : [`docs/architecture.md tells of ${told}`]),
      ...DOMAINS.filter((domain) => ![...tree.keys()].some((file) => file.startsWith(`src/domains/${domain}/`))).map(
        (domain) => `src/domains/${domain} has a rank and no files`,
      ),
    ];
  },
  planted: { 'docs/architecture.md': 'Rank of the domains: orders, accounts.\n' },
};

/** Where a domain has many pages: its folders of pages, and which others each may use. Each is one thing that a customer does, or what such things share. */
export const PAGE_FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  orders: { draft: [], choosing: ['draft'], placing: ['draft'], following: [] },
};

const place = (file: string) => {
  const [, room = '', domain = ''] = file.split('/');
  if (!file.startsWith('src/') || !file.includes('/', 4)) return { room: 'root', domain: '' };
  return { room, domain: room === 'domains' ? domain : '' };
};

export const roomOrder: Rule = {
  name: 'a room uses only the rooms it stands on',
  why: 'kit < languages < ui, db < web < domains (ranked) < api, root: what is below must not know what is built on it, or neither can be changed alone',
  faults: (tree) =>
    programFiles(tree).flatMap(([file, text]) => {
      const own = place(file);
      const allowed = ROOMS[own.room];
      if (!allowed) return [`${file} stands in no known room`];
      return importsOf(text)
        .filter(isRelative)
        .map((stated) => targetOf(file, stated))
        .filter((target) => target.startsWith('src/'))
        .filter((target) => {
          const { room, domain } = place(target);
          if (room !== own.room) return !allowed.includes(room);
          return domain !== own.domain && DOMAINS.indexOf(domain) >= DOMAINS.indexOf(own.domain);
        })
        .map((target) => `${file} imports ${target}`);
    }),
  planted: {
    'src/kit/planted.ts': "import { site } from '../web/site.ts';",
    'src/ui/planted.tsx': "import { links } from '../web/links.ts';",
    'src/domains/accounts/rules.ts': "import type { Order } from '../orders/contract.ts';",
    'src/web/planted.server.ts': "import { parseSettings } from '../api/settings.server.ts';",
    'src/shop/planted.ts': 'export const planted = 1;',
    'src/planted.tsx': "export { startProgram } from './api/program.server.ts';",
  },
};

const pageFolder = (file: string) => /^src\/domains\/([^/]+)\/pages\/(?:([^/]+)\/)?[^/]+$/.exec(file)?.slice(1) ?? [];

export const pageFolderOrder: Rule = {
  name: 'a folder of pages uses only the folders it stands on',
  why: 'what a customer does first must not know what comes after; what both need goes into a folder below both',
  faults: (tree) =>
    programFiles(tree).flatMap(([file, text]) => {
      const [domain = '', folder] = pageFolder(file);
      const folders = PAGE_FOLDERS[domain];
      if (!folders || !folder) return [];
      return importsOf(text)
        .filter(isRelative)
        .map((stated) => targetOf(file, stated))
        .filter((target) => {
          const [toDomain, toFolder] = pageFolder(target);
          return toDomain === domain && toFolder !== folder && !folders[folder]?.includes(toFolder ?? '');
        })
        .map((target) => `${file} imports ${target}`);
    }),
  planted: {
    'src/domains/orders/pages/draft/planted.ts': "import { keepUnplaced } from '../placing/unplaced.ts';",
    'src/domains/orders/pages/choosing/planted.tsx': "import type { Outcome } from '../placing/send-order.ts';",
    'src/domains/orders/pages/following/planted.tsx': "import { useDraft } from '../draft/draft.ts';",
  },
};

/** Only the server loads these, whatever they are called: the program's entry and its renderer. */
const LOADED_BY_THE_SERVER = new Set(['src/api/main.ts', 'src/entry.server.tsx']);

export const serverFilesStayHome: Rule = {
  name: 'a file that browsers load never imports a .server file',
  why: 'server code in a bundle tells strangers how the program works, and carries secrets one careless line later',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => !file.includes('.server.') && !LOADED_BY_THE_SERVER.has(file))
      .flatMap(([file, text]) =>
        importsOf(text)
          .filter(({ specifier, isTypeOnly }) => specifier.includes('.server') && !isTypeOnly)
          .map(({ specifier }) => `${file} imports ${specifier}`),
      ),
  planted: { 'src/domains/orders/pages/placing/planted.tsx': "import { placeOrder } from '../../service.server.ts';" },
};

export const importsNameTheirFile: Rule = {
  name: 'a relative import names its file with the extension',
  why: 'Node runs these files as they stand, without a bundler that guesses; and a name that says .server can be checked',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => /\.tsx?$/.test(file))
      .flatMap(([file, text]) =>
        importsOf(text)
          .filter(isRelative)
          .filter(({ specifier }) => !/\.(?:tsx?|mjs|css|js|json|sql|svg)(?:\?.*)?$/.test(specifier) && !specifier.startsWith('./+types/'))
          .map(({ specifier }) => `${file} imports '${specifier}'`),
      ),
  planted: { 'src/kit/planted.ts': "import { invariant } from './invariant';" },
};

export const smallZod: Rule = {
  name: 'browsers get zod/mini, never zod',
  why: 'it does the same in 5 kB of script instead of 22 kB',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => !file.includes('.server.'))
      .flatMap(([file, text]) => (importsOf(text).some(({ specifier }) => specifier === 'zod') ? [`${file} imports zod`] : [])),
  planted: { 'src/domains/orders/contract.ts': "import { z } from 'zod';" },
};
