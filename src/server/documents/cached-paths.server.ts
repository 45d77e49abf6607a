import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { embeddingOf } from '../../browser/embedding.ts';

/** Every address of the screen table that has no parameter. */
export function cachedPathsOf(build: ServerBuild): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const route of Object.values(build.routes)) {
    if (!route) continue;
    let path = '';
    for (let at: typeof route | undefined = route; at; at = at.parentId ? build.routes[at.parentId] : undefined) {
      path = [at.path, path].filter(Boolean).join('/');
    }
    if (!/[:*]/.test(path)) paths.add(`/${path}`);
  }
  return paths;
}

const NOWHERE = { site: '/nowhere/in/the/table', webview: '/webview/nowhere/in/the/table' } as const;

/** For an address of no page, the one whose document all of its kind share: inside the native app nothing of the site stands around it. */
export const nowhereLike = (path: string): string => (embeddingOf(path) ? NOWHERE.webview : NOWHERE.site);

/** Whether the document of `path` is one that all addresses of no page share. */
export const isNowhere = (path: string): boolean => path === nowhereLike(path);

/** Whether the screen table has a page for an address. */
export function pageFinder(build: ServerBuild): (path: string) => boolean {
  const below = (parentId: string | undefined): RouteObject[] =>
    Object.values(build.routes).flatMap((route) => {
      if (route?.parentId !== parentId || !route) return [];
      const { id, path = '', index } = route;
      return [index ? { id, path, index } : { id, path, children: below(id) }];
    });
  const table = below(undefined);
  return (path) => {
    const found = matchRoutes(table, path)?.at(-1);
    return found !== undefined && found.route.path !== '*';
  };
}
