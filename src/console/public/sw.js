// Opens the console without a connection: keeps its document and files, which are the same for
// everyone. docs/decisions/0061.
const VERSION = '__VERSION__';
const FILES = JSON.parse('__FILES__');
const PREFIX = 'console-';
const CACHE = PREFIX + VERSION;
const DOCUMENT = '/staff';
/** A phone at the edge of the network opens the cached document instead of waiting longer. */
const WAIT_MS = 4000;

addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.add(new Request(DOCUMENT, { cache: 'reload' }));
      await cache.addAll(FILES);
      await skipWaiting();
    })(),
  );
});

// Open pages of the version before still load their screens from its cache.
addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
      await clients.claim();
    })(),
  );
});

// Never puts anything into the cache: responses to calls contain data of customers.
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fromNetwork(request));
  else if (pathname.includes('/assets/')) event.respondWith(fromCache(request));
});

async function fromNetwork(request) {
  const cached = await (await caches.open(CACHE)).match(DOCUMENT);
  const waiting = new AbortController();
  const timer = cached && setTimeout(() => waiting.abort(), WAIT_MS);
  try {
    const response = await fetch(request, { signal: waiting.signal });
    return response.status >= 500 && cached ? cached : response;
  } catch (error) {
    if (!cached) throw error;
    return cached;
  } finally {
    clearTimeout(timer);
  }
}

const fromCache = async (request) => (await caches.match(request)) ?? fetch(request);
