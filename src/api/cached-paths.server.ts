import type { ServerBuild } from 'react-router';

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
