/** Loads the scripts of a page before the navigation to it. */

interface RouteScripts {
  module: string;
  clientLoaderModule?: string;
}

/** React Router's list of all routes, which every page loads (react-router.config.ts). */
const MANIFEST = '__reactRouterManifest';

type WithManifest = Partial<Record<typeof MANIFEST, { routes: Record<string, RouteScripts | undefined> }>>;

/** Pauses between the tries, three and a half seconds in total. */
const RETRY_DELAYS_MS = [500, 1000, 2000] as const;

async function importScripts(routeId: string) {
  const route = (window as Window & WithManifest)[MANIFEST]?.routes[routeId];
  if (!route) return;
  const scripts = [route.module, ...(route.clientLoaderModule === undefined ? [] : [route.clientLoaderModule])];
  await Promise.all(scripts.map((script) => import(/* @vite-ignore */ script)));
}

/**
 * Loads the scripts of a route, by its id in routes.ts, with retries. Throws if they do not load.
 * Without this call, React Router loads the current page again if they do not.
 */
export async function loadRoute(routeId: string): Promise<void> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await importScripts(routeId);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  await importScripts(routeId);
}

/** Loads the scripts of a route early. A later `loadRoute` tries again if this fails. */
export const preloadRoute = (routeId: string) => void importScripts(routeId).catch(() => {});
