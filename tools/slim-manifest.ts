/**
 * After the build: the browser's list of routes also names every file that each route imports, more than half of its bytes, and it is loaded on every first
 * visit. Those names serve `<Link prefetch>` alone, which no page uses: routes are fetched when they are entered, with what they import. What a route does not
 * have need not be said either: the router asks for truth, never for `false` or for an empty list.
 */
import { glob, readFile, writeFile } from 'node:fs/promises';

const ASSIGNMENT = /^window\.__reactRouterManifest=(.*?);?$/s;

for await (const file of glob('build/client/assets/manifest-*.js')) {
  const text = await readFile(file, 'utf8');
  const [, json = ''] = ASSIGNMENT.exec(text) ?? [];
  const manifest = JSON.parse(json) as { routes: Record<string, Record<string, unknown>> };
  for (const route of Object.values(manifest.routes)) {
    delete route.imports;
    for (const [name, value] of Object.entries(route)) if (value === false || (name === 'css' && String(value) === '')) delete route[name];
  }
  await writeFile(file, `window.__reactRouterManifest=${JSON.stringify(manifest)};`);
}
