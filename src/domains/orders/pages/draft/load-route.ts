/** Loads the scripts of a page before the navigation to it. */

interface RouteScripts {
  module: string;
  clientLoaderModule?: string;
}

/** React Router's list of all routes, which every page loads (react-router.config.ts). */
const MANIFEST = '__reactRouterManifest';

type WithManifest = Partial<Record<typeof MANIFEST, { routes: Record<string, RouteScripts | undefined> }>>;

/** Delays between the tries, three and a half seconds in total. */
const RETRY_DELAYS_MS = [500, 1000, 2000] as const;

async function importScripts(routeId: string) {
  const route = (window as Window & WithManifest)[MANIFEST]?.routes[routeId];
  if (!route) return;
  const scripts = [route.module, ...(route.clientLoaderModule === undefined ? [] : [route.clientLoaderModule])];
  await Promise.all(scripts.map((script) => import(/* @vite-ignore */ script)));
}

/** The time of all tries. Without it, a hanging connection leaves the customer waiting. */
const LOADING_MS = 15_000;

async function importWithRetries(routeId: string) {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await importScripts(routeId);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return importScripts(routeId);
}

/**
 * Loads the scripts of /confirm. Throws if they do not load in four tries or within 15 s.
 * Without this call, React Router loads the current page again if they do not load.
 */
export async function loadConfirm(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The scripts did not load in time')), LOADING_MS);
  });
  try {
    await Promise.race([importWithRetries('confirm'), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loads the scripts of a route early. If this fails, a later navigation tries again. */
export const preloadRoute = (routeId: string) => void importScripts(routeId).catch(() => {});
