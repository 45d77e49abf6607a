/** Rules for imports between the folders of src. */
import { importsOf, isRelative, linesWith, programFiles, targetOf, type Rule } from './tree.ts';

/**
 * Each folder of src, in dependency order, with the folders it may import. `root` is the files
 * directly in src.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  i18n: ['lib'],
  ui: ['lib', 'i18n'],
  db: ['lib'],
  contract: ['lib', 'i18n'],
  security: ['lib', 'db', 'contract'],
  streams: ['lib', 'db', 'contract'],
  shared: ['lib', 'i18n', 'contract'],
  'pre-hydration': ['shared'],
  browser: ['lib', 'i18n', 'contract', 'shared', 'pre-hydration'],
  site: ['lib', 'i18n', 'ui', 'shared', 'browser', 'pre-hydration'],
  domains: ['lib', 'i18n', 'ui', 'db', 'contract', 'security', 'streams', 'shared', 'browser', 'pre-hydration', 'site'],
  console: ['lib', 'i18n', 'ui', 'contract', 'shared', 'browser', 'pre-hydration', 'site', 'domains'],
  server: ['lib', 'i18n', 'db', 'contract', 'security', 'streams', 'shared', 'pre-hydration', 'domains'],
  compose: ['lib', 'db', 'contract', 'security', 'shared', 'domains', 'server'],
  root: [
    'lib',
    'i18n',
    'ui',
    'db',
    'contract',
    'security',
    'streams',
    'shared',
    'browser',
    'pre-hydration',
    'site',
    'domains',
    'server',
    'compose',
  ],
};

/** In dependency order: a domain imports only the domains before it. */
export const DOMAINS = [
  'error-reports',
  'analytics',
  'bot-check',
  'messages',
  'verification',
  'sessions',
  'consents',
  'accounts',
  'staff',
  'reviews',
  'catalogue',
  'addresses',
  'wallet',
  'profile',
  'offers',
  'referrals',
  'sign-in',
  'evenings',
  'orders',
  'payments',
  'cash',
  'manual-payments',
  'photos',
  'claims',
  'notifications',
  'order-desk',
  'round',
  'customers',
  'figures',
  'system',
  'privacy',
  'home',
  'webview',
];

export const domainOrderIsDocumented: Rule = {
  name: 'docs/architecture.md lists the domains in dependency order, and each of them exists',
  why: 'the page that a newcomer reads first must match the code',
  faults: (tree) => {
    const documented = /^Dependency order of the domains: ([^.]*)\.$/m
      .exec(tree.get('docs/architecture.md') ?? '')?.[1]
      ?.replaceAll('\n', ' ');
    return [
      ...(documented === DOMAINS.join(', ') ? [] : [`docs/architecture.md lists ${documented}`]),
      ...DOMAINS.filter((domain) => ![...tree.keys()].some((file) => file.startsWith(`src/domains/${domain}/`))).map(
        (domain) => `src/domains/${domain} is listed and has no files`,
      ),
    ];
  },
  planted: { 'docs/architecture.md': 'Dependency order of the domains: orders, accounts.\n' },
};

/** The row of a layer in the table of docs/architecture.md: its folder, contents and imports. */
const LAYER_ROW = /^\| `src\/([\w-]+)\/` \| .* \| (.*) \|$/gm;

export const layersAreDocumented: Rule = {
  name: 'docs/architecture.md lists the layers with their imports, in the order of LAYERS',
  why: 'the page that a newcomer reads first must match the code',
  faults: (tree) => {
    const rows = [...(tree.get('docs/architecture.md') ?? '').matchAll(LAYER_ROW)].map(([, layer, imports]) => `${layer}: ${imports}`);
    const expected = Object.entries(LAYERS)
      .filter(([layer]) => layer !== 'root')
      .map(([layer, imports]) => `${layer}: ${imports.join(', ') || 'nothing'}`);
    return rows.join('\n') === expected.join('\n')
      ? []
      : [`docs/architecture.md lists\n${rows.join('\n')}\ninstead of\n${expected.join('\n')}`];
  },
  planted: { 'docs/architecture.md': '| `src/lib/` | pure functions | ui |\n' },
};

/** The folders of a domain with many screens, and the folders that each may import. */
export const SCREEN_FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'orders/pages': { draft: [], offline: ['draft'], choosing: ['draft'], placing: ['draft', 'offline'], following: ['draft', 'offline'] },
  'order-desk/desk': { dialogs: [], lists: ['dialogs'], upi: ['dialogs'], order: ['dialogs', 'lists', 'upi'] },
};

const layerOf = (file: string) => {
  const [, layer = '', domain = ''] = file.split('/');
  if (!file.startsWith('src/') || !file.includes('/', 4)) return { layer: 'root', domain: '' };
  return { layer, domain: layer === 'domains' ? domain : '' };
};

export const layerOrder: Rule = {
  name: 'a folder imports only the folders below it',
  why: 'a folder that imports a folder above it cannot be read or changed alone',
  faults: (tree) =>
    programFiles(tree).flatMap(([file, text]) => {
      const own = layerOf(file);
      const allowed = LAYERS[own.layer];
      if (!allowed) return [`${file} is in a folder that LAYERS does not list`];
      return importsOf(text)
        .filter(isRelative)
        .map((imported) => ({ imported, target: targetOf(file, imported) }))
        .filter(({ target }) => target.startsWith('src/'))
        .filter(({ imported, target }) => {
          const { layer, domain } = layerOf(target);
          // These may import types, such as the settings, from the files directly in src.
          if ((own.layer === 'server' || own.layer === 'compose') && layer === 'root') return !imported.isTypeOnly;
          if (layer !== own.layer) return !allowed.includes(layer);
          return domain !== own.domain && DOMAINS.indexOf(domain) >= DOMAINS.indexOf(own.domain);
        })
        .map(({ target }) => `${file} imports ${target}`);
    }),
  planted: {
    'src/lib/planted.ts': "import { links } from '../shared/links.ts';",
    'src/ui/planted.tsx': "import { links } from '../shared/links.ts';",
    'src/domains/accounts/rules.ts': "import type { Order } from '../orders/contract.ts';",
    'src/site/planted.server.ts': "import { parseSettings } from '../settings.server.ts';",
    'src/domains/orders/planted.ts': "import { createApp } from '../../server/http/app.server.ts';",
    'src/server/planted.server.ts': "import { parseSettings } from '../settings.server.ts';",
    'src/server/documents/planted.server.ts': "import { fetchSend } from '../../browser/client.ts';",
    'src/domains/orders/planted.server.ts': "import { createServices } from '../../compose/services.server.ts';",
    'src/compose/planted.server.ts': "import { parseSettings } from '../settings.server.ts';",
    'src/shop/planted.ts': 'export const planted = 1;',
  },
};

const isDesk = (file: string) => /^src\/domains\/[^/]+\/desk\//.test(file);

export const deskStaysInTheConsole: Rule = {
  name: 'only the console, other desks and the server import a desk, and the console imports only desks and error reports of domains',
  why: 'what the site imports is downloaded by customers, and the console must not load their screens',
  faults: (tree) =>
    programFiles(tree).flatMap(([file, text]) =>
      importsOf(text)
        .filter(isRelative)
        .map((imported) => targetOf(file, imported))
        .filter((target) =>
          file.startsWith('src/console/')
            ? target.startsWith('src/domains/') && !/\/(?:desk|error-reports)\//.test(target)
            : isDesk(target) && !isDesk(file) && !file.includes('.server.'),
        )
        .map((target) => `${file} imports ${target}`),
    ),
  planted: {
    'src/site/planted.tsx': "import { People } from '../domains/staff/desk/people.tsx';",
    'src/domains/orders/pages/following/planted.tsx': "import { useMe } from '../../../staff/desk/session.ts';",
    'src/domains/orders/rules.ts': "import { mayCall } from '../staff/desk/contract.ts';",
    'src/console/planted.tsx': "import Home from '../domains/home/pages/home.tsx';",
  },
};

/** Returns the screens of a file, such as 'orders/pages', and its folder among them, if any. */
const screenFolder = (file: string) => /^src\/domains\/([^/]+\/(?:pages|desk))\/(?:([^/]+)\/)?[^/]+$/.exec(file)?.slice(1) ?? [];

export const screenFolderOrder: Rule = {
  name: 'a folder of pages or of a desk imports only the folders that SCREEN_FOLDERS allows',
  why: 'the pages of an early step must not depend on a later step; code that both need belongs in a folder that both import',
  faults: (tree) =>
    programFiles(tree).flatMap(([file, text]) => {
      const [screens = '', folder] = screenFolder(file);
      const folders = SCREEN_FOLDERS[screens];
      if (!folders) return [];
      return importsOf(text)
        .filter(isRelative)
        .map((stated) => targetOf(file, stated))
        .filter((target) => {
          const [toScreens, toFolder] = screenFolder(target);
          if (toScreens !== screens || toFolder === undefined || toFolder === folder) return false;
          return folder === undefined || !folders[folder]?.includes(toFolder);
        })
        .map((target) => `${file} imports ${target}`);
    }),
  planted: {
    'src/domains/orders/pages/draft/planted.ts': "import { storeUnplaced } from '../placing/unplaced.ts';",
    'src/domains/orders/pages/choosing/planted.tsx': "import type { Outcome } from '../placing/send-order.ts';",
    'src/domains/orders/pages/following/planted.tsx': "import { useCartEntry } from '../choosing/cart-entry.ts';",
    'src/domains/order-desk/desk/dialogs/planted.tsx': "import { OrderLine } from '../lists/order-line.tsx';",
    'src/domains/order-desk/desk/rules.ts': "import { tasksOf } from './lists/tasks.ts';",
  },
};

/** Only the server loads these files: the entry of the program and the renderer. */
const LOADED_BY_THE_SERVER = new Set(['src/main.ts', 'src/entry.server.tsx']);

export const serverFilesStayOnTheServer: Rule = {
  name: 'a file that browsers load never imports a .server file',
  why: 'server code in a bundle reveals how the program works, and can leak secrets',
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
  why: 'Node runs these files without a bundler that resolves extensions, and rules can check for .server in the name',
  faults: (tree) =>
    [...tree]
      .filter(([file]) => /\.tsx?$/.test(file))
      .flatMap(([file, text]) =>
        importsOf(text)
          .filter(isRelative)
          .filter(({ specifier }) => !/\.(?:tsx?|mjs|css|js|json|sql|svg)(?:\?.*)?$/.test(specifier) && !specifier.startsWith('./+types/'))
          .map(({ specifier }) => `${file} imports '${specifier}'`),
      ),
  planted: { 'src/lib/planted.ts': "import { invariant } from './invariant';" },
};

export const smallZod: Rule = {
  name: 'browsers get zod/mini, never zod',
  why: 'zod/mini has the same features in 5 kB of script instead of 22 kB',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => !file.includes('.server.'))
      .flatMap(([file, text]) => (importsOf(text).some(({ specifier }) => specifier === 'zod') ? [`${file} imports zod`] : [])),
  planted: { 'src/domains/orders/contract.ts': "import { z } from 'zod';" },
};

const isServiceOrStore = (file: string) => /^src\/domains\/[^/]+\/(?:[a-z-]+-)?(?:service|store)\.server\.ts$/.test(file);

/** Imports of routes only: requests and replies, and the envelope of a response. */
const OF_ROUTES: readonly { specifier: RegExp; names: RegExp }[] = [
  { specifier: /^(?:fastify|@fastify\/.*)$/, names: /./ },
  { specifier: /\/contract\/route\.server\.ts$/, names: /./ },
  { specifier: /\/contract\/define-call\.ts$/, names: /\bEnvelope\b/ },
  { specifier: /\/contract\/idempotency-key\.server\.ts$/, names: /./ },
];

export const outcomesHaveOneShape: Rule = {
  name: 'a service returns an Outcome in place of its own union of data and error',
  why: 'with one shape, routes convert every result with respond (docs/decisions/0090)',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => isServiceOrStore(file))
      .flatMap(([file, text]) =>
        linesWith(text, /\| \{ error: ErrorMessage\b|\{ error: ErrorMessage\b.*\} \|/).map(({ line }) => `${file}: ${line}`),
      ),
  planted: {
    'src/domains/orders/planted-service.server.ts': 'type Result = { placed: PlacedOrder } | { error: ErrorMessage<PlaceOrderErrorCode> };',
  },
};

export const servicesKnowNoProtocol: Rule = {
  name: 'a service or store imports nothing of Fastify and no envelope',
  why: 'commands, jobs and other services call it too: it takes typed input and the actor, and returns data or a coded error (contract/outcome.ts), which routes convert',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => isServiceOrStore(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^import (?:type )?([^;]*?) from '([^']+)';/gm)]
          .filter(([, names = '', specifier = '']) => OF_ROUTES.some((rule) => rule.specifier.test(specifier) && rule.names.test(names)))
          .map(([, names, specifier]) => `${file} imports ${names} from ${specifier}`),
      ),
  planted: {
    'src/domains/orders/service.server.ts': "import type { FastifyRequest } from 'fastify';",
    'src/domains/orders/planted-service.server.ts': "import { fail } from '../../contract/route.server.ts';",
    'src/domains/orders/store.server.ts': "import type { Envelope } from '../../contract/define-call.ts';",
  },
};
