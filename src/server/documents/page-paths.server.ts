import { matchRoutes, type RouteMatch, type RouteObject, type ServerBuild } from 'react-router';
import { embeddingOf } from '../../shared/embedding.ts';
import type { ParamsHandle } from '../../shared/page-params.ts';

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

export interface MatchedPage {
  /** The path with the names of its parameters, such as '/auth/orders/bill/:orderid'. */
  pattern: string;
  /** The path of the page with `-` as each parameter. */
  sharedPath: string;
  /** The document of `sharedPath` serves every address of the page. */
  isShared: boolean;
  /** Whether a page can have the parameters. */
  isAccepted: boolean;
}

/** Without encoded characters, and without empty segments. */
export const PLAIN_PATH = /^(?:\/[\w.-]+)+$/;

/** Removes the routes that neither have a parameter nor contain a route with one. */
const withParameters = (routes: readonly RouteObject[]): RouteObject[] =>
  routes.flatMap((route) => {
    if (/[:*]/.test(route.path ?? '')) return [route];
    const children = withParameters(route.children ?? []);
    return children.length > 0 && !route.index ? [{ ...route, children }] : [];
  });

const handleOf = (build: ServerBuild, { route: { id = '' } }: RouteMatch) => build.routes[id]?.module.handle as ParamsHandle | undefined;

/**
 * Returns a function that finds the page of a path, and returns undefined without one. A page
 * without loaders has one document: its components get the parameters, but must not render them
 * before the session is known.
 */
export function createPageMatcher(build: ServerBuild): (path: string) => MatchedPage | undefined {
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    Object.values(build.routes).flatMap((route) => {
      if (route?.parentId !== parentId || !route) return [];
      const { id, path = '', index } = route;
      return [index ? { id, path, index } : { id, path, children: childrenOf(id) }];
    });
  const routes = childrenOf(undefined);
  const routesWithParameters = withParameters(routes);
  const staticPaths = staticPagePaths(build);
  return (path) => {
    // The router sorts all routes for each match, which would cost most of the time of a cached
    // document. A route without parameters matches its own path in any case, and no other.
    const isStatic = !PLAIN_PATH.test(path) || staticPaths.has(path.toLowerCase());
    const matches = matchRoutes(isStatic ? routes : routesWithParameters, path);
    if (!matches || matches.at(-1)?.route.path === '*') return undefined;
    const hasLoader = matches.some(({ route: { id = '' } }) => build.routes[id]?.module.loader);
    const pattern = matches
      .map(({ route }) => route.path)
      .filter(Boolean)
      .join('/');
    return {
      pattern: `/${pattern}`,
      sharedPath: `/${pattern.replaceAll(/:\w+/g, '-')}`,
      // A path without parameters is here in another spelling, such as '/Reviews' or '/revi%65ws'.
      isShared: !hasLoader || !pattern.includes(':') || matches.some((match) => handleOf(build, match)?.isShared),
      isAccepted: matches.every((match) => handleOf(build, match)?.acceptsParams?.(match.params) ?? true),
    };
  };
}
