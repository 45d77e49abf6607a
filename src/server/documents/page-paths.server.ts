import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { embeddingOf } from '../../shared/embedding.ts';

/** The paths of all routes without parameters. */
export function staticPagePaths(build: ServerBuild): ReadonlySet<string> {
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

/**
 * No route has these paths. All unknown paths share one of the two documents: inside the native
 * app, a page has no site layout.
 */
const NOT_FOUND_PATH = { site: '/not/found/on/site', webview: '/webview/not/found/on/site' } as const;

/** The path whose document is sent for an unknown path. */
export const notFoundPath = (path: string): string => (embeddingOf(path) ? NOT_FOUND_PATH.webview : NOT_FOUND_PATH.site);

export const isNotFoundPath = (path: string): boolean => path === notFoundPath(path);

/** Returns a function that checks whether a path belongs to a page. */
export function createPageMatcher(build: ServerBuild): (path: string) => boolean {
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    Object.values(build.routes).flatMap((route) => {
      if (route?.parentId !== parentId || !route) return [];
      const { id, path = '', index } = route;
      return [index ? { id, path, index } : { id, path, children: childrenOf(id) }];
    });
  const routes = childrenOf(undefined);
  return (path) => {
    const match = matchRoutes(routes, path)?.at(-1);
    return match !== undefined && match.route.path !== '*';
  };
}
