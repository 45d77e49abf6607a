// Caches public files and an offline page. docs/decisions/0013 says why, and why it controls no open page.
const OFFLINE = 'offline-1';
const FILES = 'files-1';
// The console has caches of its own (src/console/public/sw.js).
const KEPT = /^(offline-1|files-1|console-.*)$/;
const MAX_FILES = 200;
const OFFLINE_PAGE_MS = 24 * 60 * 60 * 1000;
const OFFLINE_PAGE = '/offline';
const WITH_OFFLINE_PAGE = new Set([OFFLINE_PAGE, '/favicon.svg']);

addEventListener('install', (event) => {
  const icons = caches.open(OFFLINE).then((cache) => cache.addAll([new Request('/favicon.svg', { cache: 'reload' })]));
  event.waitUntil(Promise.all([icons, storeOfflinePage()]));
});

addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      registration.navigationPreload?.enable(),
      caches.keys().then((names) => Promise.all(names.filter((name) => !KEPT.test(name)).map((name) => caches.delete(name)))),
    ]),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fromNetwork(event).catch(() => caches.match(OFFLINE_PAGE)));
  else if (pathname.startsWith('/assets/')) event.respondWith(cacheFirst(request));
  else if (WITH_OFFLINE_PAGE.has(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

async function fromNetwork(event) {
  const response = (await event.preloadResponse) || (await fetch(event.request));
  event.waitUntil(refreshOfflinePage(response.headers.get('content-language')).catch(() => {}));
  return response;
}

/** Fetches the offline page again after a day, and if its language differs from that of the visited page. */
async function refreshOfflinePage(language) {
  const cached = await caches.match(OFFLINE_PAGE);
  const isRecent = cached && Math.abs(Date.now() - Date.parse(cached.headers.get('date'))) < OFFLINE_PAGE_MS;
  if (isRecent && isOfflinePage(cached) && cached.headers.get('content-language') === language) return;
  await storeOfflinePage();
}

/** Throws if the response is another page, such as the log-in page of a network. */
async function storeOfflinePage() {
  const response = await fetch(new Request(OFFLINE_PAGE, { cache: 'reload' }));
  if (!response.ok || response.redirected || !isOfflinePage(response)) throw new Error('The response is not the offline page');
  await (await caches.open(OFFLINE)).put(OFFLINE_PAGE, response);
}

/** The server sends this policy with its own pages only. */
const isOfflinePage = ({ headers }) => headers.get('content-security-policy')?.startsWith("default-src 'none'; style-src 'sha256-");

async function cacheFirst(request) {
  const cache = await caches.open(FILES);
  const found = await cache.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const [...files] = await cache.keys();
    for (const oldest of files.slice(0, -MAX_FILES)) await cache.delete(oldest);
  }
  return response;
}
