// Keeps public files and a page for no connection; why, and why it takes over no open page: docs/decisions/0013.
const OFFLINE = 'offline-1';
const FILES = 'files-1';
const MOST_FILES = 200;
const OFFLINE_PAGE = '/offline';
const WITH_OFFLINE_PAGE = [OFFLINE_PAGE, '/favicon.svg'];

addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(OFFLINE).then((cache) => cache.addAll(WITH_OFFLINE_PAGE.map((path) => new Request(path, { cache: 'reload' })))),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      registration.navigationPreload?.enable(),
      caches
        .keys()
        .then((names) => Promise.all(names.filter((name) => ![OFFLINE, FILES].includes(name)).map((name) => caches.delete(name)))),
    ]),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fromNetwork(event).catch(() => caches.match(OFFLINE_PAGE)));
  else if (pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (WITH_OFFLINE_PAGE.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

async function fromNetwork(event) {
  const response = (await event.preloadResponse) || (await fetch(event.request));
  event.waitUntil(keepInLanguage(response.headers.get('content-language')).catch(() => {}));
  return response;
}

/** The page for no connection is kept in the language of the pages that are read. */
async function keepInLanguage(language) {
  const kept = await caches.match(OFFLINE_PAGE);
  if (kept && kept.headers.get('content-language') === language) return;
  await (await caches.open(OFFLINE)).add(new Request(OFFLINE_PAGE, { cache: 'reload' }));
}

async function kept(request) {
  const cache = await caches.open(FILES);
  const found = await cache.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const [...files] = await cache.keys();
    for (const oldest of files.slice(0, -MOST_FILES)) await cache.delete(oldest);
  }
  return response;
}
