/**
 * Builds and serves a page that is not part of the built program, with a strict content security
 * policy.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build } from 'vite';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface ServedPage {
  url: string;
  stop(): Promise<void>;
}

interface PageOptions {
  /** The folder that contains index.html. */
  root: string;
  policy: string;
}

export async function servePage({ root, policy }: PageOptions): Promise<ServedPage> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'page-'));
  await build({
    configFile: false,
    root,
    plugins: [tailwindcss()],
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const file = path.join(outDir, pathname === '/' ? 'index.html' : path.normalize(pathname));
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

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(outDir, { recursive: true });
    },
  };
}
