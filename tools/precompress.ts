/**
 * Runs after the build. Writes a brotli and a gzip copy beside every text file, for
 * http/static-files.server.ts.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const TEXT = /\.(?:js|css|svg|html|json|webmanifest|txt|xml)$/;
const root = 'build/client';

const names = await readdir(root, { recursive: true });
await Promise.all(
  names
    .filter((name) => TEXT.test(name) && !name.startsWith('.vite'))
    .map(async (name) => {
      const file = path.join(root, name);
      const content = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
);
