// docs/decisions/0013: caches public files and an offline page. Controls no open page.
const OFFLINE = 'offline-1';
const FILES = 'files-1';
/** The console has its own. */
const isKept = (name) => [OFFLINE, FILES].includes(name) || name.startsWith('console');
const MAX_FILES = 200;
const OFFLINE_PAGE_MS = 24 * 60 * 60 * 1000;
const OFFLINE_PAGE = '/offline';
const ICON = '/favicon.svg';

addEventListener('install', (event) => {
  const icon = caches.open(OFFLINE).then((cache) => cache.add(new Request(ICON, { cache: 'reload' })));
  event.waitUntil(Promise.all([icon, storeOfflinePage()]));
});

addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      registration.navigationPreload?.enable(),
      caches.keys().then((names) => Promise.all(names.map((name) => isKept(name) || caches.delete(name)))),
    ]),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fromNetwork(event).catch(() => caches.match(OFFLINE_PAGE)));
  else if (pathname.startsWith('/assets/')) event.respondWith(cacheFirst(event));
  else if ([OFFLINE_PAGE, ICON].includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

async function fromNetwork(event) {
  const response = (await event.preloadResponse) || (await fetch(event.request));
  event.waitUntil(refreshOfflinePage(response.headers.get('content-language')).catch(() => {}));
  return response;
}

/** After a day, or in another language than that of the visited page. */
async function refreshOfflinePage(language) {
  const cached = await caches.match(OFFLINE_PAGE);
  const isRecent = cached && Math.abs(Date.now() - Date.parse(cached.headers.get('date'))) < OFFLINE_PAGE_MS;
  if (isRecent && isOfflinePage(cached) && cached.headers.get('content-language') === language) return;
  await storeOfflinePage();
}

/** Throws for another page, such as the log-in page of a network. */
async function storeOfflinePage() {
  const response = await fetch(new Request(OFFLINE_PAGE, { cache: 'reload' }));
  if (!response.ok || response.redirected || !isOfflinePage(response)) throw new Error('Not the offline page');
  await (await caches.open(OFFLINE)).put(OFFLINE_PAGE, response);
}

/** Only the server sends this policy. */
const isOfflinePage = ({ headers }) => headers.get('content-security-policy')?.startsWith("default-src 'none'; style-src 'sha256-");

/** The response does not wait for the cache, and a full storage does not fail it. */
async function cacheFirst(event) {
  const { request } = event;
  const found = await caches.match(request, { cacheName: FILES }).catch(() => {});
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) event.waitUntil(storeFile(request, response.clone()).catch(() => {}));
  return response;
}

async function storeFile(request, response) {
  const cache = await caches.open(FILES);
  await cache.put(request, response);
  const files = await cache.keys();
  for (const oldest of files.slice(0, -MAX_FILES)) await cache.delete(oldest);
}
