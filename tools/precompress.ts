/**
 * Runs after the build. Minifies the service worker of the site, which Vite copies as it is, and
 * writes a brotli and a gzip copy beside every text file, for http/static-files.server.ts.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { minify } from 'vite';

const WORKER = 'build/client/sw.js';
// No other script uses its top-level names.
await writeFile(WORKER, (await minify(WORKER, await readFile(WORKER, 'utf8'), { mangle: { toplevel: true } })).code);

const TEXT = /\.(?:js|css|svg|html|json|webmanifest|txt|xml)$/;
const names = (
  await Promise.all(
    ['build/client', 'build/console'].map(async (root) => (await readdir(root, { recursive: true })).map((name) => path.join(root, name))),
  )
).flat();
await Promise.all(
  names
    .filter((name) => TEXT.test(name) && !name.includes('.vite'))
    .map(async (file) => {
      const content = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
);
