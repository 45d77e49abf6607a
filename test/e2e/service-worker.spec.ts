/** The service worker: a page for when there is no connection, public files, and nothing of an account. Design section 8. */
import { expect, test, type Page } from './fixtures.ts';
import { hindi } from './hindi.ts';

test.use({ serviceWorkers: 'allow' });

const ready = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

test('without a connection, a page says so in the language that was chosen, and keeps what was chosen', async ({
  page,
  context,
  expectProblem,
}) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await ready(page);
  await page.getByRole('radio', { name: 'Manesar' }).check();
  // The first page is not taken over; the next one is.
  await page.goto('/reviews', { waitUntil: 'networkidle' });
  await context.setOffline(true);
  expectProblem(/request failed: GET .*contact|ERR_INTERNET_DISCONNECTED/);
  await page.goto('/contact');
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Get in touch!' })).toBeVisible();
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('radio', { name: 'Manesar' })).toBeChecked();

  await page.getByRole('banner').getByRole('button', { name: 'हिन्दी' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
  await page.reload();
  const keptLanguage = () => page.evaluate(async () => (await caches.match('/offline'))?.headers.get('content-language'));
  await expect.poll(keptLanguage).toBe('hi');
  await context.setOffline(true);
  await page.goto('/contact');
  await expect(page.getByRole('heading', { name: hindi('You are offline') })).toBeVisible();
});

test('only public files are kept, whatever a customer does', async ({ page, signedIn }) => {
  const { userid, mobile, name } = await signedIn({ name: 'Vasundhara Raghunathan' });
  await page.goto('/', { waitUntil: 'networkidle' });
  await ready(page);
  for (const path of ['/', '/auth/profile', '/auth/orders', '/auth/address', '/refer', '/reviews']) {
    await page.goto(path, { waitUntil: 'networkidle' });
  }
  const kept = await page.evaluate(async () => {
    const found: { path: string; text: string }[] = [];
    for (const cacheName of await caches.keys()) {
      const cache = await caches.open(cacheName);
      for (const request of await cache.keys()) {
        found.push({ path: new URL(request.url).pathname, text: (await (await cache.match(request))?.text()) ?? '' });
      }
    }
    return found;
  });
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter(({ path }) => !/^\/(?:assets\/[^/]+|offline|favicon\.svg)$/.test(path)).map(({ path }) => path)).toEqual([]);
  for (const { path, text } of kept) {
    for (const secret of [userid, mobile, name]) expect(text.includes(secret), `${path} holds ${secret}`).toBe(false);
  }
});

test('a new version takes no open page over', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await ready(page);
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await page.reload({ waitUntil: 'networkidle' });
  const before = await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  expect(before).toContain('/sw.js');
  // The same worker under another address stands for a new version: it is installed, and waits.
  const state = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/sw.js?new');
    const arriving = registration.installing ?? registration.waiting;
    await new Promise<void>((resolve) => {
      if (registration.waiting) resolve();
      arriving?.addEventListener('statechange', () => arriving.state === 'installed' && resolve());
    });
    // One that does not wait is still waiting at this moment. Another look at the server takes longer than it would wait.
    await registration.update();
    return { waiting: registration.waiting?.scriptURL, controller: navigator.serviceWorker.controller?.scriptURL };
  });
  expect(state.waiting).toContain('/sw.js?new');
  expect(state.controller).toBe(before);
});
