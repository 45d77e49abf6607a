/**
 * The console of the staff: its built files, and one document for all its screens. Its calls are
 * in the same folder and use POST (calls.server.ts).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { SITE_ELEMENT_ID, siteConfigJson, type SiteConfig } from '../../shared/site-config.ts';
import { STAFF_ASSETS, STAFF_PAGES, STAFF_WORKER, staffLinks } from '../../shared/staff-links.ts';
import {
  CALL_POLICY,
  NO_EXTERNAL_SOURCES,
  SERVICE_WORKER_POLICY,
  callHeaders,
  documentPolicy,
  securityHeaders,
} from '../../security/security-headers.server.ts';

export interface ConsoleOptions {
  /** The folder of the built console. */
  consoleDir: string;
  site: SiteConfig;
  /** In development the files change while the program runs. */
  mode: 'production' | 'development';
}

/** The first segment of its paths. */
export const CONSOLE_FOLDER = 'staff';

/** Paths that people type, and the screens that they mean. Every screen begins with the log-in. */
const TYPED_PATHS = { '/staff/login': staffLinks.today(), '/staff/board': staffLinks.orders() };

const documentHeaders = {
  ...securityHeaders,
  'content-security-policy': documentPolicy([], [], NO_EXTERNAL_SOURCES),
  // The document names the files of this build.
  'cache-control': 'no-cache',
  'x-robots-tag': 'noindex',
};

const workerHeaders = {
  ...securityHeaders,
  'content-security-policy': SERVICE_WORKER_POLICY,
  'cache-control': 'no-cache',
  // The path of Today has no slash at its end.
  'service-worker-allowed': staffLinks.today(),
};

/** Registers the routes of the console's files and document. Throws if the console is not built. */
export async function consoleFiles(app: FastifyInstance, { consoleDir, site, mode }: ConsoleOptions) {
  const root = path.resolve(consoleDir);
  const siteScript = `<script id="${SITE_ELEMENT_ID}" type="application/json">${siteConfigJson(site)}</script>`;
  // A function: `$` in the configuration has no meaning.
  const readDocument = () => readFileSync(path.join(root, 'index.html'), 'utf8').replace('<!--site-->', () => siteScript);
  const document = readDocument();
  /** The service worker, with the files of this build and the languages, which the site builds. */
  const readWorker = () => {
    const files = readdirSync(path.join(root, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name));
    const urls = [...files.map((name) => STAFF_ASSETS + name), ...site.languages.map(({ catalogue }) => catalogue)];
    const version = createHash('sha256').update(readDocument()).update(urls.join()).digest('hex').slice(0, 16);
    return readFileSync(path.join(root, 'sw.js'), 'utf8')
      .replace('__FILES__', () => JSON.stringify(urls))
      .replace('__VERSION__', version);
  };
  const worker = readWorker();

  await app.register(fastifyStatic, {
    root: path.join(root, 'assets'),
    prefix: STAFF_ASSETS,
    wildcard: mode === 'development',
    index: false,
    preCompressed: true,
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply) => {
      reply.headers({ ...securityHeaders, 'content-security-policy': CALL_POLICY, 'cache-control': 'public, max-age=31536000, immutable' });
    },
  });
  const sendDocument = (reply: FastifyReply) =>
    reply
      .headers(documentHeaders)
      .type('text/html; charset=utf-8')
      .send(mode === 'development' ? readDocument() : document);
  for (const url of STAFF_PAGES) {
    app.get(url, async (_request, reply) => sendDocument(reply));
    app.get(`${url}/`, async (request, reply) => {
      const [pathname = ''] = request.url.split('?');
      return reply.headers(callHeaders).redirect(pathname.slice(0, -1), 308);
    });
  }
  for (const [typed, screen] of Object.entries(TYPED_PATHS)) {
    for (const url of [typed, `${typed}/`]) app.get(url, async (_request, reply) => reply.headers(callHeaders).redirect(screen, 308));
  }
  app.get(STAFF_WORKER, async (_request, reply) =>
    reply
      .headers(workerHeaders)
      .type('text/javascript; charset=utf-8')
      .send(mode === 'development' ? readWorker() : worker),
  );
  app.get(`${staffLinks.today()}/*`, async (request, reply) => {
    reply.code(404);
    // A file of another build.
    if (request.url.startsWith(STAFF_ASSETS))
      return reply.headers(callHeaders).type('text/plain; charset=utf-8').send('There is nothing here');
    return sendDocument(reply);
  });
}
