import { matchPath } from 'react-router';
import { expect, test } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../routes.ts';
import { links, safeReturnTo } from './links.ts';
import { webviewLinks } from './webview-links.ts';

/** All path patterns of routes.ts except the catch-all. */
const patterns = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap((entry) => [
    ...(entry.path !== '*' && (entry.path ?? entry.index) ? [`/${entry.path ?? ''}`] : []),
    ...patterns(entry.children ?? []),
  ]);

test('every link matches a route', () => {
  const builders = [...Object.values(links), ...Object.values(webviewLinks)];
  const addresses = builders.map((build) => new URL(build('4K7Q'), 'http://site.invalid').pathname);
  const table = patterns(routes);
  const unmatched = addresses.filter((address) => !table.some((pattern) => matchPath(pattern, address)));
  expect(unmatched, 'a link appears together with its page').toEqual([]);
});

test.each([
  ['/auth/orders', '/auth/orders'],
  ['/', '/'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['https://evil.example', undefined],
  ['javascript:alert(1)', undefined],
  [7, undefined],
])('safeReturnTo returns for %s the path %s', (returnTo, expected) => {
  expect(safeReturnTo({ returnTo })).toBe(expected);
});

test('safeReturnTo returns undefined without a history state', () => {
  expect(safeReturnTo(null)).toBeUndefined();
});
