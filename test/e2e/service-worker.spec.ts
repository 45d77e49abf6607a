/** The service worker: the offline page, cached public files, no account data. Design section 8. */
import { expect, test, type Page } from './fixtures.ts';
import { hindi } from './hindi.ts';

test.use({ serviceWorkers: 'allow' });

const ready = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

test('shows the offline page in the selected language and preserves the selection', async ({ page, context, expectProblem }) => {
  await page.goto('/');
  await ready(page);
  await page.getByRole('radio', { name: 'Manesar' }).check();
  // The worker controls the next page, not the first.
  await page.goto('/reviews', { waitUntil: 'networkidle' });
  await context.setOffline(true);
  expectProblem(/request failed: GET .*contact|ERR_INTERNET_DISCONNECTED/);
  await page.goto('/contact');
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  // The page loads again by itself.
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Get in touch!' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('radio', { name: 'Manesar' })).toBeChecked();

  await page.getByRole('banner').getByRole('button', { name: 'हिन्दी' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
  await page.reload({ waitUntil: 'networkidle' });
  const cachedLanguage = () => page.evaluate(async () => (await caches.match('/offline'))?.headers.get('content-language'));
  await expect.poll(cachedLanguage).toBe('hi');
  await context.setOffline(true);
  await page.goto('/contact');
  await expect(page.getByRole('heading', { name: hindi('You are offline') })).toBeVisible();
});

test('an old or foreign offline page is replaced at the next visit', async ({ page }) => {
  await page.goto('/');
  await ready(page);
  const { headers } = await page.evaluate(async () => ({ headers: Object.fromEntries((await caches.match('/offline'))?.headers ?? []) }));
  const foreign = { date: headers.date ?? '' };
  const old = { ...headers, date: new Date(0).toUTCString() };
  for (const planted of [foreign, old]) {
    await page.evaluate(
      async (headers) => (await caches.open('offline-1')).put('/offline', new Response('planted', { headers: headers as HeadersInit })),
      planted,
    );
    await page.goto('/reviews');
    const text = () => page.evaluate(async () => (await caches.match('/offline'))?.text());
    await expect.poll(text).toContain('You are offline');
  }
});

test('caches only public files, also for a signed-in customer', async ({ page, signedIn }) => {
  const { userid, mobile, name } = await signedIn({ name: 'Vasundhara Raghunathan' });
  await page.goto('/');
  await ready(page);
  for (const path of ['/', '/auth/profile', '/auth/orders', '/auth/address', '/refer', '/reviews']) {
    await page.goto(path, { waitUntil: 'networkidle' });
  }
  const cached = await page.evaluate(async () => {
    const entries: { path: string; text: string }[] = [];
    for (const cacheName of await caches.keys()) {
      const cache = await caches.open(cacheName);
      for (const request of await cache.keys()) {
        entries.push({ path: new URL(request.url).pathname, text: (await (await cache.match(request))?.text()) ?? '' });
      }
    }
    return entries;
  });
  expect(cached.length).toBeGreaterThan(5);
  expect(cached.filter(({ path }) => !/^\/(?:assets\/[^/]+|offline|favicon\.svg)$/.test(path)).map(({ path }) => path)).toEqual([]);
  for (const { path, text } of cached) {
    for (const secret of [userid, mobile, name]) expect(text.includes(secret), `${path} holds ${secret}`).toBe(false);
  }
});

test('a page loads its scripts while the storage of the browser is full', async ({ page, context, baseURL }) => {
  await page.goto('/');
  await ready(page);
  const browser = await context.newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL ?? '').origin, quotaSize: 1 });
  await page.goto('/contact', { waitUntil: 'networkidle' });
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toContain('/sw.js');
  const cached = await page.evaluate(async () => (await (await caches.open('files-1')).keys()).length);
  expect(cached).toBe(0);
});

test('a new version does not take control of open pages', async ({ page }) => {
  await page.goto('/');
  await ready(page);
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await page.reload({ waitUntil: 'networkidle' });
  const before = await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  expect(before).toContain('/sw.js');
  // The same worker under another URL is a new version: it is installed and waits.
  const state = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/sw.js?new');
    const installing = registration.installing ?? registration.waiting;
    await new Promise<void>((resolve) => {
      if (registration.waiting) resolve();
      installing?.addEventListener('statechange', () => installing.state === 'installed' && resolve());
    });
    // A worker that calls skipWaiting is also waiting at this moment. An update takes longer than
    // its activation.
    await registration.update();
    return { waiting: registration.waiting?.scriptURL, controller: navigator.serviceWorker.controller?.scriptURL };
  });
  expect(state.waiting).toContain('/sw.js?new');
  expect(state.controller).toBe(before);
});

test('a new worker deletes caches of earlier versions and keeps those of the console', async ({ page }) => {
  await page.goto('/livez');
  await page.evaluate(async () => void (await Promise.all(['offline-0', 'console-any'].map((name) => caches.open(name)))));
  await page.goto('/');
  await ready(page);
  const names = () => page.evaluate(async () => (await caches.keys()).toSorted());
  await expect.poll(names).not.toContain('offline-0');
  expect(await names()).toContain('console-any');
});
