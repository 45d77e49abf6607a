/**
 * Builds and serves pages that are not part of the built program, with a strict content security
 * policy.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build } from 'vite';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

interface PageOptions {
  /** The folder in test/e2e that contains index.html. */
  folder: string;
  policy: string;
}

/** Serves a page and returns its URL. */
export type ServePage = (options: PageOptions) => Promise<string>;

/** Builds each folder once. `stop` closes all servers and deletes the builds. */
export function createPageServer(): { servePage: ServePage; stop(): Promise<void> } {
  const builds = new Map<string, Promise<string>>();
  const servers: Server[] = [];
  return {
    async servePage({ folder, policy }) {
      const building = builds.get(folder) ?? buildPage(folder);
      builds.set(folder, building);
      const server = await serveFiles(await building, policy);
      servers.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    },
    async stop() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
      for (const outDir of builds.values()) await rm(await outDir, { recursive: true });
    },
  };
}

async function buildPage(folder: string): Promise<string> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'page-'));
  await build({
    configFile: false,
    root: path.join(import.meta.dirname, folder),
    plugins: [tailwindcss()],
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  return outDir;
}

async function serveFiles(folder: string, policy: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const file = path.join(folder, pathname === '/' ? 'index.html' : path.normalize(pathname));
    readFile(file).then(
      (content) => {
        response.writeHead(200, {
          'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
          'content-security-policy': policy,
        });
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
