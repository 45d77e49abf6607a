import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { staticFiles } from './static-files.server.ts';

async function serve(files: readonly string[]) {
  const clientDir = await mkdtemp(path.join(tmpdir(), 'dhulai-static-'));
  onTestFinished(() => rm(clientDir, { recursive: true }));
  await mkdir(path.join(clientDir, 'assets'));
  for (const file of files) await writeFile(path.join(clientDir, file), 'x');
  const app = Fastify();
  await app.register(staticFiles, { clientDir });
  onTestFinished(() => app.close());
  return async (file: string) => (await app.inject(`/${file}`)).headers;
}

test('a static file may not load, run or be framed as a document', async () => {
  const headersOf = await serve(['assets/a.js', 'assets/a.css', 'favicon.svg', 'page.html']);
  for (const file of ['assets/a.js', 'assets/a.css', 'favicon.svg', 'page.html']) {
    expect((await headersOf(file))['content-security-policy'], file).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test('the service worker may fetch files of its own site, and nothing else', async () => {
  const headersOf = await serve(['sw.js']);
  expect((await headersOf('sw.js'))['content-security-policy']).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
});
